"""Long work and undo: jobs with a cursor, changes with an inverse, the outbox that survives a crash."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """One row of `jobs`. `cursor` and `payload` are JSON text; `owner` names the process that holds the lease."""

    id: int
    kind: str
    state: JobState
    cursor: str
    payload: str
    done: int
    total: int
    owner: str | None
    heartbeat: str | None
    error: str
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Change:
    """One action of a person, and the calls that take it back.

    `inverse` is a list of (operation name, JSON-ready arguments), run in order in one transaction. The names are
    those of `changes.registry.OPERATIONS`.
    """

    label: str
    inverse: tuple[tuple[str, dict[str, object]], ...]


@dataclass(frozen=True, slots=True)
class RecordedChange:
    id: int
    label: str
    at: str
    undone_at: str | None


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """Work that a committed write owes: kind is embedding, cognify or mentions."""

    id: int
    kind: str
    frame_id: int
    created_at: str
