"""The frame feed: what changed about which frame, read on by indexes and views of every process."""

from __future__ import annotations

from collections.abc import Iterable

from hivemind.storage import Connection


class FrameFeed:
    """Owns `frame_feed`. Rows are written in the transaction of the change they tell of."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def append(self, op: str, frame_ids: Iterable[int]) -> None:
        """`op`: text, vector, visibility or delete."""
        self._connection.executemany(
            "INSERT INTO frame_feed (frame_id, op) VALUES (?, ?)", [(frame_id, op) for frame_id in frame_ids]
        )

    def last_seq(self) -> int:
        row = self._connection.execute("SELECT coalesce(max(seq), 0) FROM frame_feed").fetchone()
        return int(row[0]) if row else 0

    def since(self, seq: int, limit: int = 10_000) -> list[tuple[int, int, str]]:
        """Rows after `seq` as (seq, frame id, op), oldest first."""
        rows = self._connection.execute(
            "SELECT seq, frame_id, op FROM frame_feed WHERE seq > ? ORDER BY seq LIMIT ?", (seq, limit)
        )
        return [(int(s), int(f), str(op)) for s, f, op in rows]
