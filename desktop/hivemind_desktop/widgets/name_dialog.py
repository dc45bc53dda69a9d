"""A dialog that asks for one name. Esc and Cancel leave everything as it is."""

from __future__ import annotations

import asyncio

from PySide6.QtWidgets import QLineEdit, QWidget

from .buttons import Button
from .dialogs import NoticeDialog
from .floating import open_over
from .labels import label
from .layouts import column

#: Longest name, characters.
LONGEST = 80


class NameDialog(NoticeDialog):
    """`name` is what was typed when the person agreed, '' for every other way to close."""

    def __init__(self, title: str, caption: str, agree: str, value: str, parent: QWidget) -> None:
        self.line = QLineEdit(value[:LONGEST])
        self.line.setMaxLength(LONGEST)
        self.line.setAccessibleName(caption)
        self.line.selectAll()
        super().__init__(
            title, "pencil", "text_soft", column(label(caption, "label", "soft"), self.line, gap=6), parent
        )
        self.name = ""
        self._agree = Button(agree, "primary", on_click=self._take)
        self.add_button(Button(self.tr("Cancel"), on_click=self.reject))
        self.add_button(self._agree)
        self._focus = self.line
        self.line.returnPressed.connect(self._take)
        self.line.textChanged.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self._agree.setEnabled(bool(self.line.text().strip()))

    def _take(self) -> None:
        if self._agree.isEnabled():
            self.name = self.line.text().strip()
            self.accept()


async def ask_name(parent: QWidget, title: str, caption: str, agree: str, value: str = "") -> str:
    """The name a person gives, '' when they do not."""
    answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    dialog = NameDialog(title, caption, agree, value, parent)

    def settle() -> None:
        if not answered.done():
            answered.set_result(dialog.name)

    dialog.finished.connect(settle)
    open_over(dialog)
    try:
        return await answered
    except asyncio.CancelledError:
        dialog.reject()
        raise
