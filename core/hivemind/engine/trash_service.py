"""The trash of a mind: what is in it and for how long, deleting for good, and what is removed after thirty days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from hivemind.clock import parse_stamp, stamp
from hivemind.domain.frames import Frame, Origin
from hivemind.domain.upkeep import TrashedMemory
from hivemind.engine.context import Context
from hivemind.errors import InvalidValue
from hivemind.events import Area
from hivemind.mind import MindTransaction
from hivemind.storage import Priority

#: So long a memory stays in the trash.
KEPT = timedelta(days=30)
#: Memories per transaction: short enough that a save waits less than a blink.
_SLICE = 100
_EXPIRED = (
    "SELECT id FROM memory_frames WHERE trashed_at IS NOT NULL AND trashed_at < ? AND patch_target_id IS NULL"
    " AND pinned = 0 ORDER BY trashed_at LIMIT ?"
)


class TrashService:
    """Moving there and back is MemoryService's; what is deleted here is gone, and no undo brings it back."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def list_memories(self, workspace: str, limit: int = 500) -> list[TrashedMemory]:
        """Latest first."""
        mind = await self._context.mind(workspace)
        now = self._context.clock()

        def read(tx: MindTransaction) -> list[TrashedMemory]:
            return [_memory(tx, frame, stamp(now)) for frame in tx.frames.list_trashed(limit)]

        return await mind.read(read)

    async def count(self, workspace: str) -> int:
        mind = await self._context.mind(workspace)
        return await mind.read(_count)

    async def delete(self, workspace: str, frame_ids: Sequence[int]) -> int:
        """Delete memories for good, with their edits and vectors; returns how many went.

        Raises InvalidValue when one of them is not in the trash: then nothing was deleted.
        """
        mind = await self._context.mind(workspace)

        def remove(tx: MindTransaction) -> int:
            frames = [tx.frames.find(frame_id) for frame_id in frame_ids]
            if any(frame is not None and frame.trashed_at is None for frame in frames):
                raise InvalidValue("Only what is in the trash can be deleted for good", "Move it to the trash first.")
            ids = [frame.id for frame in frames if frame is not None]
            tx.frames.remove(ids)
            return len(ids)

        gone = await mind.write(remove)
        self._context.changed(workspace, Area.FRAMES, Area.SESSIONS)
        return gone

    async def empty(self, workspace: str) -> int:
        """Delete everything that is in the trash for good, pinned ones too; returns how many memories went."""
        return await self._remove(
            workspace, lambda tx: [frame.id for frame in tx.frames.list_trashed(_SLICE)], Priority.INTERACTIVE
        )

    async def has_expired(self, workspace: str) -> bool:
        """Whether something has been in the trash for longer than KEPT."""
        mind = await self._context.mind(workspace)
        return bool(await mind.read(lambda tx: self._expired(tx, 1)))

    async def remove_expired(self, workspace: str) -> int:
        """Remove what has been in the trash for longer than KEPT; returns how many memories went."""
        return await self._remove(workspace, lambda tx: self._expired(tx, _SLICE), Priority.HOUSEKEEPING)

    async def _remove(self, workspace: str, found: Callable[[MindTransaction], list[int]], priority: Priority) -> int:
        """Remove what is found, a slice in a transaction, until nothing is found any more."""
        mind = await self._context.mind(workspace)
        gone = 0

        def remove(tx: MindTransaction) -> int:
            ids = found(tx)
            tx.frames.remove(ids)
            return len(ids)

        try:
            while removed := await mind.write(remove, priority):
                gone += removed
        finally:
            if gone:
                self._context.changed(workspace, Area.FRAMES, Area.SESSIONS)
        return gone

    def _expired(self, tx: MindTransaction, limit: int) -> list[int]:
        before = stamp(self._context.clock() - KEPT)
        return [int(frame_id) for (frame_id,) in tx.connection.execute(_EXPIRED, (before, limit))]


def _count(tx: MindTransaction) -> int:
    where = "trashed_at IS NOT NULL AND patch_target_id IS NULL"
    return int(tx.connection.execute(f"SELECT count(*) FROM memory_frames WHERE {where}").get)  # noqa: S608


def _memory(tx: MindTransaction, frame: Frame, now: str) -> TrashedMemory:
    session = tx.sessions.find(frame.session_id)
    at = frame.trashed_at or now
    left = parse_stamp(at) + KEPT - parse_stamp(now)
    return TrashedMemory(
        frame_id=frame.id,
        text=tx.frames.current_text(frame.id)[:300],
        session_title="" if session is None else session.title,
        trashed_at=at,
        days_left=max(0, -(-left // timedelta(days=1))),
        pinned=frame.pinned,
        imported=frame.origin is Origin.IMPORT,
    )
