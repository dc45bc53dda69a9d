"""Who the user is and what is going on, as a library's caller sees them."""

from __future__ import annotations

from collections.abc import Sequence

from hivemind.domain.sessions import AwarenessCategory, AwarenessItem, Identity
from hivemind.library.arguments import moment, one_of
from hivemind.library.calls import read, write
from hivemind.mind import Mind


class MindIdentity:
    """The one row about the user."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def get(self) -> Identity | None:
        return read(self._mind, lambda tx: tx.identity.find())

    def set(
        self,
        name: str,
        *,
        role: str = "",
        department: str = "",
        personality: str = "",
        capabilities: str = "",
        system_prompt: str = "",
    ) -> Identity:
        """Write the row whole. Raises InvalidValue without a name."""
        identity = Identity(name, role, department, personality, capabilities, system_prompt)
        return write(self._mind, lambda tx: tx.identity.set(identity))

    def to_context(self) -> str:
        """Lines for a prompt, '' without an identity."""
        return read(self._mind, lambda tx: tx.identity.to_context())


class MindAwareness:
    """What is going on now: at most ten items; what no longer fits becomes an episode."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def add(
        self,
        category: AwarenessCategory | str,
        content: str,
        *,
        priority: int = 0,
        metadata: str = "{}",
        expires_at: str | None = None,
    ) -> AwarenessItem:
        """`category`: task, action, pending or flag. `metadata`: a JSON object. `expires_at`: ISO 8601 with a zone."""
        kind, end = one_of(AwarenessCategory, category, "category"), moment(expires_at)
        return write(
            self._mind,
            lambda tx: tx.awareness.add(kind, content, priority=priority, metadata=metadata, expires_at=end),
        )

    def list_active(self, category: AwarenessCategory | str | None = None) -> list[AwarenessItem]:
        """Active items, highest priority first."""
        kind = None if category is None else one_of(AwarenessCategory, category, "category")
        return read(self._mind, lambda tx: tx.awareness.list_active(kind))

    def clear(self, item_ids: Sequence[int]) -> int:
        return write(self._mind, lambda tx: tx.awareness.clear(item_ids))

    def to_context(self) -> str:
        """The active items under their headings, for a prompt."""
        return read(self._mind, lambda tx: tx.awareness.to_context())
