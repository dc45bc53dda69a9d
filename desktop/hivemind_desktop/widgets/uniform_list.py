"""A list whose rows are all of one height: a million of them cost as much as ten.

QListView asks its model about every row when it lays out, which takes seconds for a million rows of a Python model.
Here a row's place is its number times the height; nothing is laid out, and only what is in sight is asked for.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyle, QStyleOptionViewItem

from hivemind_desktop.theme import px

from .last_input import LastInput

AnyIndex = QModelIndex | QPersistentModelIndex
_Hint = QAbstractItemView.ScrollHint
_Move = QAbstractItemView.CursorAction


class UniformList(QListView):
    """Give it a model, a delegate and the height of a row at 100 %. Scrolls by pixels; several rows can be selected."""

    def __init__(self, row_height: int) -> None:
        super().__init__()
        self._height_at_100 = row_height
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        LastInput(self)

    @property
    def row_height(self) -> int:
        return px(self._height_at_100)

    def count(self) -> int:
        model = self.model()
        return model.rowCount() if model is not None else 0

    def furthest(self, rows: int | None = None) -> int:
        """The largest value of the scroll bar, for this many rows or those there are."""
        shown = self.count() if rows is None else rows
        return max(0, shown * self.row_height - self.viewport().height())

    # geometry: all of it is arithmetic

    def doItemsLayout(self) -> None:
        self.updateGeometries()
        self.viewport().update()

    def updateGeometries(self) -> None:
        bar = self.verticalScrollBar()
        bar.setSingleStep(max(1, self.row_height // 3))
        bar.setPageStep(max(1, self.viewport().height()))
        bar.setRange(0, self.furthest())

    def verticalOffset(self) -> int:
        return self.verticalScrollBar().value()

    def horizontalOffset(self) -> int:
        return 0

    def visualRect(self, index: AnyIndex) -> QRect:
        if not index.isValid():
            return QRect()
        top = index.row() * self.row_height - self.verticalOffset()
        return QRect(0, top, self.viewport().width(), self.row_height)

    def indexAt(self, place: QPoint) -> QModelIndex:
        row = (place.y() + self.verticalOffset()) // self.row_height
        inside = 0 <= row < self.count() and 0 <= place.x() < self.viewport().width()
        return self.model().index(row, 0) if inside else QModelIndex()

    def isIndexHidden(self, _index: AnyIndex) -> bool:
        return False

    def scrollTo(self, index: AnyIndex, hint: QAbstractItemView.ScrollHint = _Hint.EnsureVisible) -> None:
        if not index.isValid():
            return
        self.updateGeometries()
        top, room = index.row() * self.row_height, self.viewport().height() - self.row_height
        bar = self.verticalScrollBar()
        if hint == _Hint.PositionAtTop:
            bar.setValue(top)
        elif hint == _Hint.PositionAtBottom:
            bar.setValue(top - room)
        elif hint == _Hint.PositionAtCenter:
            bar.setValue(top - room // 2)
        elif top < bar.value() or room < 0:
            bar.setValue(top)
        elif top > bar.value() + room:
            bar.setValue(top - room)

    def rows_in_sight(self) -> range:
        first = self.verticalOffset() // self.row_height
        last = (self.verticalOffset() + self.viewport().height() - 1) // self.row_height
        return range(max(0, first), min(self.count(), last + 1))

    def scrollContentsBy(self, _across: int, _down: int) -> None:
        self.viewport().update()
        bar = self.verticalScrollBar()
        if bar.value() >= bar.maximum() - self.viewport().height() and self.model().canFetchMore(QModelIndex()):
            self.model().fetchMore(QModelIndex())

    # painting and the keyboard

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        selected, current = self.selectionModel(), self.currentIndex()
        under = self.indexAt(self.viewport().mapFromGlobal(self.cursor().pos())) if self.underMouse() else QModelIndex()
        plain = option.state & ~(QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_MouseOver)
        for row in self.rows_in_sight():
            index = self.model().index(row, 0)
            rect = self.visualRect(index)
            if not rect.intersects(event.rect()):
                continue
            state = plain
            if selected.isSelected(index):
                state |= QStyle.StateFlag.State_Selected
            if index == current and self.hasFocus():
                state |= QStyle.StateFlag.State_HasFocus
            if index == under:
                state |= QStyle.StateFlag.State_MouseOver
            option.state, option.rect = state, rect
            self.itemDelegateForIndex(index).paint(painter, option, index)

    def moveCursor(self, action: QAbstractItemView.CursorAction, _modifiers: Qt.KeyboardModifier) -> QModelIndex:
        last = self.count() - 1
        if last < 0:
            return QModelIndex()
        at = self.currentIndex().row()
        page = max(1, self.viewport().height() // self.row_height)
        row = {
            _Move.MoveUp: at - 1,
            _Move.MovePrevious: at - 1,
            _Move.MoveDown: at + 1,
            _Move.MoveNext: at + 1,
            _Move.MovePageUp: at - page,
            _Move.MovePageDown: at + page,
            _Move.MoveHome: 0,
            _Move.MoveEnd: last,
        }.get(action, at)
        return self.model().index(min(last, max(0, row)), 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space takes the current row in or out; everything else is Qt's, except typing to search in it."""
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            toggle = QItemSelectionModel.SelectionFlag.Toggle
            self.selectionModel().select(self.currentIndex(), toggle)
        elif (
            event.text() and event.text().isprintable() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            event.ignore()  # Qt's search by typed letters would read every row of the model
        else:
            super().keyPressEvent(event)

    # selecting: a stretch of rows is one range, however long

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        height, last = self.row_height, self.count() - 1
        if last < 0:
            return
        top = max(0, (min(rect.top(), rect.bottom()) + self.verticalOffset()) // height)
        bottom = min(last, (max(rect.top(), rect.bottom()) + self.verticalOffset()) // height)
        stretch = QItemSelection()
        if top <= bottom:
            stretch.select(self.model().index(top, 0), self.model().index(bottom, 0))
        self.selectionModel().select(stretch, command)

    def selectAll(self) -> None:
        if self.count():
            everything = QItemSelection(self.model().index(0, 0), self.model().index(self.count() - 1, 0))
            self.selectionModel().select(everything, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def visualRegionForSelection(self, _selection: QItemSelection) -> QRegion:
        return QRegion(self.viewport().rect())

    def selected_ranges(self) -> list[range]:
        """The selected rows as stretches, from the top."""
        chosen = self.selectionModel().selection()
        stretches = [chosen.at(number) for number in range(chosen.count())]
        found = [range(each.top(), each.bottom() + 1) for each in stretches]
        return sorted(found, key=lambda each: each.start)
