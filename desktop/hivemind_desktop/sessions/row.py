"""One line of the session list, painted: a month, or a session with title, source and counts."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from hivemind_desktop.theme import colors, figures, font, paint_icon, px
from hivemind_desktop.widgets.figures import number

from .model import ROW, AnyIndex, MonthHead, SessionLine

_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class SessionRowDelegate(QStyledItemDelegate):
    """Two heights: months are lower than sessions."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(160, px(38 if isinstance(index.data(ROW), MonthHead) else 50))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        line = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(line, MonthHead):
            rect = QRectF(option.rect).adjusted(24, 10, -18, 0)
            _write(painter, rect, line.name, font("label", 600), colors().text_soft)
        elif isinstance(line, SessionLine):
            self._paint_session(painter, QRectF(option.rect).adjusted(12, 1, -6, -1), option.state, line)
        painter.restore()

    def _paint_session(self, painter: QPainter, area: QRectF, state: QStyle.StateFlag, line: SessionLine) -> None:
        c = colors()
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.honey_tint if selected else c.hover))
            painter.drawRoundedRect(area, 8, 8)
        inner = area.adjusted(12, 5, -12, -5)
        upper = QRectF(inner.left(), inner.top(), inner.width(), px(18))
        lower = QRectF(inner.left(), inner.bottom() - px(17), inner.width(), px(17))
        right = self._paint_memories(painter, upper, line)
        name = QRectF(upper.left(), upper.top(), right - upper.left(), upper.height())
        _write(painter, name, line.title, font("body", 600 if selected else 500), c.text)
        _write(painter, lower, line.day, figures("caption"), c.text_faint, Qt.AlignmentFlag.AlignRight)
        room = lower.width() - QFontMetricsF(figures("caption")).horizontalAdvance(line.day) - 10
        _write(
            painter,
            QRectF(lower.left(), lower.top(), room, lower.height()),
            line.facts,
            figures("caption"),
            c.text_faint,
        )
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(QPen(QColor(c.honey_edge), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 8, 8)

    @staticmethod
    def _paint_memories(painter: QPainter, rect: QRectF, line: SessionLine) -> float:
        """How many memories it made, at the right end; nothing for none. Returns where it begins."""
        if not line.memories:
            return rect.right()
        words = number(line.memories)
        width = QFontMetricsF(figures("caption")).horizontalAdvance(words)
        ink = colors().honey_text
        _write(painter, rect, words, figures("caption"), ink, Qt.AlignmentFlag.AlignRight)
        paint_icon(painter, "layers", ink, QRectF(rect.right() - width - 17, rect.center().y() - 6.5, 13, 13), 2)
        return rect.right() - width - 26


def _write(
    painter: QPainter,
    rect: QRectF,
    text: str,
    face: QFont,
    ink: str,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    painter.setFont(face)
    painter.setPen(QColor(ink))
    shown = QFontMetricsF(face).elidedText(text, Qt.TextElideMode.ElideRight, rect.width() + 1)
    painter.drawText(rect, _MIDDLE | side, shown)
