"""A conversation of the titles list, painted: tick, title, what is known of it. A press anywhere turns the tick."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from hivemind_desktop.theme import colors, figures, font, paint_icon, px

#: What stands below a title.
FACTS = Qt.ItemDataRole.UserRole + 1
_BOX = 16


class TitleDelegate(QStyledItemDelegate):
    """Ticked comes in, unticked stays out; what cannot be chosen has no box."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, px(46))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        c, area = colors(), QRectF(option.rect).adjusted(12, 1, -12, -1)
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.hover))
            painter.drawRoundedRect(area, 8, 8)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(c.honey_edge), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 8, 8)
        inner = area.adjusted(10, 5, -10, -5)
        if state is not None:
            box = QRectF(inner.left(), inner.center().y() - _BOX / 2, _BOX, _BOX)
            paint_tick(painter, box, Qt.CheckState(state) == Qt.CheckState.Checked)
        words = inner.adjusted(_BOX + 12, 0, 0, 0)
        half = words.height() / 2
        out = state is None or Qt.CheckState(state) != Qt.CheckState.Checked
        title, facts = str(index.data() or ""), str(index.data(FACTS) or "")
        ink = c.text_faint if out else c.text
        _write(painter, QRectF(words.left(), words.top(), words.width(), half), title, font("body"), ink)
        below = QRectF(words.left(), words.top() + half, words.width(), half)
        _write(painter, below, facts, figures("caption"), c.text_faint)
        painter.restore()

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """The whole row is the target, not only the box; Space is Qt's own."""
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        released = event.type() == QEvent.Type.MouseButtonRelease
        if state is None or not released or not isinstance(event, QMouseEvent):
            return False if isinstance(event, QMouseEvent) else super().editorEvent(event, model, option, index)
        ticked = Qt.CheckState(state) == Qt.CheckState.Checked
        other = Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked
        return model.setData(index, other, Qt.ItemDataRole.CheckStateRole)


def paint_tick(painter: QPainter, box: QRectF, on: bool) -> None:
    """A box to tick; on = honey with a tick in it."""
    c = colors()
    painter.setPen(QPen(QColor(c.honey_edge if on else c.edge), 1.25))
    painter.setBrush(QColor(c.honey if on else c.surface))
    painter.drawRoundedRect(box, 4, 4)
    if on:
        paint_icon(painter, "check", c.on_honey, box.adjusted(2, 2, -2, -2), 2.5)


def _write(painter: QPainter, rect: QRectF, text: str, face: QFont, ink: str) -> None:
    painter.setFont(face)
    painter.setPen(QColor(ink))
    shown = QFontMetricsF(face).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
