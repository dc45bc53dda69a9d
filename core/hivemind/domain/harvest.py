"""Imports: the events a reader yields, the sources it may meet, the run and the report that adds up."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class Confidence(IntEnum):
    """How sure an adapter is that a source is its own."""

    NO = 0
    MAYBE = 1
    LIKELY = 2
    SURE = 3


@dataclass(frozen=True, slots=True)
class Peek:
    """The beginning of a source, for detection by content. `name` only helps to break ties. `head`: first bytes."""

    name: str
    head: bytes
    size: int


@dataclass(frozen=True, slots=True)
class ItemStarted:
    """A conversation begins. `ordinal` counts the items of the run's source from 0."""

    ordinal: int


@dataclass(frozen=True, slots=True)
class MessageRead:
    """One message, in file order. `kind`: speech, code, document (an attachment, an artifact), tool_call, tool_result,
    reasoning, profile, error, other.

    `node_id` is the message's name in its conversation's tree where that differs from `ext_id`.
    `text` is verbatim but for control characters and lone surrogates. `spoken` is what people see of it (markers
    stripped) and what frames are cut from; empty when nothing is spoken. `sent_at` is a stamp or None = unknown.
    """

    ordinal: int
    ext_id: str
    parent_ext_id: str | None
    role: str
    speaker: str
    sent_at: str | None
    sent_at_original: str | None
    kind: str
    hidden: bool
    text: str
    spoken: str
    captions: str = ""
    attachments: tuple[str, ...] = ()
    repaired: bool = False
    node_id: str = ""


@dataclass(frozen=True, slots=True)
class ItemEnded:
    """A conversation is complete. `parents` covers nodes without a message too: (id, parent id or None) pairs.

    These ids and `current_ext_id` are names in the tree: `MessageRead.node_id`, or `ext_id` where that is empty.
    `document`: its messages are the blocks of one text, and a newer reading says which of them still stand.
    `named_by_place`: `item_id` only says where the file lies, so the same content elsewhere is the same item.
    `dated_by`: for a document, where its time is from, in words for its summary.
    """

    ordinal: int
    item_id: str | None
    title: str | None
    created_at: str | None
    updated_at: str | None
    current_ext_id: str | None
    parents: tuple[tuple[str, str | None], ...] = ()
    model: str | None = None
    document: bool = False
    named_by_place: bool = False
    dated_by: str = ""


@dataclass(frozen=True, slots=True)
class ItemSkipped:
    """Nothing to import in this item, and why: a short stable reason ('empty', 'no messages in file', …)."""

    ordinal: int
    item_id: str | None
    title: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class ItemFailed:
    """This item cannot be read; its neighbours can. `reason` is for a person."""

    ordinal: int
    item: str
    reason: str


@dataclass(frozen=True, slots=True)
class SourceProgress:
    """How far the reader is. `total` 0 = unknown. Bytes of the uncompressed source."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class AttachmentsSeen:
    """Attachments of the source: `text` came along, `missing` are only named."""

    text: int
    missing: int


HarvestEvent = ItemStarted | MessageRead | ItemEnded | ItemSkipped | ItemFailed | SourceProgress | AttachmentsSeen


class RunState(StrEnum):
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason with the number of items it explains."""

    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class FailedItem:
    item: str
    reason: str


@dataclass(frozen=True, slots=True)
class FrameCounts:
    i: int = 0
    p: int = 0
    b: int = 0


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The outcome of one source. Always: found == new + updated + unchanged + sum of skipped + len(failed)."""

    run_id: int
    source: str
    name: str
    state: RunState
    found: int
    new: int
    updated: int
    unchanged: int
    skipped: tuple[Reason, ...]
    failed: tuple[FailedItem, ...]
    messages: int
    frames: FrameCounts
    duplicates_exact: int
    duplicates_flagged: int
    repaired: int
    quarantined: int
    masked: int
    attachments_text: int
    attachments_missing: int
    seconds: float
    started_at: str
    finished_at: str | None
    error: str = ""
    children: tuple[ImportReport, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How far an import is. `done` and `total` in bytes of the unpacked source; `total` 0 = not known yet."""

    run_id: int
    state: RunState
    done: int
    total: int
    items: int
    messages: int
    frames: int
    current: str


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What a path looks like before anything is written. `source` is '' when nothing recognised it.

    Then `label` says what it seems to be, for a person.
    """

    path: str
    source: str
    label: str
    size: int
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportedItem:
    """What became of one item of a run. `run_id` is that of its source. `state`: new, updated, unchanged, skipped,
    failed, or partial while the run has not ended."""

    run_id: int
    source: str
    ordinal: int
    item_id: str | None
    title: str
    session_id: str | None
    state: str
    reason: str
    messages: int


@dataclass(frozen=True, slots=True)
class ItemPage:
    """Items `offset`… of the `total` that match, in the order of the sources."""

    items: tuple[ImportedItem, ...]
    offset: int
    total: int


@dataclass(frozen=True, slots=True)
class InterruptedRun:
    """An import that stopped in the middle. `there`: its files are still where they were, so it can go on."""

    workspace: str
    report: ImportReport
    paths: tuple[str, ...]
    there: bool


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """A frame that an undo left in place, and why."""

    frame_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class UndoReport:
    run_id: int
    frames_removed: int
    sessions_removed: int
    kept: tuple[KeptFrame, ...]
