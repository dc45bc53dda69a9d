"""Checkpoints: the log's head at one size, signed, each naming the one before."""

from __future__ import annotations

from typing import cast

from hivemind.domain.calls import CallKind
from hivemind.gateway.chain import MIND_UUID, append_entry
from hivemind.gateway.entries import Entry, Fact
from hivemind.gateway.notes import Note, digest, signed
from hivemind.gateway.signing import SigningKey
from hivemind.storage import Connection, schema_hash

#: Entries since the last checkpoint after which a new one is due.
DUE_AFTER = 256

_LAST = "SELECT size, note FROM ai_log_checkpoints ORDER BY size DESC LIMIT 1"
_HEAD = "SELECT seq, row_hash FROM ai_log_chain ORDER BY seq DESC LIMIT 1"
_KEY = (
    "SELECT json_extract(detail_json, '$.key') FROM ai_log_chain WHERE kind = 'key_rotation' ORDER BY seq DESC LIMIT 1"
)


def make_checkpoint(
    connection: Connection, now: str, key: SigningKey | None, *, previous_key: SigningKey | None = None
) -> str | None:
    """Write the note of the log as it is now, in the caller's open transaction; None when nothing was added since.

    A key that the log does not know is named by a `key_rotation` entry first, signed with the key before it when
    that is at hand. Without a key the note is unsigned, and verification says so.
    """
    if key is not None and bound_key(connection) != key.public:
        _rotate(connection, now, key, previous_key)
    size, head = cast("tuple[int, bytes]", connection.execute(_HEAD).get)
    last = connection.execute(_LAST).fetchone()
    if last is not None and cast(int, last[0]) >= size:
        return None
    note = Note(
        mind=str(connection.execute("SELECT value FROM meta WHERE key = ?", (MIND_UUID,)).get),
        size=size,
        head=head,
        schema=bytes.fromhex(schema_hash(connection)),
        time=now,
        previous=None if last is None else digest(str(last[1])),
    )
    text = signed(note, None if key is None else key.sign_note(note))
    connection.execute("INSERT INTO ai_log_checkpoints (size, note) VALUES (?, ?)", (size, text))
    return text


def entries_since_checkpoint(connection: Connection) -> int:
    """Entries that no checkpoint covers yet."""
    query = (
        "SELECT (SELECT coalesce(max(seq), 0) FROM ai_log_chain)"
        " - (SELECT coalesce(max(size), 0) FROM ai_log_checkpoints)"
    )
    return int(connection.execute(query).get)


def bound_key(connection: Connection) -> bytes | None:
    """The public key that the log's latest key_rotation entry names."""
    named = connection.execute(_KEY).get
    return bytes.fromhex(str(named)) if named else None


def rotation_text(mind: str, public: bytes) -> bytes:
    """What the key before signs to name its successor."""
    return f"hivemind/key-rotation/v1\n{mind}\n{public.hex()}\n".encode()


def _rotate(connection: Connection, now: str, key: SigningKey, previous: SigningKey | None) -> None:
    mind = str(connection.execute("SELECT value FROM meta WHERE key = ?", (MIND_UUID,)).get)
    known = previous is not None and bound_key(connection) == previous.public
    by_previous = previous.sign(rotation_text(mind, key.public)).hex() if previous is not None and known else None
    facts: dict[str, Fact] = {"key": key.public.hex(), "by_previous": by_previous}
    append_entry(connection, now, Entry(kind=CallKind.KEY_ROTATION, actor="app", detail=facts))
