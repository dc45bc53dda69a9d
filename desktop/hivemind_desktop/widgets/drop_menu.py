"""The menu that drops from a button: filled first, opened below it, gone when it is closed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from .words import no_mnemonic


class DropMenu(QMenu):
    """For one opening. Offer everything before `open_below`: the place of a menu depends on its height."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.aboutToHide.connect(self.deleteLater)

    def offer(self, words: str, choose: Callable[[], object], chosen: bool | None = None) -> QAction:
        """One entry; `words` as they are, `&` is a letter. `chosen`: it is ticked or not; None for no tick at all."""
        action = self.addAction(no_mnemonic(words))
        if chosen is not None:
            action.setCheckable(True)
            action.setChecked(chosen)
        action.triggered.connect(lambda _checked=False: choose())
        return action

    def open_below(self, place: QWidget) -> None:
        self.popup(place.mapToGlobal(place.rect().bottomLeft()))
