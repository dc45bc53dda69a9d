"""Memories as a Qt list model: all ids at once, rows when they are looked at; hits of a search are there at once."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from hivemind_desktop.widgets.memory_row import LINE, MemoryLine
from hivemind_desktop.widgets.text_paint import MarkedText

from .lines import MemoryEntry

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
#: Rows read by one call, and rows kept.
PAGE: Final = 24
KEPT: Final = 3_000
#: What a row shows until it is read.
_UNREAD = MemoryLine("…", MarkedText(""), "", "")


class MemoryModel(QAbstractListModel):
    """Rows in the order they were given.

    `rows_wanted` names the ids to read because their rows are in sight; `fill` brings them. What is kept is shown
    until it is read anew, so a list that is loaded again does not flicker. `more_wanted` asks for further hits.
    """

    more_wanted = Signal()
    rows_wanted = Signal(object)  # list[int] of frame ids

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: array[int] = array("q")
        self._kept: OrderedDict[int, MemoryEntry] = OrderedDict()
        self._fresh: set[int] = set()
        self._rows: dict[int, int] | None = None  # of hits; ids of a list fall and are found by halving
        self._falling = True
        self._more = False
        self._pages: set[int] = set()
        self._asked: frozenset[int] = frozenset()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._ask)

    # what the view asks

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (LINE, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        line = self._line(index.row())
        if role == LINE:
            return line
        return line.title if role == Qt.ItemDataRole.DisplayRole else line.spoken()

    def canFetchMore(self, parent: AnyIndex) -> bool:
        return self._more and not parent.isValid()

    def fetchMore(self, parent: AnyIndex) -> None:
        if self.canFetchMore(parent):
            self._more = False  # asked once; the answer says whether there is still more
            self.more_wanted.emit()

    # what the page asks

    def id_at(self, row: int) -> int:
        return self._ids[row]

    def entry(self, row: int) -> MemoryEntry:
        """The row as far as it was read."""
        frame_id = self._ids[row]
        return self._kept.get(frame_id) or MemoryEntry(frame_id, _UNREAD)

    def ids_at(self, ranges: Iterable[range]) -> list[int]:
        return [frame_id for rows in ranges for frame_id in self._ids[rows.start : rows.stop]]

    def find_entry(self, frame_id: int) -> MemoryEntry | None:
        """The row of a memory as far as it was read."""
        return self._kept.get(frame_id)

    def row_of(self, frame_id: int) -> int | None:
        if self._falling:
            row = bisect_left(self._ids, -frame_id, key=lambda each: -each)
            return row if row < len(self._ids) and self._ids[row] == frame_id else None
        if self._rows is None:
            self._rows = {each: row for row, each in enumerate(self._ids)}
        return self._rows.get(frame_id)

    # what the page gives

    def show_hits(self, entries: Sequence[MemoryEntry], more: bool) -> None:
        """Show these rows instead, all of them read. The view keeps its own place by `row_of`."""
        self._replace(array("q", (each.frame_id for each in entries)), falling=False, more=more)
        self._keep(entries, limit=False)

    def append_hits(self, entries: Sequence[MemoryEntry], more: bool) -> None:
        """Further hits; one that is shown already stays where it is."""
        new = [each for each in entries if self.row_of(each.frame_id) is None]
        if new:
            end = len(self._ids)
            self.beginInsertRows(QModelIndex(), end, end + len(new) - 1)
            self._ids.extend(each.frame_id for each in new)
            self._rows = None
            self._keep(new, limit=False)
            self.endInsertRows()
        self._more = more

    def show_ids(self, ids: array[int], *, falling: bool = True) -> None:
        """A list of any length, to be read as it is looked at. `falling`: the ids are sorted, largest first."""
        if ids == self._ids and falling == self._falling:
            self._fresh.clear()
            self._asked = frozenset()
            self._tell(range(len(ids)))
            return
        self._replace(ids, falling=falling, more=False)

    def fill(self, entries: Sequence[MemoryEntry]) -> None:
        """Rows that were wanted. Those that are gone stay as they are until the list is loaded again."""
        self._asked = frozenset()
        self._keep(entries, limit=True)
        rows = [row for each in entries if (row := self.row_of(each.frame_id)) is not None]
        if rows:
            self._tell(range(min(rows), max(rows) + 1))

    def forget_request(self) -> None:
        """Reading failed: the rows may be asked for again."""
        self._asked = frozenset()

    def _replace(self, ids: array[int], *, falling: bool, more: bool) -> None:
        self.beginResetModel()
        self._ids, self._falling, self._more, self._rows = ids, falling, more, None
        self._fresh.clear()
        self._pages.clear()
        self._asked = frozenset()
        self.endResetModel()

    def _keep(self, entries: Sequence[MemoryEntry], *, limit: bool) -> None:
        for each in entries:
            self._kept[each.frame_id] = each
            self._kept.move_to_end(each.frame_id)
            self._fresh.add(each.frame_id)
        while limit and len(self._kept) > KEPT:
            gone, _ = self._kept.popitem(last=False)
            self._fresh.discard(gone)

    def _tell(self, rows: range) -> None:
        if rows:
            self.dataChanged.emit(self.index(rows.start), self.index(rows.stop - 1))

    def _line(self, row: int) -> MemoryLine:
        frame_id = self._ids[row]
        entry = self._kept.get(frame_id)
        if entry is None or frame_id not in self._fresh:
            self._pages.add(row // PAGE)
            if not self._soon.isActive():
                self._soon.start()
        return _UNREAD if entry is None else entry.line

    def _ask(self) -> None:
        """Once per painted frame: everything that was in sight and not read. A newer wish replaces the older one."""
        wanted, self._pages = frozenset(self._pages), set()
        if wanted and not wanted <= self._asked:
            self._asked = wanted
            pages = [self._ids[page * PAGE : (page + 1) * PAGE] for page in sorted(wanted)]
            self.rows_wanted.emit([frame_id for page in pages for frame_id in page])
