"""What the window itself does: choosing files, undo, theme, palette, data folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from hivemind.domain.surveys import ImportOptions
from hivemind_desktop.bridge import TaskSet
from hivemind_desktop.crash_report import FOLDER as CRASHES
from hivemind_desktop.theme import Choice, theme
from hivemind_desktop.widgets.erasing import open_erase
from hivemind_desktop.widgets.page import Desk, Target
from hivemind_desktop.widgets.words import fill

if TYPE_CHECKING:
    from .history import HistorySheet
    from .window import MainWindow

_NEXT_THEME: dict[Choice, Choice] = {"system": "light", "light": "dark", "dark": "system"}


class WindowCommands(QObject):
    """Answers the actions of ACTIONS that belong to no page."""

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window, self._desk = window, desk
        self._tasks = TaskSet(desk.client.loop, desk.notices.failure)

    @property
    def tasks(self) -> TaskSet:
        """What the window does in the background; it ends with the window."""
        return self._tasks

    def perform(self, action_id: str) -> None:
        """Raises KeyError for an action that is not the window's."""
        commands: dict[str, Callable[[], object]] = {
            "files.choose": self._choose_files,
            "files.folder": self._choose_folder,
            "files.sample": lambda: self._tasks.start("sample", self._import_sample()),
            "search": self._window.focus_search,
            "search.all": lambda: self._window.show_target(Target("memories", query="")),
            "palette": self._window.open_palette,
            "undo": lambda: self._tasks.start("undo", self._undo()),
            "history": self.show_history,
            "erase": lambda: open_erase(self._desk, self._tasks, self._window),
            "theme": self._next_theme,
            "reload": self._window.reload,
            "data.open": lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._desk.data_dir))),
            "crashes.open": self._open_crashes,
        }
        commands[action_id]()

    def close(self) -> None:
        self._tasks.close()

    def _choose_files(self) -> None:
        words = self.tr("Chat exports (*.zip *.json *.jsonl);;All files (*)")
        self._open_file_dialog(QFileDialog.FileMode.ExistingFiles, self.tr("Choose an export"), words)

    def _choose_folder(self) -> None:
        self._open_file_dialog(QFileDialog.FileMode.Directory, self.tr("Choose a folder with an export"), "")

    def _open_file_dialog(self, mode: QFileDialog.FileMode, title: str, name_filter: str) -> None:
        dialog = QFileDialog(self._window, title)
        dialog.setFileMode(mode)
        if name_filter:
            dialog.setNameFilter(name_filter)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._import)
        dialog.open()

    def _import(self, files: Sequence[str]) -> None:
        self._window.show_target(Target("import", paths=tuple(Path(file) for file in files)))

    async def _import_sample(self) -> None:
        workspace = self._desk.workspace
        sample = await self._desk.client.value(lambda engine: engine.harvest.sample())
        # It is ours and goes in one click: no need to look inside before.
        everything = ImportOptions()
        run = await self._desk.client.call(lambda engine: engine.harvest.start([sample], workspace, options=everything))
        self._window.show_target(Target("import", query=f"run {run}"))

    async def _undo(self) -> None:
        workspace = self._desk.workspace
        change = await self._desk.client.call(lambda engine: engine.changes.undo(workspace))
        self._desk.notices.toast(fill(self.tr("Undone: %1"), change.label), icon="undo-2")

    def show_history(self) -> HistorySheet:
        """The last changes, with undo up to one of them."""
        from hivemind_desktop.widgets.floating import open_over

        from .history import HistorySheet

        sheet = HistorySheet(self._window)
        sheet.undo_asked.connect(lambda change_id: self._tasks.start("undo", self._undo_until(sheet, change_id)))
        sheet.finished.connect(lambda _result: self._tasks.cancel("history"))
        open_over(sheet)
        self._tasks.start("history", self._fill_history(sheet))
        return sheet

    async def _fill_history(self, sheet: HistorySheet) -> None:
        workspace = self._desk.workspace
        sheet.show_lines(await self._desk.client.call(lambda engine: engine.changes.history(workspace)))

    async def _undo_until(self, sheet: HistorySheet, change_id: int) -> None:
        workspace = self._desk.workspace
        try:
            undone = await self._desk.client.call(lambda engine: engine.changes.undo_until(workspace, change_id))
        finally:
            if isValid(sheet):
                self._tasks.start("history", self._fill_history(sheet))
        words = self.tr("Undone: %1") if len(undone) == 1 else self.tr("Undone: %1 and %2 more")
        self._desk.notices.toast(fill(words, undone[0].label, len(undone) - 1), icon="undo-2")

    def _open_crashes(self) -> None:
        folder = self._desk.data_dir / CRASHES
        if folder.is_dir():
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
        else:
            self._desk.notices.toast(self.tr("There are no reports: nothing went wrong yet."), icon="circle-check")

    def _next_theme(self) -> None:
        choice = _NEXT_THEME[theme().choice]
        theme().choose(choice)
        self._desk.change_settings(theme=choice)
        words = {
            "system": self.tr("Light or dark as the system is"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
        }
        self._desk.notices.toast(words[choice], icon="moon" if theme().is_dark else "sun")
