"""Sessions as a Qt list model: months as headings, sessions below them, paged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from hivemind.domain.sessions import SessionRow, SessionStatus
from hivemind_desktop.widgets.figures import day, memories, messages, month, vendor
from hivemind_desktop.widgets.words import one_line

AnyIndex = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole + 1
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class MonthHead:
    """A heading in the list; it cannot be chosen."""

    name: str


@dataclass(frozen=True, slots=True)
class SessionLine:
    """What a row shows, ready to read."""

    session_id: str
    title: str
    facts: str
    day: str
    memories: int
    archived: bool

    def spoken(self) -> str:
        return ". ".join(filter(None, (self.title, self.day, self.facts, memories(self.memories))))


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
    return SessionLine(session.id, title, facts, day(session.started_at), row.frames, archived)


class SessionModel(QAbstractListModel):
    """Newest first. `more_wanted` asks for the next page when the view nears the end."""

    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[SessionRow] = []
        self._lines: list[MonthHead | SessionLine] = []
        self._more = False

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._lines[index.row()], MonthHead):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role == ROW:
            return line
        if isinstance(line, MonthHead):
            texts = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
            return line.name if role in texts else None
        if role == Qt.ItemDataRole.DisplayRole:
            return line.title
        return line.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else None

    def canFetchMore(self, parent: AnyIndex) -> bool:
        return self._more and not parent.isValid()

    def fetchMore(self, parent: AnyIndex) -> None:
        if self.canFetchMore(parent):
            self._more = False  # asked once; the answer says whether there is still more
            self.more_wanted.emit()

    def count(self) -> int:
        """Sessions loaded, headings not counted."""
        return len(self._rows)

    def last_id(self) -> str | None:
        return self._rows[-1].session.id if self._rows else None

    def session_at(self, row: int) -> str | None:
        line = self._lines[row]
        return line.session_id if isinstance(line, SessionLine) else None

    def row_of(self, session_id: str) -> int | None:
        rows = (
            at for at, line in enumerate(self._lines) if isinstance(line, SessionLine) and line.session_id == session_id
        )
        return next(rows, None)

    def replace(self, rows: Sequence[SessionRow], more: bool) -> None:
        self.beginResetModel()
        self._rows, self._more = list(rows), more
        self._lines = _with_months(rows, "")
        self.endResetModel()

    def append(self, rows: Sequence[SessionRow], more: bool) -> None:
        last = month(self._rows[-1].session.started_at) if self._rows else ""
        lines = _with_months(rows, last)
        if lines:
            end = len(self._lines)
            self.beginInsertRows(QModelIndex(), end, end + len(lines) - 1)
            self._lines += lines
            self._rows += rows
            self.endInsertRows()
        self._more = more


def _with_months(rows: Sequence[SessionRow], last: str) -> list[MonthHead | SessionLine]:
    lines: list[MonthHead | SessionLine] = []
    for row in rows:
        name = month(row.session.started_at)
        if name != last:
            lines.append(MonthHead(name))
            last = name
        lines.append(line_of(row))
    return lines
