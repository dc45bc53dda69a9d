"""Identity: the one row about the user, and the short text made of it."""

from __future__ import annotations

from hivemind.domain.sessions import Identity
from hivemind.domain.text import sanitise
from hivemind.errors import InvalidValue
from hivemind.storage import Connection

_FIELDS = ("name", "role", "department", "personality", "capabilities", "system_prompt")
_LABELS = ("Name", "Role", "Department", "Personality", "Capabilities")


class IdentityStore:
    """Owns `identity`."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def find(self) -> Identity | None:
        row = self._connection.execute(
            f"SELECT {', '.join(_FIELDS)}, created_at, updated_at FROM identity WHERE id = 1"  # noqa: S608 - fixed names
        ).fetchone()
        return None if row is None else Identity(*(str(value) for value in row))

    def set(self, identity: Identity) -> Identity:
        """Write the row whole. Raises InvalidValue without a name."""
        values = [sanitise(str(getattr(identity, field)))[0].strip() for field in _FIELDS]
        if not values[0]:
            raise InvalidValue("An identity needs a name", "Give a name. The other fields may stay empty.")
        self._connection.execute(
            "INSERT INTO identity (id, name, role, department, personality, capabilities, system_prompt, created_at,"
            " updated_at) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
            " role = excluded.role, department = excluded.department, personality = excluded.personality,"
            " capabilities = excluded.capabilities, system_prompt = excluded.system_prompt,"
            " updated_at = excluded.updated_at",
            (*values, self._now, self._now),
        )
        stored = self.find()
        assert stored is not None
        return stored

    def put_back(self, identity: Identity) -> None:
        """The row exactly as it was, times too."""
        self.set(identity)
        self._connection.execute(
            "UPDATE identity SET created_at = ?, updated_at = ?", (identity.created_at, identity.updated_at)
        )

    def clear(self) -> None:
        self._connection.execute("DELETE FROM identity")

    def to_context(self) -> str:
        """Lines for a prompt, '' without an identity."""
        identity = self.find()
        if identity is None:
            return ""
        values = (identity.name, identity.role, identity.department, identity.personality, identity.capabilities)
        lines = [f"{label}: {value}" for label, value in zip(_LABELS, values, strict=True) if value]
        if identity.system_prompt:
            lines.append(identity.system_prompt)
        return "\n".join(lines)
