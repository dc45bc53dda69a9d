"""Full verification of a mind: the file, the indexes, the frame model, the archive and the interaction log."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from hivemind.gateway import verify_log
from hivemind.mind import MindTransaction
from hivemind.mind.archive import message_hash
from hivemind.storage.integrity import check

#: Each query lists what must not exist: a frame model rule, and the words for a broken one.
_RULES = (
    (
        "SELECT gop_id FROM memory_frames GROUP BY gop_id HAVING sum(frame_type = 'I') = 0",
        "A session has memories but no first one: {}",
    ),
    (
        "SELECT f.id FROM memory_frames AS f LEFT JOIN memory_frames AS b ON b.id = f.base_frame_id"
        " WHERE f.frame_type <> 'I' AND (b.id IS NULL OR b.frame_type <> 'I' OR b.gop_id <> f.gop_id)",
        "A memory does not stand on the first one of its session: {}",
    ),
    (
        "SELECT l.id FROM memory_frames AS l WHERE l.frame_type = 'B' AND l.importance <> 'deprecated'"
        " AND (SELECT count(*) FROM frame_refs AS r JOIN memory_frames AS f ON f.id = r.ref_frame_id"
        " WHERE r.frame_id = l.id AND f.trashed_at IS NULL AND f.importance <> 'deprecated') < 2",
        "A link has fewer than two living ends: {}",
    ),
    (
        "SELECT p.id FROM memory_frames AS p JOIN memory_frames AS t ON t.id = p.patch_target_id"
        " WHERE p.gop_id <> t.gop_id OR t.frame_type = 'B' OR t.patch_kind IN ('amend', 'retract')",
        "A patch aims at the wrong memory: {}",
    ),
    (
        "SELECT rowid FROM memory_frames_cjk WHERE rowid NOT IN (SELECT id FROM memory_frames)",
        "The index for unspaced scripts holds a memory that is gone: {}",
    ),
)


def verify(tx: MindTransaction) -> list[str]:
    """Everything that does not add up, in words; an empty list is a sound mind. Reads the whole file."""
    found = list(check(tx.connection))
    if found:
        # On a damaged file the finer checks would only repeat the damage in other words.
        return found
    for query, words in _RULES:
        found += [words.format(value) for (value,) in tx.connection.execute(query)]
    found += [
        f"The word pieces of the model “{model.name}” are miscounted. Rebuild the indexes."
        for model in tx.vectors.models.list()
        if model.state != "retired" and tx.vectors.miscounted(model.model_id)
    ]
    found += _archive_findings(tx)
    found += [str(finding) for finding in verify_log(tx.connection).findings]
    return found


def _archive_findings(tx: MindTransaction) -> Iterator[str]:
    """Each archived message must be readable in its block and equal to its hash."""
    blocks = tx.connection.execute("SELECT id, bytes FROM archive_blocks ORDER BY id")
    for block_id, packed in blocks:
        try:
            body = zlib.decompress(packed)
        except zlib.error:
            yield f"An archive block cannot be unpacked: {block_id}"
            continue
        messages = tx.connection.execute(
            "SELECT id, offset, length, role, kind, hash FROM messages WHERE block_id = ?", (block_id,)
        )
        for message_id, offset, length, role, kind, digest in messages:
            text = body[offset : offset + length].decode(errors="replace")
            if message_hash(role, kind, text) != digest:
                yield f"An archived message is not what was stored: {message_id}"
