"""Buttons in every look, filter chips among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton

from hivemind_desktop.theme import colors, icon, theme

from .words import no_mnemonic, plain_tip

Look = Literal["", "primary", "danger", "quiet", "link", "chip"]

_INK = {"primary": "on_honey", "danger": "danger", "link": "honey_text"}


class Button(QPushButton):
    """A button with a text, an icon, or both.

    An icon alone needs `tip`: it is tooltip and accessible name. `trailing` puts the icon after the words.
    """

    def __init__(
        self,
        text: str,
        look: Look = "",
        icon_name: str = "",
        *,
        on_click: Callable[[], object] | None = None,
        tip: str = "",
        trailing: bool = False,
        checkable: bool = False,
    ) -> None:
        super().__init__(no_mnemonic(text))
        if not text and not tip:
            raise ValueError("a button without words needs a tip: it is its name")
        self._look, self._icon_name, self._trailing = look, icon_name, trailing
        self.setProperty("look", look)
        self.setCheckable(checkable)
        self.setAutoDefault(False)  # Enter in a dialog never presses a neighbour
        self.setToolTip(plain_tip(tip))
        self.setAccessibleName(text or tip)
        if not text:
            self.setProperty("square", True)  # sized by the sheet: its min-height would beat setFixedSize
        if trailing:
            self._mirror()
        if look == "link":
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        if on_click is not None:
            self.clicked.connect(lambda _checked=False: on_click())
        self._retint()
        theme().changed.connect(self._retint)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the focused button, as Space does; Qt leaves that to the desktop's theme."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)

    def words(self) -> str:
        """The text as a person reads it."""
        return self.text().replace("&&", "&")

    def set_words(self, text: str) -> None:
        self.setText(no_mnemonic(text))
        self.setAccessibleName(text)

    def set_icon(self, icon_name: str, tip: str = "") -> None:
        """Change what the button does, such as pause to resume; `tip` renames an icon-only button."""
        self._icon_name = icon_name
        if tip:
            self.setToolTip(plain_tip(tip))
            if not self.text():
                self.setAccessibleName(tip)
        self._retint()

    def _mirror(self) -> None:
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight if rtl else Qt.LayoutDirection.RightToLeft)

    def _retint(self) -> None:
        if not self._icon_name:
            return
        ink = colors().of(_INK.get(self._look, "text_soft"))
        room = 0 if not self.text() else -4 if self._trailing else 4
        self.setIcon(icon(self._icon_name, ink, 16, colors().text_faint, room))
        self.setIconSize(QSize(16 + abs(room), 16))


def chip(text: str, icon_name: str = "", *, on: bool = False, on_click: Callable[[], object] | None = None) -> Button:
    """A filter: tinted while in force. The icon says what a press does (x removes, chevron-down opens)."""
    result = Button(text, "chip", icon_name, on_click=on_click, trailing=True, checkable=True)
    result.setChecked(on)
    return result
