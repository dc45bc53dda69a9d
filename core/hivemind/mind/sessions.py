"""SessionStore: one row per GOP, from opening to archive."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from hivemind.domain.sessions import Session, SessionKind, SessionRow, SessionStatus
from hivemind.domain.text import sanitise
from hivemind.errors import InvalidName, SessionNotFound
from hivemind.storage import Connection

COLUMNS = "gop_id, kind, title, status, project_id, source, item_id, agent_id, started_at, ended_at, summary"
MAX_TITLE = 300


class SessionStore:
    """Owns `sessions`."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def create(
        self,
        kind: SessionKind = SessionKind.NOTES,
        title: str = "",
        *,
        source: str | None = None,
        item_id: str | None = None,
        project_id: str | None = None,
        started_at: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Session:
        """Open a session. Its id is `session:{time}:{random}` unless given."""
        new_id = session_id or f"session:{self._now}:{secrets.token_hex(4)}"
        self._connection.execute(
            "INSERT INTO sessions (gop_id, kind, title, project_id, source, item_id, agent_id, started_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (new_id, kind, _title(title), project_id, source, item_id, agent_id, started_at or self._now),
        )
        return self.get(new_id)

    def find(self, session_id: str) -> Session | None:
        row = self._connection.execute(
            f"SELECT {COLUMNS} FROM sessions WHERE gop_id = ?",  # noqa: S608 - fixed columns
            (session_id,),
        ).fetchone()
        return None if row is None else session_of(row)

    def get(self, session_id: str) -> Session:
        """Raises SessionNotFound."""
        session = self.find(session_id)
        if session is None:
            raise SessionNotFound()
        return session

    def find_item(self, source: str, item_id: str) -> Session | None:
        """The session of an imported item."""
        row = self._connection.execute(
            f"SELECT {COLUMNS} FROM sessions WHERE source = ? AND item_id = ?",  # noqa: S608
            (source, item_id),
        ).fetchone()
        return None if row is None else session_of(row)

    def notes_of_day(self, day: str) -> Session:
        """The notes session of a day `YYYY-MM-DD`, made when it is the first note."""
        session_id = f"notes:{day}"
        return self.find(session_id) or self.create(SessionKind.NOTES, f"Notes of {day}", session_id=session_id)

    def list_rows(
        self, limit: int, before: str | None = None, source: str | None = None, *, alone: bool = False
    ) -> list[SessionRow]:
        """Newest start first. `before`: the id of the last row of the page before.

        `alone`: only sessions that stand in lists by themselves, not those merged into another.
        """
        rows = self._connection.execute(
            f"SELECT {COLUMNS}, (SELECT count(*) FROM messages WHERE session = gop_id AND hidden = 0),"  # noqa: S608
            " (SELECT count(*) FROM current_frames AS f WHERE f.gop_id = sessions.gop_id) FROM sessions"
            " WHERE (?1 IS NULL OR (started_at, id) < (SELECT started_at, id FROM sessions WHERE gop_id = ?1))"
            " AND (?2 IS NULL OR source = ?2)"
            " AND (NOT ?4 OR NOT EXISTS (SELECT 1 FROM meta WHERE key = 'merged:' || gop_id))"
            " ORDER BY started_at DESC, id DESC LIMIT ?3",
            (before, source, limit, alone),
        )
        return [SessionRow(session_of(row[:-2]), int(row[-2]), int(row[-1])) for row in rows]

    def count(self) -> int:
        row = self._connection.execute("SELECT count(*) FROM sessions").fetchone()
        return int(row[0]) if row else 0

    def list_by_project(self, project_id: str) -> list[Session]:
        rows = self._connection.execute(
            f"SELECT {COLUMNS} FROM sessions WHERE project_id = ? ORDER BY started_at DESC, id DESC",  # noqa: S608
            (project_id,),
        )
        return [session_of(row) for row in rows]

    def close(self, session_id: str, summary: str | None = None) -> Session:
        return self._set_status(session_id, SessionStatus.CLOSED, summary)

    def archive(self, session_id: str) -> Session:
        return self._set_status(session_id, SessionStatus.ARCHIVED, None)

    def reopen(self, session_id: str) -> Session:
        return self._set_status(session_id, SessionStatus.ACTIVE, None)

    def set_state(self, session_id: str, status: SessionStatus, ended_at: str | None, summary: str | None) -> Session:
        """Exactly these three, for undo."""
        self.get(session_id)
        self._connection.execute(
            "UPDATE sessions SET status = ?, ended_at = ?, summary = ? WHERE gop_id = ?",
            (status, ended_at, summary, session_id),
        )
        return self.get(session_id)

    def rename(self, session_id: str, title: str) -> Session:
        """Raises InvalidName for an empty title."""
        clean = _title(title)
        if not clean:
            raise InvalidName("A session needs a title", "Write at least one word.")
        return self.set_title(session_id, clean)

    def set_title(self, session_id: str, title: str) -> Session:
        """Exactly this title, even none: what an import or an undo puts there."""
        self.get(session_id)
        self._connection.execute("UPDATE sessions SET title = ? WHERE gop_id = ?", (_title(title), session_id))
        return self.get(session_id)

    def set_project(self, session_id: str, project_id: str | None) -> Session:
        self.get(session_id)
        self._connection.execute("UPDATE sessions SET project_id = ? WHERE gop_id = ?", (project_id, session_id))
        return self.get(session_id)

    def set_span(self, session_id: str, started_at: str | None, ended_at: str | None) -> None:
        """When the conversation really began and ended; None leaves a time as it is."""
        self._connection.execute(
            "UPDATE sessions SET started_at = coalesce(?, started_at), ended_at = coalesce(?, ended_at)"
            " WHERE gop_id = ?",
            (started_at, ended_at, session_id),
        )

    def remove_empty(self, session_ids: Sequence[str]) -> list[str]:
        """Delete those of the sessions that hold neither frames nor messages; returns which."""
        removed = []
        for session_id in session_ids:
            self._connection.execute(
                "DELETE FROM sessions WHERE gop_id = ?1"
                " AND NOT EXISTS (SELECT 1 FROM memory_frames WHERE gop_id = ?1)"
                " AND NOT EXISTS (SELECT 1 FROM messages WHERE session = ?1)"
                " AND NOT EXISTS (SELECT 1 FROM episodes WHERE gop_id = ?1)",
                (session_id,),
            )
            if self._connection.changes():
                removed.append(session_id)
                self._connection.execute(
                    "DELETE FROM meta WHERE key = 'merged:' || ?1"
                    " OR (key >= 'merged:' AND key < 'merged;' AND value = ?1)",
                    (session_id,),
                )
        return removed

    def _set_status(self, session_id: str, status: SessionStatus, summary: str | None) -> Session:
        self.get(session_id)
        clean = None if summary is None else sanitise(summary)[0]
        # An imported conversation already has its real end; closing it must not move that to today.
        self._connection.execute(
            "UPDATE sessions SET status = ?1, summary = coalesce(?2, summary),"
            " ended_at = CASE WHEN ?1 = 'active' THEN ended_at ELSE coalesce(ended_at, ?3) END WHERE gop_id = ?4",
            (status, clean, self._now, session_id),
        )
        return self.get(session_id)


def _title(title: str) -> str:
    return " ".join(sanitise(title)[0].split())[:MAX_TITLE]


def session_of(row: tuple[Any, ...]) -> Session:
    """One row of `COLUMNS`."""
    values = list(row)
    values[1] = SessionKind(values[1])
    values[3] = SessionStatus(values[3])
    return Session(*values)
