"""SuppressionStore: digests of what must not come back, need not be masked, or was looked through. Never the words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from hivemind.storage import Connection

#: Passages that a person called no secret. `key_hash` is `masking.secret_hash`.
PLAIN = "review:not-secret"
#: Memories that a person decided to keep as they are, by their uuid.
SETTLED = "review:settled"
#: Instead of a message's name: the title of an item. No export can bring a message of this name.
TITLE = "\0title"


class SuppressionStore:
    """Owns `suppressions`: for imports a source's name and what was erased of it; for reviews the two names above."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def keys(self, source: str) -> frozenset[bytes]:
        rows = self._connection.execute("SELECT key_hash FROM suppressions WHERE source = ?", (source,))
        return frozenset(bytes(key) for (key,) in rows)

    def holds(self, source: str, key_hash: bytes) -> bool:
        query = "SELECT EXISTS (SELECT 1 FROM suppressions WHERE source = ? AND key_hash = ?)"
        return bool(self._connection.execute(query, (source, key_hash)).get)

    def add(self, source: str, key_hash: bytes) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO suppressions (source, key_hash) VALUES (?, ?)", (source, key_hash)
        )

    def remove(self, source: str, key_hashes: Iterable[bytes]) -> None:
        self._connection.executemany(
            "DELETE FROM suppressions WHERE source = ? AND key_hash = ?", [(source, key) for key in key_hashes]
        )

    def not_secrets(self) -> frozenset[bytes]:
        """Digests of passages that are not masked."""
        return self.keys(PLAIN)


def suppression_key(source: str, item_id: str, ext_id: str | None = None, occurrence: int = 0) -> bytes:
    """16 bytes for an item, or for one message of it."""
    whole = repr((source, item_id, ext_id, occurrence if ext_id is not None else None))
    return hashlib.sha256(whole.encode("utf-8", "replace")).digest()[:16]


def settled_key(kind: str, frame_uuid: str) -> bytes:
    """16 bytes for a memory that was looked through as one of a kind."""
    return hashlib.sha256(f"{kind}\0{frame_uuid}".encode()).digest()[:16]
