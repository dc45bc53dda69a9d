"""Facts about the mind itself: `meta` key and value."""

from __future__ import annotations

from hivemind.errors import InternalFault
from hivemind.storage import Connection


class MetaStore:
    """Owns `meta`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, key: str) -> str | None:
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def get(self, key: str) -> str:
        value = self.find(key)
        if value is None:
            raise InternalFault(details=f"meta has no {key}")
        return value

    def set(self, key: str, value: str) -> None:
        self._connection.execute(
            "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (key, value),
        )

    def remove(self, key: str) -> None:
        """Nothing happens when it is not there."""
        self._connection.execute("DELETE FROM meta WHERE key = ?", (key,))
