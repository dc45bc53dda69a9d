"""Imports at work: their cards, progress, pause, cancel with keep or remove, and what comes when they end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from hivemind.domain.harvest import ImportReport, RunState
from hivemind.domain.surveys import ImportOptions, Survey
from hivemind.errors import HiveMindError
from hivemind.events import Progress
from hivemind_desktop.notices import Option, Question
from hivemind_desktop.widgets.figures import mind_name
from hivemind_desktop.widgets.page import Target
from hivemind_desktop.widgets.words import fill, one_line

from .model import source_name
from .running import RunningImport

if TYPE_CHECKING:
    from .controller import ImportController


class RunFollower(QObject):
    """Several imports may run; `newest` is the one that actions mean."""

    def __init__(self, page: ImportController) -> None:
        super().__init__(page)
        self._page, self._desk, self._panel = page, page.desk, page.panel
        self.cards: dict[int, RunningImport] = {}
        self._desk.signals.progress.connect(self._on_progress)

    @property
    def newest(self) -> RunningImport | None:
        return self.cards[max(self.cards)] if self.cards else None

    def offers(self) -> frozenset[str]:
        card = self.newest
        return frozenset({"import.cancel", "import.resume" if card.is_paused else "import.pause"} if card else ())

    async def begin(self, survey: Survey, paths: Sequence[Path], workspace: str, options: ImportOptions) -> None:
        """Start an import and show its card. Raises what starting can raise; then nothing is left behind."""
        known = [each for each in survey.sources if each.source]
        title = fill(self.tr("%1 export"), known[0].label) if len(known) == 1 else self.tr("The import")
        # Building views is dear: it is done before the import needs the interpreter, and the window answers between.
        card = self._make_card(title, ", ".join(path.name for path in paths))
        await asyncio.sleep(0)
        try:
            run = await self._desk.client.call(lambda engine: engine.harvest.start(paths, workspace, options=options))
        except BaseException:
            card.deleteLater()
            raise
        self._panel.add_running(card)
        self._page.outcomes.show(None)
        self._panel.show_undone(None)
        self._attach(run, card)

    def look_after(self, run: int) -> None:
        """Show a run that was begun elsewhere, from where it is to its report."""
        self._page.tasks.start(f"look after {run}", self._find(run))

    async def _find(self, run: int) -> None:
        workspace = self._desk.workspace
        self.follow(await self._desk.client.call(lambda engine: engine.harvest.report(workspace, run)))
        self._panel.stack.show_data()

    def follow(self, run: ImportReport) -> None:
        """A run that was found at work."""
        if run.run_id in self.cards:
            return
        card = self._make_card(source_name(run), run.name)
        if run.state is RunState.PAUSED:
            card.show_paused(True)
        self._panel.add_running(card)
        self._attach(run.run_id, card)

    def _make_card(self, title: str, name: str) -> RunningImport:
        facts = fill(self.tr("%1 · into %2"), one_line(name, 160), mind_name(self._desk.workspace))
        return RunningImport(title, facts)

    def _attach(self, run: int, card: RunningImport) -> None:
        """From now on the card shows this run, until it ends."""
        if run in self.cards:
            self._panel.remove_running(self.cards[run])
        self.cards[run] = card
        card.wanted.connect(lambda what: self.steer(run, what))
        self._page.tasks.start(f"run {run}", self._wait(run), lambda error: self._failed(run, error))
        self._page.offers_changed.emit()

    async def _wait(self, run: int) -> None:
        workspace = self._desk.workspace
        report = await self._desk.client.call(lambda engine: engine.harvest.wait(workspace, run))
        self._drop(run)
        await asyncio.sleep(0)
        self._page.outcomes.show(report)
        await asyncio.sleep(0)
        if report.state is RunState.FINISHED and not self._panel.isVisible():
            self._desk.notices.toast(
                fill(self.tr("%1 is in"), source_name(report)),
                self.tr("Report"),
                lambda: self._desk.asked.emit(Target("import")),
            )
        self._page.refresh()

    def _failed(self, run: int, error: BaseException) -> None:
        self._drop(run)
        if isinstance(error, HiveMindError):
            self._panel.show_trouble("", error.title, error.hint)
        else:
            self._desk.notices.failure(error)
        self._page.refresh()

    def forget(self) -> None:
        """Another mind is in sight: runs of the former go on unseen."""
        for run in list(self.cards):
            self._page.tasks.cancel(f"run {run}")
            self._drop(run)

    def _drop(self, run: int) -> None:
        card = self.cards.pop(run, None)
        if card is not None:
            self._panel.remove_running(card)

    def _on_progress(self, progress: Progress) -> None:
        card = self.cards.get(progress.job_id) if progress.kind == "import" else None
        if card is None or progress.workspace != self._desk.workspace or progress.finished:
            return
        paused = progress.phase == RunState.PAUSED
        if paused != card.is_paused:
            card.show_paused(paused)
            self._page.offers_changed.emit()
        card.show_progress(progress)

    # steering

    def steer_newest(self, what: str) -> None:
        if self.cards:
            self.steer(max(self.cards), what)

    def steer(self, run: int, what: str) -> None:
        if what == "background":
            self._desk.asked.emit(Target("memories"))
        elif run in self.cards:
            self._page.tasks.start(f"steer {run}", self._steered(run, what))

    async def _steered(self, run: int, what: str) -> None:
        card, workspace, client = self.cards[run], self._desk.workspace, self._desk.client
        if what == "pause":
            await client.call(lambda engine: engine.harvest.pause(workspace, run))
            card.show_paused(True)
        elif what == "resume":
            await client.call(lambda engine: engine.harvest.resume(workspace, run))
            card.show_paused(False)
        else:
            keep = await self._ask_cancel()
            if keep is not None and run in self.cards:
                card.show_stopping()
                await client.call(lambda engine: engine.harvest.cancel(workspace, run, keep=keep))
        self._page.offers_changed.emit()

    async def _ask_cancel(self) -> bool | None:
        """True: keep what is in. False: remove it. None: go on importing."""
        answer = await self._desk.notices.choose(
            Question(
                self.tr("Cancel this import?"),
                self.tr("What is in can stay and be searched, or all of it can be taken out again."),
                (Option("keep", self.tr("Keep what is in")), Option("remove", self.tr("Remove it all"), danger=True)),
                self.tr("Go on importing"),
            )
        )
        return {"keep": True, "remove": False}.get(answer)
