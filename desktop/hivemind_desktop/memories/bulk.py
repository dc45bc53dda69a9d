"""What can be done with several memories at once, in the place of the line over the list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.frames import Importance
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.drop_menu import DropMenu
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.layouts import row
from hivemind_desktop.widgets.words import fill

from .lines import importance_word


class BulkBar(QWidget):
    """Emits `requested` with an action's id, `cleared` when one row is enough again."""

    requested = Signal(str)
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._words = ElidedLabel("", "label")
        self._flag = self._tool("flag", self.tr("Importance"), self._open_menu)
        self._pin = self._tool("pin", self.tr("Pin all (P)"), lambda: self.requested.emit("memory.pin"))
        copy = self.tr("Copy for an AI (Ctrl+Shift+C)")
        self._copy = self._tool("copy", copy, lambda: self.requested.emit("memory.copy_ai"))
        trash = self.tr("Move to trash (Ctrl+Del)")
        self._trash = self._tool("trash-2", trash, lambda: self.requested.emit("memory.trash"))
        restore = self.tr("Restore from trash")
        self._restore = self._tool("history", restore, lambda: self.requested.emit("memory.restore"))
        clear = self._tool("x", self.tr("Select one only (Esc)"), self.cleared.emit)
        tools = (self._flag, self._pin, self._copy, self._trash, self._restore, clear)
        self.setLayout(row((self._words, 1), *tools, gap=2, margins=(24, 3, 14, 1)))
        self.hide()

    def show_count(self, count: int, in_trash: bool) -> None:
        """Stands there from two on."""
        self.setVisible(count > 1)
        self._words.set_full_text(fill(self.tr("%1 selected"), number(count)))
        for each in (self._flag, self._pin, self._copy, self._trash):
            each.setVisible(not in_trash)
        self._restore.setVisible(in_trash)

    def _tool(self, icon: str, tip: str, on_click: Callable[[], object]) -> Button:
        return Button("", "quiet", icon, tip=tip, on_click=on_click)

    def _open_menu(self) -> None:
        menu = DropMenu(self)
        for importance in Importance:
            menu.offer(importance_word(importance), partial(self.requested.emit, f"memory.{importance}"))
        menu.setAccessibleName(self.tr("Importance"))
        menu.open_below(self._flag)
