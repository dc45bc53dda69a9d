"""Work that committed writes still owe (embedding, cognify, mentions): survives crashes and other processes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hivemind.domain.work import OutboxItem
from hivemind.storage import Connection


class OutboxStore:
    """Owns `outbox`."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def owe(self, kind: str, frame_ids: Iterable[int]) -> None:
        self._connection.executemany(
            "INSERT INTO outbox (kind, frame_id, created_at) VALUES (?, ?, ?)",
            [(kind, frame_id, self._now) for frame_id in frame_ids],
        )

    def pending(self, kind: str) -> int:
        row = self._connection.execute("SELECT count(*) FROM outbox WHERE kind = ?", (kind,)).fetchone()
        return int(row[0]) if row else 0

    def take(self, kind: str, limit: int) -> list[OutboxItem]:
        """The oldest items; they stay until `settle`, so a crash in between loses nothing."""
        rows = self._connection.execute(
            "SELECT id, kind, frame_id, created_at FROM outbox WHERE kind = ? ORDER BY id LIMIT ?", (kind, limit)
        )
        return [OutboxItem(int(i), str(k), int(f), str(at)) for i, k, f, at in rows]

    def settle(self, ids: Sequence[int]) -> None:
        self._connection.executemany("DELETE FROM outbox WHERE id = ?", [(i,) for i in ids])

    def settle_frames(self, kind: str, frame_ids: Iterable[int]) -> None:
        """Nothing of this kind is owed of these frames any more."""
        self._connection.executemany(
            "DELETE FROM outbox WHERE frame_id = ? AND kind = ?", [(frame_id, kind) for frame_id in frame_ids]
        )
