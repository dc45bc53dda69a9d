"""What a caller passed in, taken for the words of the field or refused by name."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from hivemind.clock import parse_stamp, stamp
from hivemind.domain.frames import FrameDraft, Importance, Provenance
from hivemind.errors import InvalidDate, InvalidValue

E = TypeVar("E", bound=StrEnum)


def one_of(kind: type[E], word: E | str, what: str) -> E:
    """The enum that a word names. Raises InvalidValue with the words that are allowed."""
    try:
        return kind(word)
    except ValueError:
        allowed = ", ".join(kind)
        raise InvalidValue(f"This is not a known {what}", f"Use one of: {allowed}.") from None


def counted(limit: int) -> int:
    """A page's size. Raises InvalidValue below 1, which SQLite would take for no limit at all."""
    if limit < 1:
        raise InvalidValue("A list needs a limit of 1 or more", "Give a whole number above 0.")
    return limit


def moment(text: str | None) -> str | None:
    """ISO 8601 with a zone as a stamp. Raises InvalidDate."""
    try:
        return None if text is None else stamp(parse_stamp(text))
    except ValueError as fault:
        raise InvalidDate("This moment was not understood", "Write it as 2025-06-30T12:00:00Z.") from fault


def drafted(
    text: str,
    session_id: str | None,
    importance: Importance | str,
    source: Provenance | str,
    event_at: str | None = None,
) -> FrameDraft:
    """A draft of a saved frame. Raises InvalidValue, InvalidDate."""
    return FrameDraft(
        content=text,
        session_id=session_id,
        importance=one_of(Importance, importance, "importance"),
        source=one_of(Provenance, source, "source"),
        event_at=moment(event_at),
    )
