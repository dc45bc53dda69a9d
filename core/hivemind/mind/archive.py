"""The message archive: what was really said, verbatim and compressed, beside the frames cut from it."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hivemind.domain.sessions import Conversation, Message
from hivemind.domain.text import sanitise
from hivemind.errors import InternalFault
from hivemind.mind.sessions import SessionStore
from hivemind.storage import Connection

BLOCK_MESSAGES = 64
BLOCK_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to be archived. `branch` 0 is the visible thread, `position` its place in reading order."""

    ext_id: str
    parent_ext_id: str | None
    occurrence: int
    speaker_id: int | None
    role: str
    kind: str
    sent_at: str | None
    hidden: bool
    branch: int
    position: int
    text: str
    attachments: tuple[str, ...] = ()


def message_hash(role: str, kind: str, text: str) -> bytes:
    """16 bytes that change when a message does; a re-import compares them."""
    return hashlib.sha256(f"{role}\0{kind}\0{text}".encode()).digest()[:16]


class MessageArchive:
    """Owns `messages`, `archive_blocks` and `frame_messages`."""

    def __init__(self, connection: Connection, sessions: SessionStore) -> None:
        self._connection = connection
        self._sessions = sessions

    def append(self, session_id: str, messages: Sequence[NewMessage]) -> list[int]:
        """Archive messages in order; returns their ids. Each call begins a new block."""
        ids: list[int] = []
        for block in _blocks(messages):
            bodies = [body for _, body in block]
            self._connection.execute(
                "INSERT INTO archive_blocks (session, bytes) VALUES (?, ?)",
                (session_id, zlib.compress(b"".join(bodies), 6)),
            )
            block_id = self._connection.last_insert_rowid()
            offset = 0
            for message, body in block:
                ids.append(self._insert(session_id, message, block_id, offset, len(body)))
                offset += len(body)
        return ids

    def _insert(self, session_id: str, message: NewMessage, block_id: int, offset: int, length: int) -> int:
        text = sanitise(message.text)[0]
        self._connection.execute(
            "INSERT INTO messages (session, ext_id, parent_ext_id, occurrence, speaker, time, hidden, block_id, offset,"
            " length, role, kind, branch, position, hash, attachments)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                session_id, message.ext_id, message.parent_ext_id, message.occurrence, message.speaker_id,
                message.sent_at, int(message.hidden), block_id, offset, length, message.role, message.kind,
                message.branch, message.position, message_hash(message.role, message.kind, text),
                json.dumps(message.attachments, ensure_ascii=False),
            ),
        )  # fmt: skip
        return self._connection.last_insert_rowid()

    def find_ids(self, session_id: str) -> dict[tuple[str, int], tuple[int, bytes]]:
        """Known messages of a session: (ext id, occurrence) → (message id, hash)."""
        rows = self._connection.execute(
            "SELECT ext_id, occurrence, id, hash FROM messages WHERE session = ?", (session_id,)
        )
        return {(str(ext), int(n)): (int(i), bytes(h)) for ext, n, i, h in rows}

    def count(self, session_id: str | None = None) -> int:
        """Messages of one session, or of the whole mind."""
        row = self._connection.execute(
            "SELECT count(*) FROM messages WHERE ?1 IS NULL OR session = ?1", (session_id,)
        ).fetchone()
        return int(row[0]) if row else 0

    def text_of(self, message_id: int) -> str:
        """The verbatim text. Raises InternalFault when there is no such message."""
        row = self._connection.execute(
            "SELECT b.bytes, m.offset, m.length FROM messages AS m JOIN archive_blocks AS b ON b.id = m.block_id"
            " WHERE m.id = ?",
            (message_id,),
        ).fetchone()
        if row is None:
            raise InternalFault(details=f"no archived message {message_id}")
        packed, offset, length = row
        return zlib.decompress(packed)[offset : offset + length].decode()

    def conversation(self, session_id: str) -> Conversation:
        """The session with every message, the visible thread first. Raises SessionNotFound."""
        session = self._sessions.get(session_id)
        blocks: dict[int, bytes] = {}
        links = self._frames_by_message(session_id)
        rows = list(
            self._connection.execute(
                "SELECT m.id, m.ext_id, m.parent_ext_id, m.occurrence, coalesce(s.name, m.role), m.role, m.time,"
                " m.hidden, m.kind, m.branch, m.position, m.block_id, m.offset, m.length FROM messages AS m"
                " LEFT JOIN speakers AS s ON s.id = m.speaker WHERE m.session = ? ORDER BY m.branch, m.position, m.id",
                (session_id,),
            )
        )
        messages = []
        for *head, block_id, offset, length in rows:
            if block_id not in blocks:
                blocks[block_id] = self._block(block_id)
            text = blocks[block_id][offset : offset + length].decode()
            messages.append(_message(head, text, tuple(links.get(int(head[0]), ()))))
        return Conversation(session, tuple(messages))

    def _block(self, block_id: int) -> bytes:
        row = self._connection.execute("SELECT bytes FROM archive_blocks WHERE id = ?", (block_id,)).fetchone()
        assert row is not None
        return zlib.decompress(row[0])

    def _frames_by_message(self, session_id: str) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        rows = self._connection.execute(
            "SELECT fm.message_id, fm.frame_id FROM frame_messages AS fm JOIN messages AS m ON m.id = fm.message_id"
            ' WHERE m.session = ? ORDER BY fm.message_id, fm."start"',
            (session_id,),
        )
        for message_id, frame_id in rows:
            found.setdefault(int(message_id), []).append(int(frame_id))
        return found

    # the n:m between frames and messages

    def link(self, frame_id: int, message_id: int, start: int, end: int) -> None:
        """Say that a frame was cut from characters start..end of a message."""
        self.link_many([(frame_id, message_id, start, end)])

    def link_many(self, rows: Iterable[tuple[int, int, int, int]]) -> None:
        self._connection.executemany(
            'INSERT INTO frame_messages (frame_id, message_id, "start", "end") VALUES (?, ?, ?, ?)', rows
        )

    def message_of(self, frame_id: int) -> int | None:
        """The first message a frame was cut from."""
        row = self._connection.execute(
            "SELECT min(message_id) FROM frame_messages WHERE frame_id = ?", (frame_id,)
        ).fetchone()
        return None if row is None or row[0] is None else int(row[0])

    def frames_of(self, message_ids: Iterable[int]) -> list[int]:
        """Frames cut from any of the messages, each once, ascending."""
        found: set[int] = set()
        for message_id in message_ids:
            rows = self._connection.execute("SELECT frame_id FROM frame_messages WHERE message_id = ?", (message_id,))
            found.update(int(frame_id) for (frame_id,) in rows)
        return sorted(found)

    def update(self, message_id: int, message: NewMessage) -> None:
        """A message that a newer export brought with another text or place: re-archived in a block of its own."""
        row = self._connection.execute("SELECT session FROM messages WHERE id = ?", (message_id,)).fetchone()
        if row is None:
            raise InternalFault(details=f"no archived message {message_id}")
        text = sanitise(message.text)[0]
        body = text.encode()
        self._take_out([message_id])
        self._connection.execute(
            "INSERT INTO archive_blocks (session, bytes) VALUES (?, ?)", (row[0], zlib.compress(body, 6))
        )
        self._connection.execute(
            "UPDATE messages SET parent_ext_id = ?, speaker = ?, time = ?, hidden = ?, block_id = ?, offset = 0,"
            " length = ?, role = ?, kind = ?, branch = ?, position = ?, hash = ?, attachments = ? WHERE id = ?",
            (
                message.parent_ext_id, message.speaker_id, message.sent_at, int(message.hidden),
                self._connection.last_insert_rowid(), len(body), message.role, message.kind, message.branch,
                message.position, message_hash(message.role, message.kind, text),
                json.dumps(message.attachments, ensure_ascii=False), message_id,
            ),
        )  # fmt: skip

    def place(self, rows: Iterable[tuple[int, int, int]]) -> None:
        """Move messages in reading order: (message id, branch, position)."""
        self._connection.executemany(
            "UPDATE messages SET branch = ?2, position = ?3 WHERE id = ?1 AND (branch, position) <> (?2, ?3)", rows
        )

    def remove(self, message_ids: Sequence[int]) -> None:
        """Delete messages; the text leaves its block, which is packed anew. Frames cut from them are the caller's."""
        self._take_out(message_ids)
        self._connection.executemany("DELETE FROM messages WHERE id = ?", [(i,) for i in message_ids])

    def _take_out(self, message_ids: Sequence[int]) -> None:
        """Pack each touched block anew without these messages; empty blocks go. The rows themselves stay."""
        leaving = set(message_ids)
        touched: set[int] = set()
        for message_id in message_ids:
            row = self._connection.execute("SELECT block_id FROM messages WHERE id = ?", (message_id,)).fetchone()
            if row is not None and row[0] is not None:
                touched.add(int(row[0]))
        for block_id in touched:
            self._repack(block_id, leaving)

    def _repack(self, block_id: int, leaving: set[int]) -> None:
        old = self._block(block_id)
        rows = list(
            self._connection.execute(
                "SELECT id, offset, length FROM messages WHERE block_id = ? ORDER BY offset", (block_id,)
            )
        )
        kept = bytearray()
        moves: list[tuple[int | None, int, int, int]] = []
        for message_id, offset, length in rows:
            if message_id in leaving:
                moves.append((None, 0, 0, message_id))
            else:
                moves.append((block_id, len(kept), length, message_id))
                kept += old[offset : offset + length]
        self._connection.executemany("UPDATE messages SET block_id = ?, offset = ?, length = ? WHERE id = ?", moves)
        if all(message_id in leaving for message_id, _, _ in rows):
            self._connection.execute("DELETE FROM archive_blocks WHERE id = ?", (block_id,))
        else:
            self._connection.execute(
                "UPDATE archive_blocks SET bytes = ? WHERE id = ?", (zlib.compress(bytes(kept), 6), block_id)
            )


def _blocks(messages: Sequence[NewMessage]) -> Iterable[list[tuple[NewMessage, bytes]]]:
    block: list[tuple[NewMessage, bytes]] = []
    size = 0
    for message in messages:
        body = sanitise(message.text)[0].encode()
        if block and (len(block) == BLOCK_MESSAGES or size + len(body) > BLOCK_BYTES):
            yield block
            block, size = [], 0
        block.append((message, body))
        size += len(body)
    if block:
        yield block


def _message(head: list[Any], text: str, frames: tuple[int, ...]) -> Message:
    message_id, ext_id, parent, occurrence, speaker, role, time, hidden, kind, branch, position = head
    return Message(
        int(message_id), str(ext_id), parent, int(occurrence), str(speaker), str(role), time, bool(hidden), str(kind),
        int(branch), int(position), text, frames,
    )  # fmt: skip
