"""SessionTimeline: every session by day, newest first, as ids; and the rows of those that are in sight."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from hivemind.domain.sessions import DayCount, SessionFilter, SessionRow, Timeline
from hivemind.mind.merges import PARTS_OF, STANDS_ALONE
from hivemind.mind.sessions import COLUMNS, session_of
from hivemind.storage import Connection

_PARTS = PARTS_OF.format("s.gop_id")
#: Messages and current memories of a session together with what was merged into it.
COUNTS = (
    "(SELECT count(*) FROM messages WHERE session = s.gop_id AND hidden = 0)"  # noqa: S608
    f" + (SELECT count(*) FROM messages WHERE session IN ({_PARTS}) AND hidden = 0),"
    " (SELECT count(*) FROM current_frames AS f WHERE f.gop_id = s.gop_id)"
    f" + (SELECT count(*) FROM current_frames AS f WHERE f.gop_id IN ({_PARTS}))"
)
#: What a person made stand out.
_STANDS_OUT = "(f.pinned OR f.importance IN ('important', 'critical'))"
_IMPORTANT = (
    f"EXISTS (SELECT 1 FROM current_frames AS f WHERE f.gop_id = s.gop_id AND {_STANDS_OUT})"  # noqa: S608
    f" OR EXISTS (SELECT 1 FROM current_frames AS f WHERE f.gop_id IN ({_PARTS}) AND {_STANDS_OUT})"
)


class SessionTimeline:
    """Reads `sessions` and what hangs on them; writes nothing."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(self, wanted: SessionFilter) -> Timeline:
        """Ids and counts by day of all sessions that match. Days are those of this computer's clock."""
        conditions = [STANDS_ALONE.format("s.gop_id")]
        values: list[Any] = []
        if wanted.source is not None:
            conditions.append("coalesce(s.source, '') = ?")
            values.append(wanted.source)
        if wanted.status is not None:
            conditions.append("s.status = ?")
            values.append(str(wanted.status))
        if wanted.important:
            conditions.append(f"({_IMPORTANT})")
        rows = self._connection.execute(
            "SELECT s.id, strftime('%Y-%m-%d', s.started_at, 'localtime'), s.title FROM sessions AS s"  # noqa: S608
            f" WHERE {' AND '.join(conditions)} ORDER BY s.started_at DESC, s.id DESC",
            values,
        )
        # Letters are compared here: SQLite folds only those of ASCII.
        words = wanted.title.casefold().split()
        found = [(int(i), str(day)) for i, day, title in rows if _has(str(title), words)]
        days = tuple(DayCount(day, len(list(group))) for day, group in groupby(found, lambda each: each[1]))
        return Timeline(tuple(i for i, _ in found), days)

    def rows(self, row_ids: Sequence[int]) -> dict[int, SessionRow]:
        """These sessions with their counts, by id and in the order asked for; those that are gone are left out."""
        found: dict[int, SessionRow] = {}
        for row_id in row_ids:
            row = self._connection.execute(
                f"SELECT {COLUMNS}, {COUNTS} FROM sessions AS s WHERE s.id = ?",  # noqa: S608
                (row_id,),
            ).fetchone()
            if row is not None:
                found[row_id] = SessionRow(session_of(row[:-2]), int(row[-2]), int(row[-1]))
        return found

    def row_id(self, session_id: str) -> int | None:
        """The id in a timeline of a session."""
        row = self._connection.execute("SELECT id FROM sessions WHERE gop_id = ?", (session_id,)).fetchone()
        return None if row is None else int(row[0])

    def important_messages(self, session_ids: Sequence[str]) -> frozenset[int]:
        """Messages of these sessions whose memory is pinned, important or critical."""
        found: set[int] = set()
        for session_id in session_ids:
            rows = self._connection.execute(
                "SELECT m.message_id FROM current_frames AS f JOIN frame_messages AS m ON m.frame_id = f.id"  # noqa: S608
                f" WHERE f.gop_id = ? AND {_STANDS_OUT}",
                (session_id,),
            )
            found.update(int(message_id) for (message_id,) in rows)
        return frozenset(found)

    def sources(self) -> list[str]:
        """Where sessions came from, '' for those made here; most first."""
        rows = self._connection.execute(
            "SELECT coalesce(source, ''), count(*) FROM sessions GROUP BY 1 ORDER BY 2 DESC, 1"
        )
        return [str(source) for source, _ in rows]


def _has(title: str, words: Sequence[str]) -> bool:
    if not words:
        return True
    folded = title.casefold()
    return all(word in folded for word in words)
