"""Erasing from the window: looks, shows, erases when a person has agreed, keeps the receipt where they want it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget
from shiboken6 import isValid

from hivemind.domain.erasure import BackupChoice, ErasureReceipt, ErasureTarget
from hivemind.errors import Cancelled, HiveMindError
from hivemind_desktop.bridge import TaskSet

from .erase_sheet import EraseSheet
from .floating import open_over
from .page import Desk


class Erasing(QObject):
    """Lives as long as its sheet. Closing the sheet before the word is typed leaves everything as it is."""

    def __init__(self, desk: Desk, tasks: TaskSet, parent: QWidget, target: ErasureTarget | None) -> None:
        self.sheet = EraseSheet(parent, asks=target is None)
        super().__init__(self.sheet)
        self._desk, self._tasks = desk, tasks
        self._workspace = desk.workspace
        self._target = target
        self.receipt: ErasureReceipt | None = None
        self.sheet.sought.connect(self._look)
        self.sheet.agreed.connect(lambda reason, choice: self._start(reason, choice))
        self.sheet.save_asked.connect(self._ask_where)
        self.sheet.finished.connect(lambda _result: tasks.cancel("erase look"))
        if target is not None:
            self._look(target)

    def _look(self, target: ErasureTarget) -> None:
        self._target = target
        self._tasks.start("erase look", self._preview(target))

    async def _preview(self, target: ErasureTarget) -> None:
        workspace = self._workspace
        try:
            seen = await self._desk.client.call(lambda engine: engine.erasure.preview(workspace, target))
        except Cancelled:
            raise
        except HiveMindError as fault:
            if isValid(self.sheet):
                self.sheet.stack.show_error(fault.title, fault.hint, details=fault.details)
            return
        if not isValid(self.sheet):
            return
        if seen.nothing:
            self.sheet.show_nothing()
        else:
            self.sheet.show_preview(seen)

    def _start(self, reason: str, choice: str) -> None:
        self.sheet.show_working()
        self._tasks.start("erase", self._erase(reason, BackupChoice(choice)))

    async def _erase(self, reason: str, choice: BackupChoice) -> None:
        workspace, target = self._workspace, self._target
        assert target is not None
        try:
            receipt = await self._desk.client.call(
                lambda engine: engine.erasure.erase(workspace, target, reason, backups=choice)
            )
        except HiveMindError as fault:
            if not isValid(self.sheet):
                raise
            self.sheet.leave.setEnabled(True)
            self.sheet.stack.show_error(fault.title, fault.hint, details=fault.details)
            return
        self.receipt = receipt
        if isValid(self.sheet):
            self.sheet.show_receipt(receipt)
        else:
            self._desk.notices.toast(self.tr("Erased for good"), icon="eraser")

    def _ask_where(self) -> None:
        if self.receipt is None:
            return
        dialog = QFileDialog(self.sheet, self.tr("Save the receipt"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("Receipt (*.json)"))
        dialog.setDefaultSuffix("json")
        dialog.selectFile(f"erasure-{self.receipt.at[:10]}.json")
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # an existing file is refused, with the reason
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda file: self._tasks.start("erase save", self.save(Path(file))))
        dialog.open()

    async def save(self, file: Path) -> None:
        """Write the receipt into a new file."""
        assert self.receipt is not None
        workspace, uuid = self._workspace, self.receipt.uuid
        await self._desk.client.call(lambda engine: engine.erasure.save_receipt(workspace, uuid, file))
        self._desk.notices.toast(self.tr("Receipt saved"))


def open_erase(desk: Desk, tasks: TaskSet, parent: QWidget, target: ErasureTarget | None = None) -> Erasing:
    """Open the sheet over the window. Without a target it asks for words or a name first."""
    made = Erasing(desk, tasks, parent.window(), target)
    open_over(made.sheet)
    return made
