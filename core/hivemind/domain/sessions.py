"""Sessions (GOPs), the archived messages behind them, identity and awareness."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SessionStatus(StrEnum):
    ACTIVE = "active"
    CLOSED = "closed"
    ARCHIVED = "archived"


class SessionKind(StrEnum):
    CONVERSATION = "conversation"
    DOCUMENT = "document"
    NOTES = "notes"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Session:
    """One row of `sessions`. `id` is the gop_id; `source` the vendor ('chatgpt'); `item_id` the vendor's id."""

    id: str
    kind: SessionKind
    title: str
    status: SessionStatus
    project_id: str | None
    source: str | None
    item_id: str | None
    agent_id: str | None
    started_at: str
    ended_at: str | None
    summary: str | None


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session in a list, with its counts."""

    session: Session
    messages: int
    frames: int


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions a list shows. `title`: words that stand in it. `source` '' means saved here. None: any.

    `important`: only those with a memory that is pinned, important or critical.
    """

    title: str = ""
    source: str | None = None
    status: SessionStatus | None = None
    important: bool = False


@dataclass(frozen=True, slots=True)
class DayCount:
    """A day `YYYY-MM-DD` of this computer's clock, and how many sessions began on it."""

    day: str
    sessions: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """All sessions of a list, newest first: `ids` name their rows, `days` says how many of them belong to each day."""

    ids: tuple[int, ...]
    days: tuple[DayCount, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """An archived message, verbatim. `hidden`: never shown as speech. `branch` 0 is the visible thread."""

    id: int
    ext_id: str
    parent_ext_id: str | None
    occurrence: int
    speaker: str
    role: str
    sent_at: str | None
    hidden: bool
    kind: str
    branch: int
    position: int
    text: str
    frame_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A session opened for reading: its messages in reading order, the visible thread first."""

    session: Session
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class SessionPart:
    """A session that is read as part of another, and the place of its first message there."""

    session: Session
    first: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters start to end of a message: what a memory was cut from."""

    message_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session as a person reads it: with what was merged into it, and the words a memory came from marked.

    `parts` is empty for a session that was never merged. `messages` are in reading order part by part. `important`:
    ids of messages whose memory is pinned, important or critical.
    """

    session: Session
    messages: tuple[Message, ...]
    parts: tuple[SessionPart, ...] = ()
    marks: tuple[Mark, ...] = ()
    important: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Identity:
    """The one row about the user."""

    name: str
    role: str = ""
    department: str = ""
    personality: str = ""
    capabilities: str = ""
    system_prompt: str = ""
    created_at: str = ""
    updated_at: str = ""


class AwarenessCategory(StrEnum):
    TASK = "task"
    ACTION = "action"
    PENDING = "pending"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class AwarenessItem:
    """One of at most ten active items. `metadata` is JSON text."""

    id: int
    category: AwarenessCategory
    content: str
    priority: int
    metadata: str
    created_at: str
    expires_at: str | None
