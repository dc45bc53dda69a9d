"""One memory in a list: title, two lines of text with hits, where it comes from. Painted, never widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from hivemind_desktop.theme import colors, figures, font, paint_icon, px

from .marks import BadgeTone, badge_size, paint_badge
from .text_paint import Inks, MarkedText, TextLayouts
from .words import one_line

AnyIndex = QModelIndex | QPersistentModelIndex
#: A list model returns a MemoryLine for this role.
LINE = Qt.ItemDataRole.UserRole + 1
HEIGHT = 94

_SIGN = {"critical": ("star", "honey_text"), "important": ("flag", "text_soft")}


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """What a row shows, all of it ready to read.

    place: source and conversation, such as `ChatGPT · Postgres migration plan`. when: a short date.
    importance: its word in the UI's language is `importance_word`. note: such as `Contradicts`.
    """

    title: str
    snippet: MarkedText
    place: str
    when: str
    importance: Literal["normal", "important", "critical", "temporary", "deprecated"] = "normal"
    importance_word: str = ""
    note: str = ""
    note_icon: str = "triangle-alert"
    note_tone: BadgeTone = "warn"

    def spoken(self) -> str:
        """The row in one sentence, for AccessibleTextRole."""
        parts = (self.title, self.place, self.when, self.importance_word, self.note)
        return ". ".join(one_line(part, 200) for part in parts if part)


class MemoryRow(QStyledItemDelegate):
    """Paints one row; rows are all of one height."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._layouts = TextLayouts()

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(120, px(HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        shown = index.data(LINE)
        if not isinstance(shown, MemoryLine):
            return
        state, rect = option.state, option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(rect)
        area = QRectF(rect).adjusted(12, 1, -6, -1)
        self._paint_ground(painter, area, state)
        inner = area.adjusted(12, 9, -12, -8)
        c = colors()
        self._paint_head(painter, QRectF(inner.left(), inner.top(), inner.width(), px(18)), shown)
        words = QRectF(inner.left(), inner.top() + px(21), inner.width(), px(36))
        inks = Inks(c.text_soft, c.text, c.hit)
        self._layouts.paint(painter, words, shown.snippet, font("label", 400), 2, inks)
        self._paint_foot(painter, QRectF(inner.left(), inner.bottom() - px(17), inner.width(), px(18)), shown)
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(QPen(QColor(c.honey_edge), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 8, 8)
        painter.restore()

    @staticmethod
    def _paint_ground(painter: QPainter, area: QRectF, state: QStyle.StateFlag) -> None:
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors().honey_tint if selected else colors().hover))
            painter.drawRoundedRect(area, 8, 8)

    @staticmethod
    def _paint_head(painter: QPainter, rect: QRectF, shown: MemoryLine) -> None:
        c = colors()
        painter.setFont(figures("caption"))
        painter.setPen(QColor(c.text_faint))
        _text(painter, rect, shown.when, Qt.AlignmentFlag.AlignRight)
        room = rect.width() - QFontMetricsF(painter.font()).horizontalAdvance(shown.when) - 12
        left = rect.left()
        if shown.importance in _SIGN:
            name, ink = _SIGN[shown.importance]
            paint_icon(painter, name, c.of(ink), QRectF(left, rect.center().y() - 6.5, 13, 13), 2)
            left, room = left + 18, room - 18
        painter.setFont(font("strong"))
        painter.setPen(QColor(c.text))
        _text(painter, QRectF(left, rect.top(), room, rect.height()), one_line(shown.title))

    @staticmethod
    def _paint_foot(painter: QPainter, rect: QRectF, shown: MemoryLine) -> None:
        right = rect.right()
        if shown.note:
            size = badge_size(shown.note, shown.note_icon)
            place = QRect(int(right) - size.width(), int(rect.top()) - 1, size.width(), size.height())
            paint_badge(painter, QRectF(place), shown.note, shown.note_icon, shown.note_tone)
            right -= size.width() + 8
        painter.setFont(figures("caption"))
        painter.setPen(QColor(colors().text_faint))
        _text(painter, QRectF(rect.left(), rect.top(), right - rect.left(), rect.height()), one_line(shown.place))


def _text(painter: QPainter, rect: QRectF, text: str, side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft) -> None:
    metrics = QFontMetricsF(painter.font())
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width() + 1)
    painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | side, shown)
