"""Writing a memory, new or corrected: a text, Save and Cancel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import column, row

#: The longest text one memory may have, characters.
LIMIT = 100_000


class MemoryEditor(QWidget):
    """Ctrl+Enter saves, Esc leaves. Emits `saved` with the text, `left` when the person wants out."""

    saved = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._original = ""
        self._title = label("", "title", wrap=True)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(self.tr("Text of the memory"))
        self.text.setPlaceholderText(self.tr("What should be remembered?"))
        self.text.setTabChangesFocus(True)
        self.text.setAcceptDrops(False)  # a file dropped on it is an import, not a text
        self.text.textChanged.connect(self._follow)
        self._said = label("", "label", "danger", wrap=True)
        self._save = Button(self.tr("Save"), "primary", "check", on_click=self._try_save)
        self._save.setToolTip(self.tr("Save (Ctrl+Enter)"))
        cancel = Button(self.tr("Cancel"), on_click=self.left.emit)
        hint = label(self.tr("Ctrl+Enter saves, Esc leaves"), "caption", "faint")
        foot = row((hint, 1), cancel, self._save, gap=8)
        self.setLayout(column(self._title, (self.text, 1), self._said, foot, gap=8, margins=(20, 16, 20, 16)))

    def begin(self, title: str, text: str) -> None:
        self._original = text
        self._title.setText(title)
        self.text.setPlainText(text)
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)
        self.text.setFocus()
        self._follow()

    @property
    def is_changed(self) -> bool:
        return self.text.toPlainText() != self._original

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._try_save()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _follow(self) -> None:
        too_long = len(self.text.toPlainText()) > LIMIT
        self._said.setText(self.tr("This text is too long for one memory. Split it.") if too_long else "")
        self._said.setVisible(too_long)
        self._save.setEnabled(bool(self.text.toPlainText().strip()) and self.is_changed and not too_long)

    def _try_save(self) -> None:
        if self._save.isEnabled():
            self.saved.emit(self.text.toPlainText())
