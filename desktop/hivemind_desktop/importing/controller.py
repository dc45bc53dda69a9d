"""What Import does: looks inside, starts, follows, stops, undoes, takes up what was interrupted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from hivemind.domain.harvest import ImportPreview, ImportReport, RunState
from hivemind.errors import Cancelled, HiveMindError, SourceUnknown
from hivemind.events import Area, Progress
from hivemind_desktop.notices import Option, Question
from hivemind_desktop.widgets.figures import memories, mind_name
from hivemind_desktop.widgets.page import Desk, PageController, Target
from hivemind_desktop.widgets.words import fill, one_line

from .model import source_name
from .panel import ImportPanel
from .running import RunningImport


class ImportController(PageController):
    """Several imports may run; actions mean the newest of them."""

    def __init__(self, desk: Desk) -> None:
        self.panel = ImportPanel()
        words = QCoreApplication.translate("ImportController", "Reading earlier imports")
        super().__init__(self.panel, desk, frozenset({Area.IMPORTS}), words)
        self._cards: dict[int, RunningImport] = {}
        self._shown: ImportReport | None = None
        self._busy = False
        self._workspace = desk.workspace
        self.panel.wanted.connect(desk.requested)
        self.panel.dropped.connect(lambda paths: self.arrive(Target("import", paths=tuple(paths))))
        self.panel.resume_asked.connect(lambda run: self.tasks.start("resume", self._resume_interrupted(run)))
        self.panel.leave_asked.connect(lambda run: self.tasks.start("leave", self._leave_interrupted(run)))
        self.panel.memory_asked.connect(lambda frame: desk.asked.emit(Target("memories", frame_id=frame)))
        self.panel.earlier.report_asked.connect(lambda run: self.tasks.start("report", self._show_report(run)))
        desk.signals.progress.connect(self._on_progress)

    # states

    async def load(self) -> None:
        workspace = self.desk.workspace
        if workspace != self._workspace:
            self._forget_runs(workspace)
        runs = await self.desk.client.call(lambda engine: engine.harvest.runs(workspace))
        interrupted = await self.desk.client.call(lambda engine: engine.harvest.interrupted(workspace))
        for run in runs:
            if run.state in (RunState.RUNNING, RunState.PAUSED) and run.run_id not in self._cards:
                self._follow(run.run_id, source_name(run), run.name, run.state is RunState.PAUSED)
        self.panel.show_interrupted([run for run in interrupted if run.run_id not in self._cards])
        self.panel.earlier.show_runs([run for run in runs if run.run_id not in self._cards])
        if self._shown is not None:
            current = next((run for run in runs if run.run_id == self._shown.run_id), None)
            self._show(current)
        if runs or interrupted or self._cards or self._busy:
            self.panel.stack.show_data()
        else:
            self.panel.start_stack.show_start()
        self.offers_changed.emit()

    def offers(self) -> frozenset[str]:
        offered = set()
        if self._cards:
            card = self._cards[max(self._cards)]
            offered |= {"import.cancel", "import.resume" if card.is_paused else "import.pause"}
        shown = self._shown
        if shown is not None and shown.state is not RunState.UNDONE and (shown.new or shown.updated):
            offered.add("import.undo")
        return frozenset(offered)

    def perform(self, action_id: str) -> None:
        if action_id == "import.undo":
            if self._shown is not None:
                self.tasks.start("undo", self._undo(self._shown))
        elif self._cards:
            self._steer(max(self._cards), action_id.removeprefix("import."))

    # a way in

    def arrive(self, target: Target) -> None:
        if target.paths:
            self.tasks.start(f"look {target.paths}", self._look(target.paths), self._cannot_look)

    async def _look(self, paths: Sequence[Path]) -> None:
        self._busy = True
        self.panel.stack.show_data()
        self.panel.show_looking(", ".join(path.name for path in paths))
        try:
            previews = await self._previews(paths)
            self.panel.show_previews(previews)
            if previews:
                await self._start(previews)
        finally:
            self._busy = False
            self.refresh()

    async def _previews(self, paths: Sequence[Path]) -> list[ImportPreview]:
        """What can be imported. Each other path gets its reason; its neighbours are still imported."""
        good = []
        for path in paths:
            try:
                preview = await self._preview(path)
            except Cancelled:
                raise
            except HiveMindError as error:
                self.panel.show_trouble(path.name, error.title, error.hint)
                continue
            if preview.source:
                good.append(preview)
            else:
                self.panel.show_trouble(path.name, SourceUnknown.title, preview.label)
        return good

    async def _preview(self, path: Path) -> ImportPreview:
        (preview,) = await self.desk.client.call(lambda engine: engine.harvest.preview([path]))
        return preview

    async def _start(self, previews: Sequence[ImportPreview]) -> None:
        workspace = self.desk.workspace
        paths = [Path(preview.path) for preview in previews]
        title = fill(self.tr("%1 export"), previews[0].label) if len(previews) == 1 else self.tr("The import")
        # Building views is dear: it is done before the import needs the interpreter, and the window answers between.
        card = self._make_card(title, ", ".join(path.name for path in paths))
        await asyncio.sleep(0)
        self.panel.add_running(card)
        self._shown = None
        self.panel.show_report(None, workspace)
        self.panel.show_undone(None)
        await asyncio.sleep(0)
        try:
            run = await self.desk.client.call(lambda engine: engine.harvest.start(paths, workspace))
        except BaseException:
            self.panel.remove_running(card)
            raise
        self._attach(run, card)
        self.panel.show_previews(())

    def _cannot_look(self, error: BaseException) -> None:
        self.panel.show_previews(())
        if isinstance(error, HiveMindError):
            self.panel.show_trouble("", error.title, error.hint)
        else:
            self.desk.notices.failure(error)

    # while it runs

    def _follow(self, run: int, title: str, name: str, paused: bool) -> None:
        """A run that was found at work."""
        if run in self._cards:
            return
        card = self._make_card(title, name)
        if paused:
            card.show_paused(True)
        self.panel.add_running(card)
        self._attach(run, card)

    def _make_card(self, title: str, name: str) -> RunningImport:
        return RunningImport(title, fill(self.tr("%1 · into %2"), one_line(name, 160), mind_name(self.desk.workspace)))

    def _attach(self, run: int, card: RunningImport) -> None:
        """From now on the card shows this run, until it ends."""
        if run in self._cards:
            self.panel.remove_running(self._cards[run])
        self._cards[run] = card
        card.wanted.connect(lambda what: self._steer(run, what))
        self.tasks.start(f"run {run}", self._wait(run), lambda error: self._run_failed(run, error))
        self.offers_changed.emit()

    async def _wait(self, run: int) -> None:
        workspace = self.desk.workspace
        report = await self.desk.client.call(lambda engine: engine.harvest.wait(workspace, run))
        self._drop_card(run)
        await asyncio.sleep(0)
        self._show(report)
        await asyncio.sleep(0)
        if report.state is RunState.FINISHED and not self.panel.isVisible():
            self.desk.notices.toast(
                fill(self.tr("%1 is in"), source_name(report)),
                self.tr("Report"),
                lambda: self.desk.asked.emit(Target("import")),
            )
        self.refresh()

    def _run_failed(self, run: int, error: BaseException) -> None:
        self._drop_card(run)
        if isinstance(error, HiveMindError):
            self.panel.show_trouble("", error.title, error.hint)
        else:
            self.desk.notices.failure(error)
        self.refresh()

    def _forget_runs(self, workspace: str) -> None:
        """Another mind is in sight: its runs are shown, those of the former go on unseen."""
        self._workspace = workspace
        for run in list(self._cards):
            self.tasks.cancel(f"run {run}")
            self._drop_card(run)
        self._show(None)
        self.panel.show_undone(None)

    def _drop_card(self, run: int) -> None:
        card = self._cards.pop(run, None)
        if card is not None:
            self.panel.remove_running(card)

    def _on_progress(self, progress: Progress) -> None:
        card = self._cards.get(progress.job_id) if progress.kind == "import" else None
        if card is None or progress.workspace != self.desk.workspace or progress.finished:
            return
        paused = progress.phase == RunState.PAUSED
        if paused != card.is_paused:
            card.show_paused(paused)
            self.offers_changed.emit()
        card.show_progress(progress)

    def _steer(self, run: int, what: str) -> None:
        if what == "background":
            self.desk.asked.emit(Target("memories"))
        elif run in self._cards:
            self.tasks.start(f"steer {run}", self._steered(run, what))

    async def _steered(self, run: int, what: str) -> None:
        card, workspace = self._cards[run], self.desk.workspace
        if what == "pause":
            await self.desk.client.call(lambda engine: engine.harvest.pause(workspace, run))
            card.show_paused(True)
        elif what == "resume":
            await self.desk.client.call(lambda engine: engine.harvest.resume(workspace, run))
            card.show_paused(False)
        else:
            keep = await self._ask_cancel()
            if keep is not None and run in self._cards:
                card.show_stopping()
                await self.desk.client.call(lambda engine: engine.harvest.cancel(workspace, run, keep=keep))
        self.offers_changed.emit()

    async def _ask_cancel(self) -> bool | None:
        """True: keep what is in. False: remove it. None: go on importing."""
        answer = await self.desk.notices.choose(
            Question(
                self.tr("Cancel this import?"),
                self.tr("What is in can stay and be searched, or all of it can be taken out again."),
                (Option("keep", self.tr("Keep what is in")), Option("remove", self.tr("Remove it all"), danger=True)),
                self.tr("Go on importing"),
            )
        )
        return {"keep": True, "remove": False}.get(answer)

    # after

    async def _show_report(self, run: int) -> None:
        workspace = self.desk.workspace
        self._show(await self.desk.client.call(lambda engine: engine.harvest.report(workspace, run)))
        self.panel.show_undone(None)

    def _show(self, report: ImportReport | None) -> None:
        changed = report != self._shown
        self._shown = report
        if changed:
            self.panel.show_report(report, self.desk.workspace)
            self.offers_changed.emit()

    async def _undo(self, report: ImportReport) -> None:
        workspace, run = self.desk.workspace, report.run_id
        frames = report.frames.i + report.frames.p + report.frames.b
        text = fill(
            self.tr(
                "Its %1 will be taken out. What you edited or pinned, and what another import also brought, stays."
            ),
            memories(frames),
        )
        if not await self.desk.notices.confirm(self.tr("Undo this import?"), text, self.tr("Undo import"), danger=True):
            return
        self.panel.show_undoing()
        undone = None
        try:
            undone = await self.desk.client.call(lambda engine: engine.harvest.undo(workspace, run))
        finally:
            self.panel.show_undone(undone)
        await self.load()

    # interrupted

    async def _resume_interrupted(self, run: int) -> None:
        workspace = self.desk.workspace
        report = await self.desk.client.call(lambda engine: engine.harvest.report(workspace, run))
        await self.desk.client.call(lambda engine: engine.harvest.resume_interrupted(workspace, run))
        self._follow(run, source_name(report), report.name, False)
        await self.load()

    async def _leave_interrupted(self, run: int) -> None:
        workspace = self.desk.workspace
        await self.desk.client.call(lambda engine: engine.harvest.leave_interrupted(workspace, run))
        await self.load()
