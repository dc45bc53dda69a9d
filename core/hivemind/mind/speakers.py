"""Who speaks: one row per name, shared by frames and archived messages."""

from __future__ import annotations

from hivemind.domain.text import sanitise
from hivemind.storage import Connection

#: Names that stand for a role, not for a person.
ROLE_NAMES = frozenset({"user", "assistant", "system", "tool", "human", "ai", "bot", "model"})


class SpeakerStore:
    """Owns `speakers`. Ids are cached for the life of the transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ids: dict[str, int] = {}

    def id_of(self, name: str) -> int:
        """The id of a name, made when new. A role name is of kind 'role', any other of kind 'person'."""
        name = sanitise(name)[0].strip() or "unknown"
        known = self._ids.get(name)
        if known is None:
            row = self._connection.execute("SELECT id FROM speakers WHERE name = ?", (name,)).fetchone()
            known = int(row[0]) if row else self._insert(name)
            self._ids[name] = known
        return known

    def _insert(self, name: str) -> int:
        kind = "role" if name.casefold() in ROLE_NAMES else "person"
        self._connection.execute("INSERT INTO speakers (name, kind) VALUES (?, ?)", (name, kind))
        return self._connection.last_insert_rowid()

    def name_of(self, speaker_id: int) -> str | None:
        row = self._connection.execute("SELECT name FROM speakers WHERE id = ?", (speaker_id,)).fetchone()
        return None if row is None else str(row[0])
