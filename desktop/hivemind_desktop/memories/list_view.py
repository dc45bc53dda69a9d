"""The list of memories: keeps its place and its selection when rows change."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView

from hivemind_desktop.widgets.memory_row import MemoryRow

from .model import AnyIndex, MemoryEntry, MemoryModel


class MemoryList(QListView):
    """Emits `picked` when a person moves to another row, `opened` on Enter or double click."""

    picked = Signal(int)  # frame id
    opened = Signal(int)
    menu_asked = Signal(QPoint)

    def __init__(self, model: MemoryModel) -> None:
        super().__init__()
        self._restoring = False
        self.memories = model
        self.setModel(model)
        self.setItemDelegate(MemoryRow(self))
        self.setUniformItemSizes(True)  # the list never asks a million rows for their height
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(self.tr("Memories"))
        self.setMinimumWidth(250)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda place: self.menu_asked.emit(self.mapToGlobal(place)))
        self.doubleClicked.connect(lambda index: self.opened.emit(model.entry(index.row()).frame_id))

    def show_entries(self, entries: Sequence[MemoryEntry], more: bool, *, keep_place: bool) -> None:
        """Show these rows. The chosen memory stays chosen when it is among them; nothing else becomes chosen.

        keep_place: stay at the memory that is first in sight, for when the same list was only loaded again.
        """
        chosen = self.chosen_id()
        first, offset = self._first_in_sight()
        self._restoring = True
        self.memories.replace(entries, more)
        row = self.memories.row_of(chosen) if chosen is not None else None
        if row is not None:
            self._choose_row(row)
        self._restoring = False
        top = self.memories.row_of(first) if keep_place and first is not None else None
        if top is not None:
            self.scrollTo(self.memories.index(top), QListView.ScrollHint.PositionAtTop)
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + offset)
        else:
            self.scrollToTop()

    def choose(self, frame_id: int) -> bool:
        """Make this memory the chosen one without saying `picked`; False when it is not in the list."""
        row = self.memories.row_of(frame_id)
        if row is None:
            self.clearSelection()
            self._set_current(QModelIndex())
            return False
        self._choose_row(row)
        self.scrollTo(self.memories.index(row))
        return True

    def chosen_id(self) -> int | None:
        index = self.currentIndex()
        return self.memories.entry(index.row()).frame_id if index.isValid() else None

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if not self._restoring and current.isValid():
            self.picked.emit(self.memories.entry(current.row()).frame_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            chosen = self.chosen_id()
            if chosen is not None:
                self.opened.emit(chosen)
        elif event.key() in (Qt.Key.Key_J, Qt.Key.Key_K):
            step = 1 if event.key() == Qt.Key.Key_J else -1
            row = self.currentIndex().row() + step
            if 0 <= row < self.memories.rowCount():
                self.setCurrentIndex(self.memories.index(row))
        else:
            super().keyPressEvent(event)

    def _choose_row(self, row: int) -> None:
        self._set_current(self.memories.index(row))

    def _set_current(self, index: QModelIndex) -> None:
        before, self._restoring = self._restoring, True
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._restoring = before

    def _first_in_sight(self) -> tuple[int | None, int]:
        """The memory at the top edge and by how many px it is scrolled out."""
        index = self.indexAt(QPoint(20, 0))
        if not index.isValid():
            return None, 0
        return self.memories.entry(index.row()).frame_id, -self.visualRect(index).top()
