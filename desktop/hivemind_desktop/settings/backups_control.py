"""What Backups does: keeps the plan, makes and checks, restores after showing what would change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from hivemind.events import Area
from hivemind_desktop.widgets.figures import memories
from hivemind_desktop.widgets.floating import open_over
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.words import fill

from .backups import BackupsSection, RestoreSheet
from .parts import SectionController


class BackupsController(SectionController):
    """A restore goes into the live file; nothing is restored without its preview."""

    areas = frozenset({Area.JOBS, Area.WORKSPACES})

    def __init__(self, view: BackupsSection, desk: Desk) -> None:
        super().__init__(view, desk)
        self.backups = view
        self.sheet: RestoreSheet | None = None
        view.follow(desk.settings)
        desk.settings_changed.connect(view.follow)
        view.changed.connect(lambda name, value: desk.change_settings(**{name: value}))
        view.make_asked.connect(lambda: self.tasks.start("make", self._make()))
        view.check_asked.connect(lambda path: self.tasks.start("check", self._check(path)))
        view.remove_asked.connect(lambda path: self.tasks.start("remove", self._remove(path)))
        view.restore_asked.connect(lambda path: self.tasks.start("preview", self._preview(Path(path))))
        view.file_asked.connect(self._choose_file)

    async def load(self) -> None:
        workspace = self.desk.workspace
        found = await self.desk.client.call(lambda engine: engine.backups.list(workspace))
        trouble = await self.desk.client.value(lambda engine: engine.housekeeping.faults.get(workspace, ""))
        self.backups.show_backups(found, trouble)

    def perform(self, action_id: str) -> None:
        {"backup.now": self.backups.make_asked, "backup.restore": self.backups.file_asked}[action_id].emit()

    async def _make(self) -> None:
        workspace = self.desk.workspace
        self.backups.make.setEnabled(False)
        self.backups.make.set_words(self.tr("Backing up"))
        try:
            made = await self.desk.client.call(lambda engine: engine.backups.make(workspace))
        finally:
            self.backups.make.setEnabled(True)
            self.backups.make.set_words(self.tr("Back up now"))
        await self.load()
        self.desk.notices.toast(fill(self.tr("Backed up and read to the end: %1"), memories(made.frames)))

    async def _check(self, path: str) -> None:
        workspace = self.desk.workspace
        found = await self.desk.client.call(lambda engine: engine.backups.check(workspace, path))
        await self.load()
        if found.problem:
            self.desk.notices.error(self.tr("This backup cannot be used"), found.problem)
        else:
            self.desk.notices.toast(self.tr("This backup is sound"))

    async def _remove(self, path: str) -> None:
        title, text = self.tr("Remove this backup?"), self.tr("The file is deleted for good. The mind is not touched.")
        if await self.desk.notices.confirm(title, text, self.tr("Remove backup"), danger=True):
            workspace = self.desk.workspace
            await self.desk.client.call(lambda engine: engine.backups.remove(workspace, path))
            await self.load()

    def _choose_file(self) -> None:
        dialog = QFileDialog(self.backups.window(), self.tr("Choose a backup"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Backups (*.mind);;All files (*)"))
        dialog.setDirectory(str(self.desk.data_dir / "backups"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._file_chosen)
        dialog.open()

    def _file_chosen(self, files: Sequence[str]) -> None:
        if files:
            self.tasks.start("preview", self._preview(Path(files[0])))

    async def _preview(self, path: Path) -> None:
        workspace = self.desk.workspace
        preview = await self.desk.client.call(lambda engine: engine.safety.preview_restore(workspace, path))
        found = await self.desk.client.call(lambda engine: engine.backups.compare(workspace, path))
        self.sheet = RestoreSheet(preview, found, self.backups)
        self.sheet.agreed.connect(lambda: self.tasks.start("restore", self._restore(workspace, path)))
        self.sheet.finished.connect(self._sheet_gone)
        open_over(self.sheet)
        self.sheet.safe.setFocus(Qt.FocusReason.TabFocusReason)

    def _sheet_gone(self) -> None:
        self.sheet = None

    async def _restore(self, workspace: str, path: Path) -> None:
        self.backups.make.setEnabled(False)
        try:
            done = await self.desk.client.call(lambda engine: engine.safety.restore(workspace, path))
        finally:
            self.backups.make.setEnabled(True)
        await self.load()
        self.desk.notices.toast(
            fill(self.tr("Restored: %1. What was here is kept as a backup."), memories(done.frames))
        )
