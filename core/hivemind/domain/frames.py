"""Frames: the unit of memory (I, P, B), how they are drafted, patched and linked."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class FrameType(StrEnum):
    """Independent, Predicted, Bidirectional."""

    I = "I"  # noqa: E741 - the field's own letter
    P = "P"
    B = "B"


class Importance(StrEnum):
    CRITICAL = "critical"
    IMPORTANT = "important"
    NORMAL = "normal"
    TEMPORARY = "temporary"
    DEPRECATED = "deprecated"


class Provenance(StrEnum):
    """Who vouches for a frame (the seed's `source`)."""

    USER_STATED = "user_stated"
    TOOL_VERIFIED = "tool_verified"
    AGENT_INFERRED = "agent_inferred"
    IMPORT = "import"
    SYSTEM = "system"


class Origin(StrEnum):
    """Which door a frame came in by."""

    SAVE = "save"
    IMPORT = "import"
    SYSTEM = "system"
    SUMMARY = "summary"


class PatchKind(StrEnum):
    ADD = "add"
    AMEND = "amend"
    RETRACT = "retract"


class ReferenceKind(StrEnum):
    LINK = "link"
    ALTERNATIVE = "alternative"
    CONTRADICTION = "contradiction"


class Flag:
    """Bits of `memory_frames.flags`."""

    TIME_WORD = 1
    CAPITAL = 2
    QUESTION = 4


@dataclass(frozen=True, slots=True)
class Frame:
    """One row of `memory_frames`, as stored. Times are stamps (`clock.stamp`), `t` is the write order in its GOP."""

    id: int
    uuid: str
    type: FrameType
    session_id: str
    t: int
    base_frame_id: int | None
    content: str
    importance: Importance
    source: Provenance
    access_count: int
    created_at: str
    last_accessed: str
    event_at: str | None
    recorded_at: str
    origin: Origin
    patch_kind: PatchKind | None
    patch_target_id: int | None
    superseded_by: int | None
    pinned: bool
    trashed_at: str | None
    quarantine: str | None
    client: str | None
    author: str | None
    agent_id: str | None
    speaker: str | None
    role: str | None
    position: int | None
    part: int
    branch: int
    captions: str | None
    flags: int


@dataclass(frozen=True, slots=True)
class Derived:
    """What is computed from a storable body (`indexed_text.derive`): its hashes (16 and 8 bytes), its flags, and
    whether its indexed text needs the index for unspaced scripts."""

    content_hash: bytes
    norm_hash: bytes
    flags: int
    unspaced: bool


@dataclass(frozen=True, slots=True)
class FrameDraft:
    """A frame about to be written. `session_id` None = the notes GOP of the day.

    `derived`: given by who has already sanitised and masked the body (an import's reader, `cleaned`).
    """

    content: str
    session_id: str | None = None
    importance: Importance = Importance.NORMAL
    source: Provenance = Provenance.USER_STATED
    origin: Origin = Origin.SAVE
    event_at: str | None = None
    event_at_original: str | None = None
    client: str | None = None
    author: str | None = None
    agent_id: str | None = None
    speaker: str | None = None
    role: str | None = None
    position: int | None = None
    part: int = 0
    branch: int = 0
    captions: str | None = None
    quarantine: str | None = None
    derived: Derived | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a `before_write` check noticed. `kind`: duplicate, contradiction or quarantine."""

    kind: str
    frame_id: int | None
    excerpt: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """The answer to a save: the frame, or the one that was already there. `masked`: kinds of secrets that a mark now
    stands for; the words themselves were not kept."""

    frame: Frame
    duplicate_of: int | None = None
    contradicts: tuple[Finding, ...] = ()
    masked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FrameReference:
    """One end of a B-frame."""

    frame_id: int
    ref_frame_id: int
    kind: ReferenceKind


@dataclass(frozen=True, slots=True)
class ReconstructedState:
    """A GOP as one text. `current_content`: the I and each living P(add), amended, in reading order."""

    iframe: Frame
    patches: tuple[Frame, ...]
    current_content: str
    frame_count: int


@dataclass(frozen=True, slots=True)
class Access:
    """One use of a frame: opened, cited or returned to a client. Counted once per query."""

    frame_id: int
    kind: str
    client: str | None = None
    query_id: str | None = None


@dataclass(frozen=True, slots=True)
class AccessRecord:
    """One counted use of a frame as stored: when, how, and by which AI app (None: the person at the window)."""

    at: str
    kind: str
    client: str | None


@dataclass(frozen=True, slots=True)
class ListedFrame:
    """A row of a list: the frame, its session's title and source as stored."""

    frame: Frame
    session_title: str
    source_name: str


@dataclass(frozen=True, slots=True)
class FrameDetail:
    """A frame with what a detail view needs. `text` is the current text (newest living amend, else the content)."""

    frame: Frame
    text: str
    retracted: bool
    title: str
    session_title: str
    source_name: str
    message_id: int | None
    messages_in_session: int
    references: tuple[FrameReference, ...] = ()
    history: tuple[Frame, ...] = field(default=())
