"""The list of memories: keeps its place and its selection when rows change."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent

from hivemind_desktop.widgets.memory_row import HEIGHT, MemoryRow
from hivemind_desktop.widgets.uniform_list import UniformList

from .lines import MemoryEntry
from .model import AnyIndex, MemoryModel

#: Single rows of a selection that are looked for again after a reload; a whole list stays whole.
_MOST_KEPT = 2_000


class MemoryList(UniformList):
    """Emits `picked` when a person moves to another row, `opened` on Enter or double click, `selected` with a count."""

    picked = Signal(int)  # frame id
    opened = Signal(int)
    selected = Signal(int)
    menu_asked = Signal(QPoint)

    def __init__(self, model: MemoryModel) -> None:
        super().__init__(HEIGHT)
        self._restoring = False
        self.memories = model
        self.setModel(model)
        self.setItemDelegate(MemoryRow(self))
        self.setAccessibleName(self.tr("Memories"))
        self.setMinimumWidth(250)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda place: self.menu_asked.emit(self.mapToGlobal(place)))
        self.doubleClicked.connect(lambda index: self.opened.emit(model.id_at(index.row())))
        self.selectionModel().selectionChanged.connect(lambda *_: self._count_selected())

    # rows in

    def show_hits(self, entries: Sequence[MemoryEntry], more: bool, *, keep_place: bool = False) -> None:
        """Show these hits. The chosen memory stays chosen when it is among them; nothing else becomes chosen."""
        self._show(lambda: self.memories.show_hits(entries, more), keep_place)

    def show_ids(self, ids: array[int], *, falling: bool, keep_place: bool) -> None:
        """Show a list of any length.

        keep_place: stay at the memory that is first in sight, for when the same list was only loaded again.
        """
        self._show(lambda: self.memories.show_ids(ids, falling=falling), keep_place)

    def merge_hits(self, entries: Sequence[MemoryEntry], more: bool) -> None:
        """A better answer to the same question. The chosen row stays where it is on the screen.

        The list scrolls to make that so. Where it cannot (the row came from further down than its new place allows),
        the row keeps its place in the list until the next question.
        """
        chosen = self.chosen_id()
        if chosen is None:
            self._show(lambda: self.memories.show_hits(entries, more), self.verticalScrollBar().value() > 0)
            return
        row, bar = self.currentIndex().row(), self.verticalScrollBar()
        top, value = self.visualRect(self.currentIndex()).top(), bar.value()
        merged = list(entries)
        at = next((at for at, each in enumerate(merged) if each.frame_id == chosen), None)
        entry = merged.pop(at) if at is not None else self.memories.find_entry(chosen)
        assert entry is not None
        at = len(merged) if at is None else at
        wanted = at * self.row_height - top
        if not 0 <= wanted <= self.furthest(len(merged) + 1):
            at, wanted = min(row, len(merged)), value
        merged.insert(at, entry)
        self._show(lambda: self.memories.show_hits(merged, more), False)
        self.updateGeometries()
        bar.setValue(wanted)

    def _show(self, give: Callable[[], None], keep_place: bool) -> None:
        chosen, whole = self.chosen_id(), self._is_whole()
        kept = [] if whole else self._few_selected()
        first, offset = self._first_in_sight()
        self._restoring = True
        give()
        row = self.memories.row_of(chosen) if chosen is not None else None
        if row is not None:
            self._set_current(self.memories.index(row))
        if whole:
            self.selectAll()
        elif len(kept) > 1:
            self._select(kept)
        self._restoring = False
        self.updateGeometries()
        top = self.memories.row_of(first) if keep_place and first is not None else None
        if top is not None:
            self.verticalScrollBar().setValue(top * self.row_height + offset)
        elif not keep_place:
            self.scrollToTop()
        self._count_selected()

    # choosing and selecting

    def choose(self, frame_id: int) -> bool:
        """Make this memory the chosen one without saying `picked`; False when it is not in the list."""
        row = self.memories.row_of(frame_id)
        if row is None:
            self.clearSelection()
            self._set_current(QModelIndex())
            return False
        self._set_current(self.memories.index(row))
        self.scrollTo(self.memories.index(row))
        return True

    def chosen_id(self) -> int | None:
        index = self.currentIndex()
        return self.memories.id_at(index.row()) if index.isValid() else None

    def count_selected(self) -> int:
        return sum(map(len, self.selected_ranges()))

    def selected_ids(self) -> list[int]:
        """In the order of the list."""
        return self.memories.ids_at(self.selected_ranges())

    def select_one(self) -> None:
        """Back to the chosen row alone."""
        self._set_current(self.currentIndex())
        self._count_selected()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        if not self._restoring and current.isValid():
            self.picked.emit(self.memories.id_at(current.row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            chosen = self.chosen_id()
            if chosen is not None:
                self.opened.emit(chosen)
        elif event.key() == Qt.Key.Key_Escape and self.count_selected() > 1:
            self.select_one()
        elif event.key() in (Qt.Key.Key_J, Qt.Key.Key_K) and plain:
            step = 1 if event.key() == Qt.Key.Key_J else -1
            row = self.currentIndex().row() + step
            if 0 <= row < self.memories.rowCount():
                self.setCurrentIndex(self.memories.index(row))
        else:
            super().keyPressEvent(event)

    def _set_current(self, index: QModelIndex) -> None:
        before, self._restoring = self._restoring, True
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._restoring = before

    def _select(self, ids: Sequence[int]) -> None:
        again = QItemSelection()
        for frame_id in ids:
            row = self.memories.row_of(frame_id)
            if row is not None:
                again.select(self.memories.index(row), self.memories.index(row))
        self.selectionModel().select(again, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _is_whole(self) -> bool:
        return self.count() > 1 and self.count_selected() == self.count()

    def _few_selected(self) -> list[int]:
        return self.selected_ids() if self.count_selected() <= _MOST_KEPT else []

    def _count_selected(self) -> None:
        if not self._restoring:
            self.selected.emit(self.count_selected())

    def _first_in_sight(self) -> tuple[int | None, int]:
        """The memory at the top edge and by how many px it is scrolled out."""
        index = self.indexAt(QPoint(20, 0))
        if not index.isValid():
            return None, 0
        return self.memories.id_at(index.row()), -self.visualRect(index).top()
