"""What Compliance does: recompute the log, list its calls, lay out and save the report, keep a statement."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog

from hivemind.domain.checks import Statement
from hivemind.events import Area
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.page import Desk, PageController, Target
from hivemind_desktop.widgets.words import fill

from .panel import CompliancePanel

#: Pages that are shown before the report is saved.
SHOWN_PAGES = 12
#: Points to pixels: a page is then 893 wide.
SCALE = 1.5


class ComplianceController(PageController):
    """The log is recomputed each time the page is loaded, in the engine's thread."""

    def __init__(self, desk: Desk) -> None:
        self.panel = CompliancePanel()
        words = QCoreApplication.translate("ComplianceController", "Recomputing the log")
        super().__init__(self.panel, desk, frozenset({Area.AUDIT, Area.IMPORTS}), words)
        self.panel.status.check_again.connect(lambda: self.perform("compliance.check"))
        self.panel.save_asked.connect(lambda: self.perform("report.save"))
        self.panel.package_asked.connect(lambda: self.perform("report.package"))
        self.panel.report.pages_asked.connect(lambda: self.tasks.start("pages", self._show_pages()))
        self.panel.statement.kept.connect(lambda said: self.tasks.start("state", self._state(said)))
        self.panel.log.opened.connect(lambda uuid: self.tasks.start("texts", self._show_texts(uuid)))
        desk.workspace_changed.connect(lambda _workspace: self.panel.statement.forget_draft())
        self.panel.log.ask_wanted.connect(lambda: desk.asked.emit(Target("ask")))

    async def load(self) -> None:
        workspace, call = self.desk.workspace, self.desk.client.call
        self.panel.status.show_checking()
        try:
            seen = await call(lambda engine: engine.reports.overview(workspace))
            calls = await call(lambda engine: engine.evidence.interactions(workspace))
        finally:
            self.panel.status.show_ready()
        panel = self.panel
        facts = fill(self.tr("%1 calls in the log · checks cover %2 to %3"), number(len(calls)), seen.since, seen.until)
        panel.header.set_facts(facts)
        panel.status.show_overview(seen)
        panel.log.show_calls(calls)
        panel.oversight.show_oversight(seen.oversight)
        panel.report.show_period(seen.since, seen.until)
        panel.statement.show_overview(seen)
        panel.stack.show_data()
        self.offers_changed.emit()

    def offers(self) -> frozenset[str]:
        if self.panel.stack.state != "data":
            return frozenset()
        return frozenset({"compliance.check", "report.save", "report.package"})

    def perform(self, action_id: str) -> None:
        if action_id == "compliance.check":
            self.refresh()
        elif action_id in ("report.save", "report.package"):
            self._choose_place(package=action_id == "report.package")

    def _choose_place(self, *, package: bool) -> None:
        title = self.tr("Save the evidence package") if package else self.tr("Save the report")
        dialog = QFileDialog(self.panel.window(), title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("ZIP files (*.zip)") if package else self.tr("PDF files (*.pdf)"))
        dialog.setDefaultSuffix("zip" if package else "pdf")
        dialog.selectFile("evidence.zip" if package else "report.pdf")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda file: self.save_to(Path(file), package=package))
        dialog.open()

    def save_to(self, file: Path, *, package: bool) -> None:
        """Write what the Report tab asks for into this file, which may be replaced: the dialog has asked."""
        self.tasks.start("save", self._save(file, package=package))

    async def _save(self, file: Path, *, package: bool) -> None:
        workspace, order = self.desk.workspace, self.panel.report.order()
        buttons = (self.panel.save, self.panel.package)
        for button in buttons:
            button.setEnabled(False)
        self.desk.notices.toast(self.tr("The report is being laid out"), icon="file-text")
        try:
            made = await self.desk.client.call(
                lambda engine: (
                    engine.reports.save_package(workspace, order, file, overwrite=True)
                    if package
                    else engine.reports.write(workspace, order, file, overwrite=True)
                )
            )
        finally:
            for button in buttons:
                button.setEnabled(True)
        words = fill(self.tr("Saved: %1 pages in %2"), number(made.pages), file.name)
        self.desk.notices.toast(words, icon="file-check-2")

    async def _show_pages(self) -> None:
        workspace, order, tab = self.desk.workspace, self.panel.report.order(), self.panel.report
        tab.show_working()
        try:
            pages, pictures = await self.desk.client.call(
                lambda engine: engine.reports.preview(workspace, order, range(SHOWN_PAGES), SCALE)
            )
        except BaseException:
            tab.show_none()
            raise
        finally:
            tab.show_working_done()
        tab.show_pages(pages, pictures)

    async def _show_texts(self, uuid: str) -> None:
        workspace = self.desk.workspace
        texts = await self.desk.client.call(lambda engine: engine.evidence.texts(workspace, uuid))
        self.panel.log.entry.show_texts(uuid, texts)

    async def _state(self, said: Statement) -> None:
        workspace = self.desk.workspace
        await self.desk.client.call(lambda engine: engine.reports.state(workspace, said))
        self.desk.notices.toast(
            self.tr("The statement was kept"), self.tr("Undo"), lambda: self.desk.requested.emit("undo"), icon="scale"
        )
        self.panel.statement.forget_draft()
        self.refresh()
