"""What Home does: looks whether the mind holds anything, and leads on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from hivemind.events import Area, Progress
from hivemind_desktop.widgets.floating import open_over
from hivemind_desktop.widgets.page import Desk, PageController, Target

from .guides import GuideSheet
from .model import RECENT, AtAGlance, arrived, sample_run
from .panel import HomePanel


class HomeController(PageController):
    """Shows the first run until there is something, or until the person chose to start empty."""

    def __init__(self, desk: Desk) -> None:
        self.panel = HomePanel(str(desk.data_dir))
        areas = frozenset({Area.FRAMES, Area.SESSIONS, Area.WORKSPACES, Area.IMPORTS, Area.CHANGES})
        words = QCoreApplication.translate("HomeController", "Opening your memories")
        super().__init__(self.panel, desk, areas, words)
        self._sample: int | None = None
        self.panel.first_run.chosen.connect(self._choose)
        self.panel.first_run.dropped.connect(self._import)
        self.panel.wanted.connect(self._choose)
        self.panel.searched.connect(lambda query: desk.asked.emit(Target("memories", query=query)))
        self.panel.recent.opened.connect(lambda session: desk.asked.emit(Target("sessions", session_id=session)))
        self.panel.recent.all_asked.connect(lambda: desk.asked.emit(Target("sessions")))
        self.panel.cards.asked.connect(self._lead)
        self.panel.cards.sample_unwanted.connect(lambda: desk.requested.emit("sample.remove"))
        desk.signals.progress.connect(self._on_progress)

    def offers(self) -> frozenset[str]:
        return frozenset({"sample.remove"}) if self._sample is not None else frozenset()

    def perform(self, action_id: str) -> None:
        if action_id == "guide":
            open_over(GuideSheet(self.panel.window()))
        elif self._sample is not None:
            self.tasks.start("sample", self._remove_sample(self._sample))

    async def load(self) -> None:
        workspace, client = self.desk.workspace, self.desk.client
        facts = await client.call(lambda engine: engine.workspaces.facts(workspace))
        if not facts.frames and not facts.sessions and not self.desk.settings.start_empty:
            self._show_sample(None)
            self.panel.start_stack.show_start()
            return
        rows = await client.call(lambda engine: engine.sessions.list_rows(workspace, RECENT))
        runs = await client.call(lambda engine: engine.harvest.runs(workspace))
        waiting = await client.call(lambda engine: engine.harvest.interrupted(workspace))
        review = await client.call(lambda engine: engine.review.counts(workspace))
        sample = await client.value(lambda engine: engine.harvest.sample())
        self._show_sample(sample_run(runs, sample.name))
        self.panel.show_glance(
            AtAGlance(
                facts.frames,
                facts.sessions,
                facts.size,
                tuple(rows),
                arrived(runs),
                len(waiting),
                review,
                self._sample,
            )
        )

    def _show_sample(self, run: int | None) -> None:
        if run != self._sample:
            self._sample = run
            self.offers_changed.emit()

    def _choose(self, action: str) -> None:
        if action == "start.empty":
            self.desk.change_settings(start_empty=True)
            self.refresh()
        else:
            self.desk.requested.emit(action)

    def _lead(self, target: str) -> None:
        """Rows of the cards name the page, and what to show there."""
        page, _, what = target.partition(" ")
        if page == "import":
            self.desk.asked.emit(Target("import"))
        else:
            self.desk.asked.emit(Target("import", query=f"{page} {what}"))

    def _import(self, paths: Sequence[Path]) -> None:
        self.desk.asked.emit(Target("import", paths=tuple(paths)))

    def _on_progress(self, progress: Progress) -> None:
        if progress.kind == "import" and progress.workspace == self.desk.workspace:
            self.panel.cards.show_progress(progress)

    async def _remove_sample(self, run: int) -> None:
        workspace = self.desk.workspace
        undone = await self.desk.client.call(lambda engine: engine.harvest.undo(workspace, run))
        if undone.kept:
            words = self.tr("The sample is gone, but for what you edited or pinned")
        else:
            words = self.tr("The sample is gone")
        self.desk.notices.toast(words, icon="undo-2")
        self.refresh()
