"""Frames to look through: held back or masked ones, and the words of the archive behind their marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from hivemind.domain.frames import Frame
from hivemind.domain.masking import MARK, find_secrets, labels_in, secret_hash
from hivemind.domain.review import RevealedSecret, ReviewKind
from hivemind.mind.frame_rows import select
from hivemind.mind.suppressions import PLAIN, SETTLED, settled_key
from hivemind.mind.transaction import MindTransaction

_STANDING = "f.trashed_at IS NULL AND f.superseded_by IS NULL"
_HELD = f"f.quarantine IS NOT NULL AND {_STANDING}"
_MARKED = f"instr(f.content, '⟨masked: ') AND {_STANDING}"
#: The word index finds the few memories with the word; only those are looked into.
_INDEXED = "f.id IN (SELECT rowid FROM memory_frames_fts WHERE memory_frames_fts MATCH '\"masked\"')"
_PAGE = 200


class Scope(NamedTuple):
    """A condition on `f` that narrows the list, with its values."""

    condition: str
    values: tuple[Any, ...]


def list_frames(tx: MindTransaction, kind: ReviewKind, after: int, scope: Scope | None) -> Iterator[Frame]:
    """Frames of a kind with an id above `after`, ascending, read in pages."""
    where = _HELD if kind is ReviewKind.QUARANTINED else _MARKED
    if scope is not None:
        where = f"{where} AND {scope.condition}"
    elif kind is ReviewKind.MASKED:
        where = f"{_INDEXED} AND {where}"
    values = scope.values if scope is not None else ()
    while True:
        page = list(select(tx.connection, f"f.id > ? AND {where}", (after, *values), f"ORDER BY f.id LIMIT {_PAGE}"))
        yield from page
        if len(page) < _PAGE:
            return
        after = page[-1].id


def settled(tx: MindTransaction) -> frozenset[bytes]:
    """Keys of what was looked through."""
    return tx.suppressions.keys(SETTLED)


def settle(tx: MindTransaction, frame: Frame, kind: ReviewKind) -> bytes | None:
    """Write down that a frame stays as it is; its key, or None when that was known."""
    key = settled_key(kind, frame.uuid)
    if tx.suppressions.holds(SETTLED, key):
        return None
    tx.suppressions.add(SETTLED, key)
    return key


def hidden_words(tx: MindTransaction, frame: Frame) -> list[RevealedSecret] | None:
    """What the marks of a frame stand for, in order; None when the archive cannot tell for sure."""
    labels = labels_in(frame.content)
    row = tx.connection.execute(
        'SELECT message_id, "start", "end" FROM frame_messages WHERE frame_id = ? ORDER BY message_id LIMIT 1',
        (frame.id,),
    ).fetchone()
    if row is None or not labels:
        return None
    text = tx.archive.text_of(int(row[0]))
    found = [
        (one, text[one.start : one.end])
        for one in find_secrets(text)
        if one.start < row[2] and one.end > row[1] and text[one.start : one.end] not in frame.content
    ]
    if tuple(one.label for one, _ in found) != labels:
        return None
    return [RevealedSecret(number, one.kind, one.label, words) for number, (one, words) in enumerate(found)]


def with_words(content: str, hidden: Sequence[RevealedSecret], wanted: frozenset[int] | None = None) -> str:
    """The content with words in place of the marks numbered `wanted`; None = of all."""
    words = iter(hidden)

    def replaced(mark: Any) -> str:
        one = next(words)
        return one.text if wanted is None or one.number in wanted else str(mark[0])

    return MARK.sub(replaced, content)


def unmask(tx: MindTransaction, frame: Frame, wanted: frozenset[int]) -> tuple[list[str], list[tuple[int, str, str]]]:
    """These marks are no secrets: in this frame and the others of its message they become words again.

    Returns (digests that are new, in hex; per changed frame: id, its text before, the digest of its text now).
    """
    hidden = hidden_words(tx, frame) or []
    digests = {secret_hash(one.text) for one in hidden if one.number in wanted}
    new = [digest for digest in digests if not tx.suppressions.holds(PLAIN, digest)]
    for digest in new:
        tx.suppressions.add(PLAIN, digest)
    changed = []
    message = tx.archive.message_of(frame.id)
    for frame_id in tx.archive.frames_of([] if message is None else [message]):
        other = tx.frames.get(frame_id)
        words = hidden_words(tx, other) or []
        plain = frozenset(one.number for one in words if secret_hash(one.text) in digests)
        if plain:
            text = with_words(other.content, words, plain)
            tx.frames.rewrite(frame_id, text)
            changed.append((frame_id, other.content, content_digest(text)))
    return [digest.hex() for digest in new], changed


def mask_again(tx: MindTransaction, digests: Sequence[str], frames: Sequence[tuple[int, str]]) -> None:
    """The inverse of `unmask`: what is no longer plain is masked again, in the very words of before."""
    tx.suppressions.remove(PLAIN, [bytes.fromhex(one) for one in digests])
    for frame_id, content in frames:
        tx.frames.rewrite(frame_id, content)


def unsettle(tx: MindTransaction, keys: Sequence[str]) -> None:
    tx.suppressions.remove(SETTLED, [bytes.fromhex(key) for key in keys])


def content_digest(content: str) -> str:
    """Tells whether a frame's text is still the one an action left."""
    return secret_hash(content).hex()
