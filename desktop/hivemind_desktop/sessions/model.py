"""Sessions as a Qt list model: months as headings, sessions below them; a row is read when it comes into sight."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from hivemind.domain.sessions import SessionKind, SessionRow, SessionStatus, Timeline
from hivemind_desktop.widgets.figures import day_of_month, memories, messages, vendor
from hivemind_desktop.widgets.words import one_line

from .months import MonthHead, months_of

AnyIndex = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole + 1
#: Rows read together.
PAGE = 60
_NOWHERE = QModelIndex()
_ICONS = {SessionKind.DOCUMENT: "file-text", SessionKind.NOTES: "pencil", SessionKind.AGENT: "terminal"}


@dataclass(frozen=True, slots=True)
class SessionLine:
    """What a row shows, ready to read. An empty `session_id`: it has not been read yet."""

    session_id: str
    title: str = ""
    facts: str = ""
    day: str = ""
    icon: str = "message-square"
    memories: int = 0
    archived: bool = False

    def spoken(self) -> str:
        if not self.session_id:
            return QCoreApplication.translate("SessionModel", "being read")
        return ". ".join(filter(None, (self.title, self.day, self.facts, memories(self.memories))))


_UNREAD = SessionLine("")


def line_of(row: SessionRow) -> SessionLine:
    session = row.session
    title = one_line(session.title) or QCoreApplication.translate("SessionModel", "Without a title")
    archived = session.status is SessionStatus.ARCHIVED
    parts = (
        vendor(session.source or "") or QCoreApplication.translate("SessionModel", "Saved here"),
        messages(row.messages) if row.messages else "",
        QCoreApplication.translate("SessionModel", "archived") if archived else "",
    )
    facts = " · ".join(filter(None, parts))
    icon = _ICONS.get(session.kind, "message-square")
    return SessionLine(session.id, title, facts, day_of_month(session.started_at), icon, row.frames, archived)


class SessionModel(QAbstractListModel):
    """Newest first. `page_wanted` asks, once, for the ids of a page that came into sight; `put` answers."""

    page_wanted = Signal(tuple)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: tuple[int, ...] = ()
        self._at: dict[int, int] = {}
        self._lines: dict[int, SessionLine] = {}
        self._asked: set[int] = set()
        self.months: list[MonthHead] = []
        self._heads: list[int] = []

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._ids) + len(self.months)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self.line(index.row()), MonthHead):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.line(index.row())
        if role == ROW:
            return line
        if isinstance(line, MonthHead):
            if role == Qt.ItemDataRole.DisplayRole:
                return line.name
            return line.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return line.title
        return line.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else None

    def line(self, row: int) -> MonthHead | SessionLine:
        """What stands in a row; a session that is not here yet is asked for."""
        month = bisect_right(self._heads, row) - 1
        if self._heads[month] == row:
            return self.months[month]
        place = row - month - 1
        self._want(place // PAGE)
        return self._lines.get(self._ids[place], _UNREAD)

    def month_at(self, row: int) -> MonthHead | None:
        return self.months[bisect_right(self._heads, row) - 1] if 0 <= row < self.rowCount() else None

    def count(self) -> int:
        """Sessions, headings not counted."""
        return len(self._ids)

    def session_at(self, row: int) -> str | None:
        line = self.line(row)
        return line.session_id or None if isinstance(line, SessionLine) else None

    def row_of_place(self, place: int) -> int:
        """The row of a session by its place among sessions."""
        return place + bisect_right([head.first for head in self.months], place)

    def row_of(self, row_id: int | None) -> int | None:
        """The row of a session by its id in the timeline."""
        place = self._at.get(row_id) if row_id is not None else None
        return None if place is None else self.row_of_place(place)

    def show_timeline(self, timeline: Timeline) -> None:
        """Another list. Lines known before stay in sight until they have been read again."""
        same = timeline.ids == self._ids
        if not same:
            self.beginResetModel()
        self._ids, self.months = timeline.ids, months_of(timeline.days)
        self._heads = [head.first + number for number, head in enumerate(self.months)]
        self._asked.clear()
        if not same:
            self._at = {row_id: place for place, row_id in enumerate(self._ids)}
            self._lines = {row_id: line for row_id, line in self._lines.items() if row_id in self._at}
            self.endResetModel()
        elif self._ids:
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    def put(self, rows: Mapping[int, SessionRow]) -> None:
        """The rows of a page that was wanted, by id."""
        places = [self._at[row_id] for row_id in rows if row_id in self._at]
        self._lines.update((row_id, line_of(row)) for row_id, row in rows.items())
        if places:
            first, last = self.row_of_place(min(places)), self.row_of_place(max(places))
            self.dataChanged.emit(self.index(first), self.index(last))

    def _want(self, page: int) -> None:
        if page not in self._asked:
            self._asked.add(page)
            self.page_wanted.emit(self._ids[page * PAGE : (page + 1) * PAGE])
