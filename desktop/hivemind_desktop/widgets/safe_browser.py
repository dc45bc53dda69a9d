"""Reading text with headings, lists, tables and code. Loads nothing: no file, no address, only `mind:` places."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextBlockFormat, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from hivemind_desktop.theme import colors, font, px, theme

from .focus_ring import FocusRing

#: Height of a text that scrolls by itself, px at 100 %.
_WINDOW = 520


class SafeBrowser(QTextBrowser):
    """Shows HTML made by `render_markdown`, or plain text. `asked` gives the `mind:` place of a pressed link."""

    asked = Signal(str)
    LINE_HEIGHT_PERCENT = 138
    PARAGRAPH_GAP = 6

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "prose")
        self.setOpenLinks(False)  # nothing is followed by itself
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        FocusRing(self)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        font("mono")  # loads the face before the sheet asks for its family
        self._is_tall = True
        self._pieces: list[str] = []
        self.document().documentLayout().documentSizeChanged.connect(self._follow_height)
        self.anchorClicked.connect(self._press)
        theme().changed.connect(self._dress_again)

    def text(self) -> str:
        return self.toPlainText()

    def show_html(self, html: str, *, tall: bool = True) -> None:
        """`html`: what `render_markdown` gave. `tall`: it is as high as it needs; else it scrolls by itself."""
        self._pieces, self._is_tall = [], tall
        self.document().setDefaultStyleSheet(_sheet())
        self.clear()
        self.add_html(html)

    def add_html(self, html: str) -> None:
        """The next piece, below what is there. Where a person reads or selects stays as it is."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self._pieces:
            cursor.insertBlock(QTextBlockFormat())
        start = cursor.position()
        cursor.insertHtml(html)
        cursor.setPosition(start, QTextCursor.MoveMode.KeepAnchor)
        spacing = QTextBlockFormat()
        spacing.setLineHeight(self.LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(spacing)
        self._pieces.append(html)
        self._follow_height()

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        """Nothing is ever loaded: pictures, sheets and addresses in a text stay what they are, words."""
        return None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_tall and event.text().isprintable() and event.text():
            event.ignore()  # single letters are the window's
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._is_tall:
            event.ignore()  # the page scrolls, not the text in it
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow_height()

    def _press(self, place: QUrl) -> None:
        if place.scheme() == "mind":
            self.asked.emit(place.toString())

    def _dress_again(self) -> None:
        pieces = list(self._pieces)
        for number, html in enumerate(pieces):
            if number:
                self.add_html(html)
            else:
                self.show_html(html, tall=self._is_tall)

    def _follow_height(self) -> None:
        tall = self.document().size().height() if self._is_tall else px(_WINDOW)
        self.setFixedHeight(max(24, int(tall) + 1))


def _sheet() -> str:
    """Of the text inside; colours and faces are those in force now."""
    c = colors()
    mono = ", ".join(f"'{each}'" for each in font("mono").families())
    gap = SafeBrowser.PARAGRAPH_GAP
    return (
        f"body {{ color: {c.text}; }} p {{ margin-top: 0px; margin-bottom: {gap}px; }}"
        f"h3, h4 {{ color: {c.text}; margin-top: {gap + 4}px; margin-bottom: {gap}px; }}"
        "h3, h4, strong, th { font-weight: 600; }"
        f"a {{ color: {c.honey_text}; }} li {{ margin-bottom: 2px; }}"
        f"code, pre {{ font-family: {mono}; font-size: {px(12)}px; background-color: {c.sunken}; }}"
        f"blockquote {{ color: {c.text_soft}; margin-left: 16px; margin-right: 0px; }}"
        f"th, td {{ padding: 4px 8px; border: 1px solid {c.line}; }}"
    )
