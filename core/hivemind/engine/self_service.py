"""Who the user is and what is going on: identity and awareness. Each action can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from hivemind.domain.sessions import AwarenessCategory, AwarenessItem, Identity
from hivemind.domain.work import Change
from hivemind.engine.context import Context
from hivemind.events import Area
from hivemind.mind import MindTransaction
from hivemind.mind.awareness import MAX_ITEMS


class SelfService:
    """Identity (one row) and awareness (at most ten items) of a workspace."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def identity(self, workspace: str) -> Identity | None:
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.identity.find())

    async def set_identity(self, workspace: str, identity: Identity) -> Identity:
        """Raises InvalidValue without a name."""

        def work(tx: MindTransaction) -> tuple[Identity, Change]:
            before = tx.identity.find()
            stored = tx.identity.set(identity)
            step: dict[str, object] = {"to": None if before is None else asdict(before)}
            return stored, Change("Change who you are", (("identity.set", step),))

        return await self._context.act(workspace, work, Area.IDENTITY)

    async def awareness(self, workspace: str) -> list[AwarenessItem]:
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.awareness.list_active())

    async def add_awareness(
        self,
        workspace: str,
        category: AwarenessCategory,
        content: str,
        *,
        priority: int = 0,
        metadata: str = "{}",
        expires_at: str | None = None,
    ) -> AwarenessItem:
        """Add an item; what no longer fits moves to the episodes."""

        def work(tx: MindTransaction) -> tuple[AwarenessItem, Change]:
            before = tx.awareness.list_all()
            episode = tx.awareness.last_episode()
            item = tx.awareness.add(category, content, priority=priority, metadata=metadata, expires_at=expires_at)
            left = {kept.id for kept in tx.awareness.list_all()}
            step: dict[str, object] = {
                "id": item.id,
                "retired": [asdict(old) for old in before if old.id not in left],
                "episodes": tx.awareness.episodes_after(episode),
            }
            return item, Change("Add an item to awareness", (("awareness.remove", step),))

        return await self._context.act(workspace, work, Area.AWARENESS)

    async def clear_awareness(self, workspace: str, item_ids: Sequence[int]) -> int:
        """Remove items; returns how many."""

        def work(tx: MindTransaction) -> tuple[int, Change | None]:
            gone = tx.awareness.get_many(item_ids)
            tx.awareness.clear([item.id for item in gone])
            step: dict[str, object] = {"items": [asdict(item) for item in gone]}
            change = Change("Clear items from awareness", (("awareness.restore", step),)) if gone else None
            return len(gone), change

        return await self._context.act(workspace, work, Area.AWARENESS)

    @property
    def awareness_limit(self) -> int:
        return MAX_ITEMS
