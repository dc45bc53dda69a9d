"""Use of frames: who opened, cited or received which one. Raises the access count once per query."""

from __future__ import annotations

from collections.abc import Iterable

from hivemind.domain.frames import Access
from hivemind.storage import Connection

_INSERT = (
    "INSERT INTO accesses (frame_id, at, kind, client, query_id) "
    "SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM memory_frames WHERE id = ?1) "
    "ON CONFLICT DO NOTHING"
)
_COUNT = (
    "UPDATE memory_frames SET access_count = access_count + 1, last_accessed = max(last_accessed, ?2) WHERE id = ?1"
)


class AccessStore:
    """Owns `accesses`, and the two columns of a frame that count use."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def record(self, accesses: Iterable[Access]) -> int:
        """Write uses down; returns how many counted. Frames that are gone and repeats within a query do not."""
        counted = 0
        for access in accesses:
            values = (access.frame_id, self._now, access.kind, access.client, access.query_id)
            self._connection.execute(_INSERT, values)
            if self._connection.changes():
                self._connection.execute(_COUNT, (access.frame_id, self._now))
                counted += 1
        return counted

    def of_frame(self, frame_id: int, limit: int = 50) -> list[tuple[str, str, str | None]]:
        """Newest uses of a frame as (at, kind, client)."""
        rows = self._connection.execute(
            "SELECT at, kind, client FROM accesses WHERE frame_id = ? ORDER BY id DESC LIMIT ?", (frame_id, limit)
        )
        return [(str(at), str(kind), client) for at, kind, client in rows]

    def latest_id(self, frame_id: int) -> int:
        """The id of the newest recorded use of a frame, 0 without one."""
        row = self._connection.execute(
            "SELECT coalesce(max(id), 0) FROM accesses WHERE frame_id = ?", (frame_id,)
        ).fetchone()
        return int(row[0]) if row else 0

    def forget(self, frame_id: int, access_id: int, last_accessed: str) -> None:
        """Take one counted use back, and with it the time it set."""
        self._connection.execute("DELETE FROM accesses WHERE id = ? AND frame_id = ?", (access_id, frame_id))
        if self._connection.changes():
            self._connection.execute(
                "UPDATE memory_frames SET access_count = access_count - 1, last_accessed = ? WHERE id = ?",
                (last_accessed, frame_id),
            )
