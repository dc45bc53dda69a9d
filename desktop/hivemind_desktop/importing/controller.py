"""The Import page: what was dropped is shown before anything is written; then what runs, came of it, waits."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from hivemind.domain.harvest import RunState
from hivemind.domain.review import ReviewKind
from hivemind.events import Area
from hivemind_desktop.widgets.page import Desk, PageController, Target

from .choosing import Choosing
from .outcomes import Outcomes
from .panel import ImportPanel
from .reviewing import Reviewing
from .runs import RunFollower


class ImportController(PageController):
    """`choosing` is before an import, `runs` during, `outcomes` and `reviewing` after."""

    def __init__(self, desk: Desk) -> None:
        self.panel = ImportPanel()
        words = QCoreApplication.translate("ImportController", "Reading earlier imports")
        super().__init__(self.panel, desk, frozenset({Area.IMPORTS, Area.CHANGES}), words)
        self._workspace = desk.workspace
        self.runs = RunFollower(self)
        self.choosing = Choosing(self)
        self.outcomes = Outcomes(self)
        self.reviewing = Reviewing(self)
        self.panel.wanted.connect(desk.requested)
        self.panel.dropped.connect(self.choosing.look)
        self.panel.memory_asked.connect(lambda frame: desk.asked.emit(Target("memories", frame_id=frame)))
        self.panel.report.session_asked.connect(lambda session: desk.asked.emit(Target("sessions", session_id=session)))
        self.panel.report.review_asked.connect(lambda kind: self.reviewing.open(ReviewKind(kind)))

    async def load(self) -> None:
        workspace, client = self.desk.workspace, self.desk.client
        if workspace != self._workspace:
            self._workspace = workspace
            self.runs.forget()
            self.outcomes.show(None)
            self.panel.show_undone(None)
        runs = await client.call(lambda engine: engine.harvest.runs(workspace))
        waiting = await client.call(lambda engine: engine.harvest.list_interrupted([workspace]))
        for run in runs:
            if run.state in (RunState.RUNNING, RunState.PAUSED):
                self.runs.follow(run)
        at_work = self.runs.cards
        self.panel.interrupted.show_runs([each for each in waiting if each.report.run_id not in at_work])
        self.panel.earlier.show_runs([run for run in runs if run.run_id not in at_work])
        shown = self.outcomes.shown
        if shown is not None:
            self.outcomes.show(next((run for run in runs if run.run_id == shown.run_id), None))
        counts = await client.call(lambda engine: engine.review.counts(workspace))
        self.panel.show_review_counts(counts)
        await self.reviewing.reload()
        if runs or waiting or at_work or self.choosing.is_busy or self.panel.has_troubles or self.reviewing.is_open:
            self.panel.stack.show_data()
        else:
            self.panel.start_stack.show_start()
        self.offers_changed.emit()

    def offers(self) -> frozenset[str]:
        offered = self.runs.offers() | self.outcomes.offers() | self.reviewing.offers()
        return offered | ({"import.begin", "import.titles"} if self.choosing.card is not None else frozenset())

    def perform(self, action_id: str) -> None:
        if action_id.startswith("review."):
            self.reviewing.perform(action_id)
        elif action_id == "import.review":
            self.reviewing.open(ReviewKind.QUARANTINED)
        elif action_id == "import.begin":
            self.choosing.decide("import")
        elif action_id == "import.titles":
            self.choosing.open_titles()
        elif action_id == "import.undo":
            self.outcomes.undo()
        elif action_id == "import.erase":
            self.outcomes.erase()
        elif action_id == "import.csv":
            self.outcomes.save_csv()
        else:
            self.runs.steer_newest(action_id.removeprefix("import."))

    def arrive(self, target: Target) -> None:
        """`query` of a target: `run 12`, `report 12`, `review quarantined`, `review masked`."""
        if target.paths:
            self.choosing.look(target.paths)
        what, _, which = (target.query or "").partition(" ")
        if what == "run":
            self.runs.look_after(int(which))
        elif what == "report":
            self.outcomes.open_report(int(which))
        elif what == "review":
            self.reviewing.open(ReviewKind(which))
