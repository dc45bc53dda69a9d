"""How much the embedder was used: one number per month and provider, instead of a log entry per call."""

from __future__ import annotations

from hivemind.storage import Connection


class UsageStore:
    """Owns `embedding_usage`."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._month = now[:7]

    def add(self, provider: str, texts: int) -> None:
        self._connection.execute(
            "INSERT INTO embedding_usage (year_month, provider, count) VALUES (?, ?, ?)"
            " ON CONFLICT (user_id, year_month, provider) DO UPDATE SET count = count + excluded.count",
            (self._month, provider, texts),
        )

    def of_month(self, provider: str) -> int:
        """Texts embedded in this month."""
        row = self._connection.execute(
            "SELECT sum(count) FROM embedding_usage WHERE year_month = ? AND provider = ?", (self._month, provider)
        ).fetchone()
        return int(row[0] or 0) if row else 0
