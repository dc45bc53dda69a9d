"""What the writer of an import asks about documents: the same content elsewhere, blocks that no longer stand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from hivemind.harvest.prepared import PreparedItem, PreparedMessage
from hivemind.harvest.protection import protected
from hivemind.mind import MindTransaction
from hivemind.storage import Connection

#: Why a file of an import brings nothing: another file of the same import says the same.
SAME_TEXT = "the same content as another file of this import"
#: Blocks that a newer version of a document no longer has: kept to be read, out of the text.
EARLIER = 1


class KnownContents:
    """Which session of a source holds which content, by the hash of the last item that went into it."""

    def __init__(self, run_id: int, source: str) -> None:
        self._run_id = run_id
        self._source = source
        self._sessions: dict[bytes, tuple[str, int]] | None = None

    def find(self, connection: Connection, item: PreparedItem) -> tuple[str, bool] | None:
        """(session, whether this run itself brought or confirmed it), for an item that only has a place."""
        if not item.named_by_place:
            return None
        if self._sessions is None:
            self._sessions = self._load(connection)
        found = self._sessions.get(item.hash)
        return None if found is None else (found[0], found[1] == self._run_id)

    def remember(self, item: PreparedItem, session: str) -> None:
        """An item is complete."""
        if self._sessions is not None and item.named_by_place:
            self._sessions[item.hash] = session, self._run_id

    def _load(self, connection: Connection) -> dict[bytes, tuple[str, int]]:
        rows = connection.execute(
            "SELECT i.session, i.hash, i.run_id FROM import_items AS i JOIN sessions AS s ON s.gop_id = i.session"
            " WHERE s.source = ? AND i.hash IS NOT NULL AND i.state IN ('new', 'updated', 'unchanged')"
            " ORDER BY i.run_id, i.ordinal",
            (self._source,),
        )
        last = {str(session): (bytes(digest), int(run_id)) for session, digest, run_id in rows}
        return {digest: (session, run_id) for session, (digest, run_id) in last.items()}


def retire(tx: MindTransaction, run_id: int, session: str) -> bool:
    """Blocks that this run did not meet leave the text; frames that a person made their own stay with them.

    True when there were any.
    """
    rows = tx.connection.execute(
        "SELECT id, position FROM messages WHERE session = ? AND branch <> ?"
        " AND id NOT IN (SELECT message_id FROM import_claims WHERE run_id = ?)",
        (session, EARLIER, run_id),
    )
    gone = [(int(message_id), EARLIER, int(position)) for message_id, position in rows]
    for message_id, _, _ in gone:
        frames = tx.archive.frames_of([message_id])
        stay = protected(tx.connection, frames).keys() | _trashed(tx.connection, frames)
        tx.frames.remove([frame for frame in frames if frame not in stay])
    return move_messages(tx, gone)


def returned(tx: MindTransaction, known: Sequence[tuple[int, PreparedMessage]]) -> list[tuple[int, PreparedMessage]]:
    """Those blocks that had left the text, are in it again, and have no frames any more."""
    ids = json.dumps([message_id for message_id, _ in known])
    rows = tx.connection.execute(
        "SELECT id FROM messages WHERE branch = ? AND id IN (SELECT value FROM json_each(?))"
        " AND NOT EXISTS (SELECT 1 FROM frame_messages AS fm WHERE fm.message_id = messages.id)",
        (EARLIER, ids),
    )
    bare = {int(message_id) for (message_id,) in rows}
    return [(message_id, message) for message_id, message in known if message_id in bare]


def move_messages(tx: MindTransaction, rows: Sequence[tuple[int, int, int]]) -> bool:
    """Messages (id, branch, position), and their frames, whose place changed. True when any did."""
    before = tx.connection.total_changes()
    tx.archive.place(rows)
    if tx.connection.total_changes() == before:
        return False
    tx.connection.executemany(
        "UPDATE memory_frames SET branch = ?2, position = ?3 WHERE (branch, position) IS NOT (?2, ?3)"
        " AND (id IN (SELECT frame_id FROM frame_messages WHERE message_id = ?1)"
        " OR patch_target_id IN (SELECT frame_id FROM frame_messages WHERE message_id = ?1))",
        rows,
    )
    return True


def _trashed(connection: Connection, frames: Iterable[int]) -> set[int]:
    rows = connection.execute(
        "SELECT id FROM memory_frames WHERE trashed_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(frames)),),
    )
    return {int(frame) for (frame,) in rows}
