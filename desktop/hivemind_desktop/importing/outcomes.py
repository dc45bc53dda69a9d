"""After an import: its report with the items behind each line, CSV, undo, and what to do with interrupted ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from hivemind.domain.erasure import ErasureTarget, TargetKind
from hivemind.domain.harvest import ImportReport, InterruptedRun, RunState
from hivemind_desktop.widgets.erasing import open_erase
from hivemind_desktop.widgets.figures import memories, number
from hivemind_desktop.widgets.words import fill

from .lines import ITEMS, ReportLine

if TYPE_CHECKING:
    from .controller import ImportController


class Outcomes(QObject):
    """`shown` is the report in sight."""

    def __init__(self, page: ImportController) -> None:
        super().__init__(page)
        self._page, self._desk, self._panel = page, page.desk, page.panel
        self.shown: ImportReport | None = None
        self._panel.report.items_asked.connect(self._open_items)
        self._panel.report.csv_asked.connect(self.save_csv)
        self._panel.report.erase_asked.connect(self.erase)
        self._panel.interrupted.resume_asked.connect(lambda run: self._page.tasks.start("resume", self._resume(run)))
        self._panel.interrupted.leave_asked.connect(lambda run: self._page.tasks.start("leave", self._leave(run)))
        self._panel.interrupted.remove_asked.connect(lambda run: self._page.tasks.start("remove", self._remove(run)))
        self._panel.earlier.report_asked.connect(self.open_report)

    def offers(self) -> frozenset[str]:
        shown = self.shown
        if shown is None:
            return frozenset()
        offered = {"import.csv"}
        if shown.state not in (RunState.RUNNING, RunState.PAUSED):
            offered.add("import.erase")
        if shown.state is not RunState.UNDONE and (shown.new or shown.updated):
            offered.add("import.undo")
        return frozenset(offered)

    def show(self, report: ImportReport | None) -> None:
        changed = report != self.shown
        self.shown = report
        if changed:
            self._panel.show_report(report, self._desk.workspace)
            self._page.offers_changed.emit()

    def open_report(self, run: int) -> None:
        self._page.tasks.start("report", self._read_report(run))

    async def _read_report(self, run: int) -> None:
        workspace = self._desk.workspace
        self.show(await self._desk.client.call(lambda engine: engine.harvest.report(workspace, run)))
        self._panel.show_undone(None)
        self._panel.to_top()

    # items behind a line

    def _open_items(self, line: ReportLine, offset: int) -> None:
        if self.shown is not None:
            self._page.tasks.start(f"items {id(line)}", self._read_items(self.shown.run_id, line, offset))

    async def _read_items(self, run: int, line: ReportLine, offset: int) -> None:
        workspace, opens = self._desk.workspace, line.shown.opens
        if opens is None:
            return
        state, reason = opens
        page = await self._desk.client.call(
            lambda engine: engine.harvest.items(workspace, run, state=state, reason=reason, offset=offset, limit=ITEMS)
        )
        line.show_items(page)

    def save_csv(self) -> None:
        """Ask where; the file is written by the engine."""
        if self.shown is None:
            return
        run = self.shown.run_id
        dialog = QFileDialog(self._panel.window(), self.tr("Save the report"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("Table (*.csv)"))
        dialog.setDefaultSuffix("csv")
        dialog.selectFile(f"import-{run}.csv")
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # an existing file is refused, with the reason
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda file: self._page.tasks.start("csv", self.write_csv(run, Path(file))))
        dialog.open()

    async def write_csv(self, run: int, file: Path) -> None:
        workspace = self._desk.workspace
        rows = await self._desk.client.call(lambda engine: engine.harvest.write_csv(workspace, run, file))
        self._desk.notices.toast(fill(self.tr("%1 rows saved in %2"), number(rows), file.name))

    def erase(self) -> None:
        """Everything it brought, for good: what an undo keeps goes too."""
        if self.shown is not None:
            target = ErasureTarget(TargetKind.IMPORT, (str(self.shown.run_id),))
            open_erase(self._desk, self._page.tasks, self._panel, target)

    # undo

    def undo(self) -> None:
        if self.shown is not None:
            self._page.tasks.start("undo", self._undo(self.shown))

    async def _undo(self, report: ImportReport) -> None:
        frames = report.frames.i + report.frames.p + report.frames.b
        text = self.tr(
            "Its %1 will be taken out. What you edited or pinned, and what another import also brought, stays."
        )
        title, words = self.tr("Undo this import?"), fill(text, memories(frames))
        if await self._desk.notices.confirm(title, words, self.tr("Undo import"), danger=True):
            await self._take_out(report.run_id)

    async def _take_out(self, run: int) -> None:
        workspace = self._desk.workspace
        self._panel.show_undoing()
        undone = None
        try:
            undone = await self._desk.client.call(lambda engine: engine.harvest.undo(workspace, run))
        finally:
            self._panel.show_undone(undone)
        await self._page.load()

    # interrupted

    async def _resume(self, waiting: InterruptedRun) -> None:
        workspace, report = waiting.workspace, waiting.report
        await self._desk.client.call(lambda engine: engine.harvest.resume_interrupted(workspace, report.run_id))
        self._page.runs.follow(report)
        await self._page.load()

    async def _leave(self, waiting: InterruptedRun) -> None:
        workspace, run = waiting.workspace, waiting.report.run_id
        await self._desk.client.call(lambda engine: engine.harvest.leave_interrupted(workspace, run))
        await self._page.load()

    async def _remove(self, waiting: InterruptedRun) -> None:
        title = self.tr("Take out what this import brought?")
        text = self.tr("What you edited or pinned, and what another import also brought, stays.")
        if await self._desk.notices.confirm(title, text, self.tr("Remove it all"), danger=True):
            await self._take_out(waiting.report.run_id)
