"""What holds the chain from outside: checkpoints with their signatures, and the anchors beside the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hivemind.domain.calls import LogFinding
from hivemind.gateway.anchors import Anchor
from hivemind.gateway.checkpoints import DUE_AFTER, rotation_text
from hivemind.gateway.notes import Note, SignatureLine, digest, key_id, parse_note
from hivemind.gateway.signing import signed_by
from hivemind.gateway.walk import ChainWalk
from hivemind.storage import Connection

#: Anchors that do not fit and are named one by one.
_TOLD = 20
_CHECKPOINTS = "SELECT size, note, row_hash FROM ai_log_checkpoints LEFT JOIN ai_log_chain ON seq = size ORDER BY size"


class Seals:
    """Every checkpoint against the chain, the one before it, and the key the log named at its size."""

    def __init__(self, connection: Connection, walk: ChainWalk, mind: str, public: bytes | None) -> None:
        self._connection = connection
        self._walk = walk
        self._mind = mind
        self._public = public
        self._previous: bytes | None = None
        self._last_signed = 0
        self._unsigned = 0
        self.count = 0
        self.findings: list[LogFinding] = []
        self.gaps: list[LogFinding] = []

    @property
    def signer(self) -> str:
        """The public key (hex) that the log names last, '' = none."""
        return self._walk.keys[-1][1] if self._walk.keys else ""

    def run(self) -> None:
        """One pass. Raises what a damaged row raises."""
        self._check_keys()
        for size, text, head in self._connection.execute(_CHECKPOINTS):
            self.count += 1
            self._checkpoint(int(size), str(text), head)
            self._previous = digest(str(text))
        self._note_gaps()

    def _check_keys(self) -> None:
        before: str | None = None
        for seq, key, by_previous in self._walk.keys:
            if before is not None:
                text = rotation_text(self._mind, bytes.fromhex(key))
                if by_previous is None:
                    self.gaps.append(LogFinding("keys", seq, "the key was replaced without the old one's signature"))
                elif not signed_by(bytes.fromhex(before), text, bytes.fromhex(by_previous)):
                    self._found(seq, "the key was replaced by somebody who did not have the old one")
            before = key
        if self._public is not None and self.signer != self._public.hex():
            self._found(None, "The log is not signed with the key it was compared with.")

    def _checkpoint(self, size: int, text: str, head: bytes | None) -> None:
        if head is None:
            self._found(size, "a checkpoint names this entry, and the log ends before it")
            return
        try:
            note, signature = parse_note(text)
        except ValueError:
            self._found(size, "the checkpoint made here cannot be read")
            return
        if (note.mind, note.size, note.head) != (self._mind, size, head):
            self._found(size, "the checkpoint made here does not agree with the chain")
        elif note.schema.hex() != self._walk.bound_schema:
            self._found(size, "the checkpoint made here names other tables")
        elif note.previous != self._previous:
            self._found(size, "the checkpoint made here does not follow on the one before it")
        else:
            self._check_signature(size, note, signature)

    def _check_signature(self, size: int, note: Note, signature: SignatureLine | None) -> None:
        named = [key for seq, key, _ in self._walk.keys if seq <= size]
        if signature is None:
            self._unsigned += bool(named)
            return
        public = bytes.fromhex(named[-1]) if named else b""
        known = signature.key_id == key_id(signature.name, public)
        if not known or not signed_by(public, note.text().encode("utf-8"), signature.signature):
            self._found(size, "the checkpoint made here was not signed with the log's key")
        else:
            self._last_signed = size

    def _note_gaps(self) -> None:
        if not self.signer:
            self.gaps.append(LogFinding("signature", None, "The log is not signed: no key has been set up for it."))
            return
        if self._unsigned:
            self.gaps.append(LogFinding("signature", None, f"{self._unsigned} checkpoints are not signed."))
        if self._walk.entries - self._last_signed > 2 * DUE_AFTER:
            self.gaps.append(
                LogFinding("signature", self._last_signed, "no signed checkpoint covers what came after it")
            )

    def _found(self, seq: int | None, problem: str) -> None:
        self.findings.append(LogFinding("checkpoints", seq, problem))


def check_anchors(connection: Connection, walk: ChainWalk, anchors: Sequence[Anchor]) -> Iterator[LogFinding]:
    """The chain may be ahead of an anchor, never behind it and never different at its size.

    A restore that the log tells of excuses the lines written before it, up to the size that it says it replaced, and
    from the erasures on that stand directly before it: they may have been made in the backup.
    """
    heads = {int(seq): bytes(head).hex() for seq, head in connection.execute("SELECT seq, row_hash FROM ai_log_chain")}
    matching = [number for number, anchor in enumerate(anchors) if heads.get(anchor.size) == anchor.head]
    excused = [
        (first, replaced, next((number for number in matching if anchors[number].size >= seq), len(anchors)))
        for seq, replaced, first in walk.restores
    ]
    told = 0
    for number, anchor in enumerate(anchors):
        if heads.get(anchor.size) == anchor.head or told == _TOLD:
            continue
        if any(first <= anchor.size <= replaced and number < since for first, replaced, since in excused):
            continue
        told += 1
        problem = f"an anchor knows {anchor.size} entries with another head than this log's"
        if anchor.size > walk.entries:
            problem = f"an anchor knows {anchor.size} entries, and the log has {walk.entries}"
        yield LogFinding("anchors", anchor.size, problem)
