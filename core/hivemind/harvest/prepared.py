"""What the reading process sends: conversations in reading order, cut into frames, in chunks ready to be written.

Named tuples, not dataclasses: these cross a pipe by the thousand, and unpickling them holds the interpreter least.
"""

from __future__ import annotations

from typing import NamedTuple

from hivemind.domain.surveys import ImportOptions

#: The source of a run, or of a path, that holds several others together.
SEVERAL = "several"
#: Messages of one transaction, and frames: whichever is reached first. Some 50 ms of writing on an idle computer.
CHUNK_MESSAGES = 128
CHUNK_FRAMES = 140


class Piece(NamedTuple):
    """A frame's body, and the characters start..end of the message's verbatim text that it comes from.

    `quarantine`: why no AI gets it, None when there is nothing against it. `masked`: a mark stands for a secret in it.
    The rest is `Derived`, computed by the reading process: there it holds up nobody.
    """

    text: str
    start: int
    end: int
    content_hash: bytes
    norm_hash: bytes
    flags: int
    unspaced: bool
    quarantine: str | None = None
    masked: bool = False


class PreparedMessage(NamedTuple):
    """`sent_at` is the message's own time, `event_at` that or the nearest before it; no `pieces` when unspoken."""

    ext_id: str
    parent_ext_id: str | None
    occurrence: int
    role: str
    speaker: str
    sent_at: str | None
    sent_at_original: str | None
    event_at: str | None
    kind: str
    hidden: bool
    branch: int
    position: int
    text: str
    attachments: tuple[str, ...]
    captions: str
    pieces: tuple[Piece, ...]
    repaired: bool


class PreparedItem(NamedTuple):
    """The facts of a conversation or document. `hash` covers every message and its place.

    `document` and `named_by_place`: as in `ItemEnded`.
    """

    ordinal: int
    item_id: str
    title: str
    started_at: str | None
    ended_at: str | None
    summary: str
    hash: bytes
    messages: int
    document: bool = False
    named_by_place: bool = False
    quarantine: str | None = None
    masked: bool = False


class PreparedChunk(NamedTuple):
    """Messages `first`… of an item, at most CHUNK_MESSAGES. `last`: the item is complete with it."""

    item: PreparedItem
    first: int
    messages: tuple[PreparedMessage, ...]
    last: bool


class ItemOutcome(NamedTuple):
    """An item that brings nothing. `state`: skipped or failed."""

    ordinal: int
    item_id: str | None
    title: str
    state: str
    reason: str


class SourceOpened(NamedTuple):
    """First answer of a reader. `total`: bytes of the unpacked source; `fingerprint` tells files apart;
    `options`: what of it comes in; `kinds`: its readers by name, where it takes several and none was asked for."""

    source: str
    label: str
    name: str
    fingerprint: str
    total: int
    parts: tuple[str, ...]
    options: ImportOptions = ImportOptions()
    kinds: tuple[str, ...] = ()


class Batch(NamedTuple):
    """What is written in one transaction, and how many bytes were read up to here. `title` is for showing."""

    entries: tuple[PreparedChunk | ItemOutcome, ...]
    done: int
    title: str
    missing: int = 0


class SourceEnded(NamedTuple):
    """Last answer of a reader: how many items the source had in all."""

    found: int
