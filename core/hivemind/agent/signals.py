"""Improvement signals: what was corrected again and again, counted by a key, told to the model once it counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hivemind.storage import Connection

#: From how many times on a signal is worth acting on.
THRESHOLDS = {"capability_gap": 2, "correction": 3, "workflow_pattern": 3, "skill_promotion": 1}
KEY_LIMIT, DETAIL_LIMIT = 120, 120


@dataclass(frozen=True, slots=True)
class Signal:
    """One row of `improvement_signals`."""

    id: int
    category: str
    key: str
    detail: str
    count: int
    surfaced: bool


class SignalStore:
    """Owns `improvement_signals`."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def note(self, category: str, key: str, detail: str) -> Signal:
        """Count a signal once more. A new sighting may surface again."""
        row: tuple[Any, ...] | None = self._connection.execute(
            "INSERT INTO improvement_signals (category, pattern_key, detail, first_seen, last_seen)"
            " VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT (category, pattern_key) DO UPDATE SET count = count + 1,"
            " detail = excluded.detail, last_seen = excluded.last_seen"
            " RETURNING id, category, pattern_key, detail, count, surfaced",
            (category, key[:KEY_LIMIT], detail[:DETAIL_LIMIT], self._now),
        ).fetchone()
        assert row is not None
        return _signal(row)

    def take_back(self, signal_id: int) -> bool:
        """Uncount one sighting; a signal that was never seen otherwise goes. False: it was not there."""
        self._connection.execute("UPDATE improvement_signals SET count = count - 1 WHERE id = ?", (signal_id,))
        known = bool(self._connection.changes())
        self._connection.execute("DELETE FROM improvement_signals WHERE id = ? AND count < 1", (signal_id,))
        return known

    def find(self, category: str, key: str) -> Signal | None:
        row = self._connection.execute(
            "SELECT id, category, pattern_key, detail, count, surfaced FROM improvement_signals"
            " WHERE category = ? AND pattern_key = ?",
            (category, key[:KEY_LIMIT]),
        ).fetchone()
        return None if row is None else _signal(row)

    def actionable(self, limit: int) -> list[Signal]:
        """Those that were seen often enough, the most frequent first."""
        rows = self._connection.execute(
            "SELECT id, category, pattern_key, detail, count, surfaced FROM improvement_signals"
            " ORDER BY count DESC, last_seen DESC, id"
        )
        ready = [one for one in map(_signal, rows) if one.count >= THRESHOLDS[one.category]]
        return ready[:limit]


def _signal(row: tuple[Any, ...]) -> Signal:
    return Signal(int(row[0]), str(row[1]), str(row[2]), str(row[3]), int(row[4]), bool(row[5]))
