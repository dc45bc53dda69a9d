"""Any small table: 36 px rows, hairlines, figures of one width, badge cells. Plain values in, roles out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from hivemind_desktop.theme import colors, figures, font, paint_icon, px, theme

from .last_input import LastInput
from .marks import BadgeTone, badge_size, paint_badge
from .words import one_line

AnyIndex = QModelIndex | QPersistentModelIndex
CELL = Qt.ItemDataRole.UserRole + 1
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Column:
    """width 0 takes what is left. needs: hidden while the table is narrower than this many px."""

    name: str
    width: int = 0
    right: bool = False
    faint: bool = False
    needs: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with a sign. badge: its tint; without one icon and words stand plain, in the token `ink`."""

    text: str
    icon: str = ""
    badge: BadgeTone | Literal[""] = ""
    ink: str = ""


Row = tuple[str | Cell, ...]


class TableModel(QAbstractTableModel):
    """Rows of plain values. Every row has as many cells as there are columns."""

    def __init__(self, columns: Sequence[Column]) -> None:
        super().__init__()
        self.columns = tuple(columns)
        self._rows: tuple[tuple[Cell, ...], ...] = ()

    def set_rows(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self._rows = tuple(tuple(_as_cell(each) for each in row) for row in rows)
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].name
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = self.columns[section].right
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            return int(Qt.AlignmentFlag.AlignVCenter | side)
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell = self._rows[index.row()][index.column()]
        if role == CELL:
            return cell
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return cell.text
        return None


def _as_cell(value: str | Cell) -> Cell:
    cell = value if isinstance(value, Cell) else Cell(value)
    return Cell(one_line(cell.text, 300), cell.icon, cell.badge, cell.ink)


class CellPainter(QStyledItemDelegate):
    """Draws one cell. The outer cells keep the page margin of 24 px."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        if not isinstance(model, TableModel):
            return
        state, area = option.state, option.rect
        c, rect, cell = colors(), QRectF(area), index.data(CELL)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(c.honey_tint))
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), QColor(c.line))
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(QPen(QColor(c.honey_edge), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -2))
        first, last = index.column() == 0, index.column() == len(model.columns) - 1
        inner = rect.adjusted(24 if first else 10, 0, -24 if last else -10, 0)
        if cell.badge:
            size = badge_size(cell.text, cell.icon)
            width = min(float(size.width()), inner.width())
            place = QRectF(inner.left() - 2, rect.center().y() - size.height() / 2, width, size.height())
            paint_badge(painter, place, cell.text, cell.icon, cell.badge)
        else:
            self._paint_words(painter, inner, cell, model.columns[index.column()])
        painter.restore()

    @staticmethod
    def _paint_words(painter: QPainter, inner: QRectF, cell: Cell, column: Column) -> None:
        c = colors()
        ink = c.of(cell.ink) if cell.ink else c.text_soft if column.faint else c.text
        painter.setFont(figures("label", 400) if column.faint else figures("body"))
        metrics = QFontMetricsF(painter.font())
        if cell.icon:
            words = metrics.horizontalAdvance(cell.text)
            left = max(inner.left(), inner.right() - words - 21) if column.right else inner.left()
            paint_icon(painter, cell.icon, ink, QRectF(left, inner.center().y() - 7, 14, 14), 2)
            inner = QRectF(left + 21, inner.top(), inner.right() - left - 21, inner.height())
        side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
        painter.setPen(QColor(ink))
        shown = metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, inner.width() + 1)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | side, shown)


class Table(QTableView):
    """Columns go by priority, they are never squeezed. Rows are chosen whole, one at a time."""

    def __init__(self, name: str, columns: Sequence[Column]) -> None:
        """name: for screen readers."""
        super().__init__()
        self._rows = TableModel(columns)
        self.setModel(self._rows)
        self.setItemDelegate(CellPainter(self))
        self.setAccessibleName(name)
        self.setProperty("look", "wide")
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(False)  # one tab stop, arrows inside
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self._dress_header()
        corner = self.findChild(QAbstractButton)  # Qt gives it no name
        if corner is not None:
            corner.setAccessibleName(self.tr("Select all"))
        LastInput(self)
        self._follow_text_size()
        theme().changed.connect(self._follow_text_size)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows, the first one chosen."""
        self._rows.set_rows(rows)
        if rows:
            self.selectRow(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        for number, column in enumerate(self._rows.columns):
            self.setColumnHidden(number, self.width() < column.needs)
        super().resizeEvent(event)

    def _dress_header(self) -> None:
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setFont(font("caption"))
        for number, column in enumerate(self._rows.columns):
            if column.width:
                self.setColumnWidth(number, column.width)
            else:
                header.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)

    def _follow_text_size(self) -> None:
        self.verticalHeader().setDefaultSectionSize(px(36))
