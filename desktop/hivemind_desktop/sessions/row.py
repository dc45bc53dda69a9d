"""One line of the session list, painted: a month, or a session with title, source and counts."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from hivemind_desktop.theme import colors, figures, font, paint_icon, px
from hivemind_desktop.widgets.figures import number, sessions

from .model import ROW, AnyIndex, SessionLine
from .months import MonthHead

#: Of months and sessions alike, px at 100 %.
ROW_HEIGHT = 50
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class SessionRowDelegate(QStyledItemDelegate):
    """One height for all, so that a list of any length needs no measuring."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(160, px(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        line = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(line, MonthHead):
            self._paint_month(painter, QRectF(option.rect).adjusted(24, px(20), -18, -px(4)), line)
        elif isinstance(line, SessionLine):
            self._paint_session(painter, QRectF(option.rect).adjusted(12, 1, -6, -1), option.state, line)
        painter.restore()

    @staticmethod
    def _paint_month(painter: QPainter, rect: QRectF, month: MonthHead) -> None:
        """Name, how full it is beside the fullest, count."""
        c, name, words = colors(), font("label", 600), sessions(month.count)
        left = QFontMetricsF(name).horizontalAdvance(month.name) + 14
        right = QFontMetricsF(figures("caption")).horizontalAdvance(words) + 14
        _write(painter, rect, month.name, name, c.text_soft)
        _write(painter, rect, words, figures("caption"), c.text_faint, Qt.AlignmentFlag.AlignRight)
        trough = QRectF(rect.left() + left, rect.center().y() - 1, rect.width() - left - right, 3)
        if trough.width() < 24:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.line))
        painter.drawRoundedRect(trough, 1.5, 1.5)
        painter.setBrush(QColor(c.edge))
        painter.drawRoundedRect(QRectF(trough.left(), trough.top(), trough.width() * month.share, 3), 1.5, 1.5)

    def _paint_session(self, painter: QPainter, area: QRectF, state: QStyle.StateFlag, line: SessionLine) -> None:
        c = colors()
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.honey_tint if selected else c.hover))
            painter.drawRoundedRect(area, 8, 8)
        inner = area.adjusted(12, 5, -12, -5)
        if not line.session_id:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.hover))
            painter.drawRoundedRect(QRectF(inner.left() + px(28), inner.top() + 6, inner.width() * 0.55, 9), 4, 4)
            return
        upper = QRectF(inner.left() + px(28), inner.top(), inner.width() - px(28), px(18))
        lower = QRectF(upper.left(), inner.bottom() - px(17), upper.width(), px(17))
        _write(painter, QRectF(inner.left(), inner.top(), px(24), px(18)), line.day, figures("label"), c.text_faint)
        right = self._paint_memories(painter, upper, line)
        name = QRectF(upper.left(), upper.top(), right - upper.left(), upper.height())
        _write(painter, name, line.title, font("body", 600 if selected else 500), c.text)
        paint_icon(painter, line.icon, c.text_faint, QRectF(lower.left(), lower.center().y() - 6.5, 13, 13), 2)
        _write(painter, lower.adjusted(19, 0, 0, 0), line.facts, figures("caption"), c.text_faint)
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
