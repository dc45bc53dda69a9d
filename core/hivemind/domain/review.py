"""What an import held back or masked, for a person to look through and decide about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ReviewKind(StrEnum):
    """`quarantined`: reads like orders to an AI, so no AI gets it. `masked`: a secret in it was replaced by a mark."""

    QUARANTINED = "quarantined"
    MASKED = "masked"


@dataclass(frozen=True, slots=True)
class ReviewEntry:
    """One memory to look at. `reasons`: why it was held back, or the kinds of its masked secrets.

    `text` is the memory's own (masked) text. `settled`: a person decided to keep it as it is.
    `original`: the archive still has the words behind the marks.
    """

    frame_id: int
    kind: ReviewKind
    text: str
    reasons: tuple[str, ...]
    session_id: str
    session_title: str
    speaker: str | None
    event_at: str | None
    settled: bool
    original: bool


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """Entries by frame id, ascending. `cursor`: give it back for the next page; None = that was the last."""

    entries: tuple[ReviewEntry, ...]
    cursor: int | None


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """Memories that nobody decided about yet."""

    quarantined: int
    masked: int


@dataclass(frozen=True, slots=True)
class RevealedSecret:
    """A secret in the clear, for the owner's eyes. `number` counts the marks of the memory from 0."""

    number: int
    kind: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """A memory with the words of the archive in place of its marks. Never leaves the window or the terminal."""

    frame_id: int
    text: str
    secrets: tuple[RevealedSecret, ...]
