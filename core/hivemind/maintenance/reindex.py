"""Rebuild what is derived from the frames' text: FTS, the CJK table, hashes and flags; count word pieces anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from hivemind.domain.indexed_text import INDEXED_VERSION, content_hash, flags, indexed_text, norm_hash
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.frame_rows import select
from hivemind.storage import Priority
from hivemind.storage.integrity import rebuild_text_index

#: Frames per transaction: short enough that a person's save waits less than a blink.
_BATCH = 500
_INDEXED = "f.frame_type <> 'B' AND coalesce(f.patch_kind, '') <> 'retract'"


@dataclass(frozen=True, slots=True)
class ReindexCounts:
    """`frames`: looked at. `changed`: whose stored derivations were not what the text gives."""

    frames: int
    changed: int


def plan_reindex(tx: MindTransaction) -> ReindexCounts:
    """What a reindex would change, without changing it."""
    looked, changed, after = 0, 0, 0
    while batch := list(select(tx.connection, f"{_INDEXED} AND f.id > ?", (after,), f"ORDER BY f.id LIMIT {_BATCH}")):
        looked += len(batch)
        changed += sum(_stale(tx, frame.id, frame.content) for frame in batch)
        after = batch[-1].id
    return ReindexCounts(looked, changed)


async def reindex(mind: Mind) -> ReindexCounts:
    """Rebuild in short transactions at housekeeping priority; search works meanwhile. Safe to interrupt and repeat."""
    await mind.database.write(rebuild_text_index, Priority.HOUSEKEEPING)
    looked, changed, after = 0, 0, 0
    while True:
        seen, moved, after = await mind.write(partial(_batch, after=after), Priority.HOUSEKEEPING)
        looked, changed = looked + seen, changed + moved
        if not seen:
            await mind.write(_recount, Priority.HOUSEKEEPING)
            return ReindexCounts(looked, changed)


def _batch(tx: MindTransaction, after: int) -> tuple[int, int, int]:
    frames = list(select(tx.connection, f"{_INDEXED} AND f.id > ?", (after,), f"ORDER BY f.id LIMIT {_BATCH}"))
    changed = 0
    for frame in frames:
        changed += _stale(tx, frame.id, frame.content)
        tx.connection.execute("DELETE FROM memory_frames_cjk WHERE rowid = ?", (frame.id,))
        tx.writer.index_unspaced(frame.id, indexed_text(frame.speaker, frame.content, frame.captions))
        tx.connection.execute(
            "UPDATE memory_frames SET content_hash = ?, norm_hash = ?, flags = ?, indexed_version = ? WHERE id = ?",
            (content_hash(frame.content), norm_hash(frame.content), flags(frame.content), INDEXED_VERSION, frame.id),
        )
    return len(frames), changed, frames[-1].id if frames else after


def _recount(tx: MindTransaction) -> None:
    for model in tx.vectors.models.list():
        tx.vectors.recount(model.model_id)


def _stale(tx: MindTransaction, frame_id: int, content: str) -> bool:
    row = tx.connection.execute(
        "SELECT content_hash, norm_hash, flags, indexed_version FROM memory_frames WHERE id = ?", (frame_id,)
    ).fetchone()
    return row != (content_hash(content), norm_hash(content), flags(content), INDEXED_VERSION)
