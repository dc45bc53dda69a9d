"""Text on the page: labels, labels that end in an ellipsis, reading text. Never rich text."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QResizeEvent, QTextBlockFormat, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QTextEdit

from hivemind_desktop.theme import figures, font, theme
from hivemind_desktop.theme.tokens import Role

from .focus_ring import FocusRing
from .words import one_line, plain_tip

Tone = Literal["", "soft", "faint", "honey", "ok", "warn", "danger", "info"]


def label(text: str, role: Role = "body", tone: Tone = "", *, wrap: bool = False, digits: bool = False) -> QLabel:
    """A text label. digits: all figures equally wide, for running counts and columns."""
    result = QLabel()
    _dress(result, role, tone)
    result.setWordWrap(wrap)
    if digits:
        result.setFont(figures(role))
    result.setText(text)
    return result


def set_tone(target: QLabel, tone: Tone) -> None:
    """Change the ink of a label that may already be on screen."""
    target.setProperty("tone", tone)
    target.style().unpolish(target)
    target.style().polish(target)


def _dress(target: QLabel, role: Role, tone: Tone) -> None:
    target.setTextFormat(Qt.TextFormat.PlainText)  # imported text is hostile: never HTML
    target.setProperty("role", role)
    target.setProperty("tone", tone)
    if role == "mono":
        font("mono")  # loads the face before the sheet asks for its family


class ElidedLabel(QLabel):
    """One line that ends in … when space is short; the tooltip then holds the whole text."""

    def __init__(
        self,
        text: str = "",
        role: Role = "body",
        tone: Tone = "",
        where: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__()
        _dress(self, role, tone)
        self._full = ""
        self._where = where
        self.setMinimumWidth(24)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_full_text(text)

    def full_text(self) -> str:
        return self._full

    def set_full_text(self, text: str) -> None:
        self._full = one_line(text)
        self.setAccessibleName(self._full)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        """Of the whole text, not of what is shown: otherwise a label once cut stays cut."""
        self.ensurePolished()
        width = QFontMetricsF(self.font()).horizontalAdvance(self._full)
        return QSize(int(width) + 3, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        self.ensurePolished()
        shown = QFontMetricsF(self.font()).elidedText(self._full, self._where, self.width())
        self.setText(shown)
        self.setToolTip("" if shown == self._full else plain_tip(self._full))


class Prose(QTextEdit):
    """Reading text with room between the lines, selectable, as tall as its text. Plain text only."""

    LINE_HEIGHT_PERCENT = 138
    PARAGRAPH_GAP = 6

    def __init__(self, text: str = "", tone: Tone = "", *, mono: bool = False) -> None:
        super().__init__()
        self.setProperty("look", "prose")
        self.setProperty("tone", tone)
        if mono:
            font("mono")
            self.setProperty("mono", True)
        self.setAcceptRichText(False)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        FocusRing(self)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self._follow_height)
        theme().changed.connect(self._follow_height)
        self.set_text(text)

    def text(self) -> str:
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        self.setPlainText(text)
        spacing = QTextBlockFormat()
        spacing.setLineHeight(self.LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        spacing.setBottomMargin(0 if self.property("mono") else self.PARAGRAPH_GAP)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spacing)
        self._follow_height()

    def fit_width(self, width: int) -> None:
        """Take the height this text needs at `width` px, before the layout has given it that width."""
        measured = self.document().clone()
        measured.setTextWidth(width)
        self._take_height(measured.size().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow_height()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls, not the text in it

    def _follow_height(self) -> None:
        self._take_height(self.document().size().height())

    def _take_height(self, height: float) -> None:
        self.setFixedHeight(max(24, int(height) + 1))
