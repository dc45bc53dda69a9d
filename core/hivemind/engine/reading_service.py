"""What stands beside a memory while it is read: who used it, and what means nearly the same."""

from __future__ import annotations

from dataclasses import dataclass

from hivemind.domain.frames import AccessRecord, ListedFrame
from hivemind.engine.context import Context
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.frame_listing import listed_frames
from hivemind.search.similar import similar_frames


@dataclass(frozen=True, slots=True)
class SimilarFrame:
    """`similarity`: the cosine of the two vectors, 1 for the same meaning."""

    listed: ListedFrame
    similarity: float


@dataclass(frozen=True, slots=True)
class SimilarFrames:
    """`reason`: in words, why there can be none; empty when it was looked for."""

    frames: tuple[SimilarFrame, ...]
    reason: str = ""


class ReadingService:
    """Reads only."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def accesses(self, workspace: str, frame_id: int, limit: int = 50) -> list[AccessRecord]:
        """The newest uses of a frame and of its patches, latest first. Raises FrameNotFound."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: _accesses(tx, frame_id, limit))

    async def similar(self, workspace: str, frame_id: int, limit: int = 5) -> SimilarFrames:
        """The nearest other memories by meaning. Raises FrameNotFound."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: _similar(mind, tx, frame_id, limit))


def _accesses(tx: MindTransaction, frame_id: int, limit: int) -> list[AccessRecord]:
    rows = [row for frame in tx.frames.history(frame_id) for row in tx.accesses.of_frame(frame.id, limit)]
    return [AccessRecord(*row) for row in sorted(rows, key=lambda row: row[0], reverse=True)[:limit]]


def _similar(mind: Mind, tx: MindTransaction, frame_id: int, limit: int) -> SimilarFrames:
    found = similar_frames(mind, tx, frame_id, limit)
    if found is None:
        return SimilarFrames((), "This memory has not been read for its meaning yet.")
    listed = listed_frames(tx.connection, [other for other, _ in found])
    near = dict(found)
    return SimilarFrames(tuple(SimilarFrame(one, near[one.frame.id]) for one in listed))
