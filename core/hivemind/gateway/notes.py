"""The text of a checkpoint: what the log was at one size, in the form of a signed note (C2SP signed-note).

    hivemind.local/<mind uuid>
    <size>
    <base64 of the head's 32 bytes>
    schema <base64 of the tables' fingerprint>
    time <stamp>
    prev <base64 of the SHA-256 of the note before, or ->
    <empty line>
    — <key name> <base64 of 4 bytes key id, 64 bytes signature>

The third line is the head of a hash chain, not the root of a tree. The signature covers the first six lines with
their line breaks; the key id is the start of SHA-256(name || 0x0A || 0x01 || public key).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass

ORIGIN = "hivemind.local/"
_SIGNED_BY = "\u2014 "
_LINES = 6
_KEY_ID = 4
_ED25519 = b"\x01"


@dataclass(frozen=True, slots=True)
class Note:
    """A checkpoint's facts. `head`: 32 bytes; `schema`: 32 bytes; `previous`: SHA-256 of the note before, or None."""

    mind: str
    size: int
    head: bytes
    schema: bytes
    time: str
    previous: bytes | None

    def text(self) -> str:
        """What is signed."""
        previous = "-" if self.previous is None else _b64(self.previous)
        lines = (
            f"{ORIGIN}{self.mind}",
            str(self.size),
            _b64(self.head),
            f"schema {_b64(self.schema)}",
            f"time {self.time}",
            f"prev {previous}",
        )
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class SignatureLine:
    """Who signed a note. `key_id`: 4 bytes; `signature`: 64 bytes."""

    name: str
    key_id: bytes
    signature: bytes


def key_id(name: str, public: bytes) -> bytes:
    """The 4 bytes that tell keys apart before a signature is tried."""
    return hashlib.sha256(name.encode("utf-8") + b"\n" + _ED25519 + public).digest()[:_KEY_ID]


def signed(note: Note, signature: SignatureLine | None) -> str:
    """The whole note. Unsigned notes end after the empty line."""
    if signature is None:
        return note.text() + "\n"
    return f"{note.text()}\n{_SIGNED_BY}{signature.name} {_b64(signature.key_id + signature.signature)}\n"


def parse_note(text: str) -> tuple[Note, SignatureLine | None]:
    """Take a note apart, strictly: composing it again gives the same text. Raises ValueError."""
    body, _, tail = text.partition("\n\n")
    lines = body.split("\n")
    if len(lines) != _LINES or not lines[0].startswith(ORIGIN):
        raise ValueError("not a checkpoint of this kind")
    previous = _field(lines[5], "prev")
    note = Note(
        mind=lines[0].removeprefix(ORIGIN),
        size=int(lines[1]),
        head=_bytes(lines[2]),
        schema=_bytes(_field(lines[3], "schema")),
        time=_field(lines[4], "time"),
        previous=None if previous == "-" else _bytes(previous),
    )
    signature = _signature(tail)
    if signed(note, signature) != text:
        raise ValueError("not in its one form")
    return note, signature


def digest(text: str) -> bytes:
    """What the next note calls this one by."""
    return hashlib.sha256(text.encode("utf-8")).digest()


def _signature(tail: str) -> SignatureLine | None:
    if not tail:
        return None
    name, _, value = tail.rstrip("\n").removeprefix(_SIGNED_BY).rpartition(" ")
    raw = _bytes(value, 64 + _KEY_ID)
    return SignatureLine(name, raw[:_KEY_ID], raw[_KEY_ID:])


def _field(line: str, name: str) -> str:
    head, _, value = line.partition(" ")
    if head != name:
        raise ValueError(f"{name} is missing")
    return value


def _bytes(text: str, size: int = 32) -> bytes:
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error as fault:
        raise ValueError("not base64") from fault
    if len(raw) != size:
        raise ValueError("another length")
    return raw


def _b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
