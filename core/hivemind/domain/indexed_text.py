"""What is derived from a frame's body: the indexed text, its hashes and its flags. One versioned place."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from datetime import datetime

from hivemind.clock import parse_stamp
from hivemind.domain.frames import Derived, Flag
from hivemind.domain.scripts import has_unspaced_script

#: Raised when any rule below changes; stored per frame so that a reindex knows what is stale.
INDEXED_VERSION = 1

_TIME_WORDS = frozenset(
    {"yesterday", "today", "tonight", "tomorrow", "last", "next", "ago", "recently", "since", "soon", "week", "weeks",
     "weekend", "month", "months", "year", "years", "day", "days", "monday", "tuesday", "wednesday", "thursday",
     "friday", "saturday", "sunday", "january", "february", "march", "april", "june", "july", "august", "september",
     "october", "november", "december"}
)  # fmt: skip
_WORD = re.compile(r"\w+")
# Starts with the space, which is searched fastest; the look-behind then asks what stood before it.
_CAPITAL = re.compile(r" [A-Z](?<=[a-z,] [A-Z])[a-z]")
_SPACE = re.compile(r"\s+")


def indexed_text(speaker: str | None, content: str, captions: str | None) -> str:
    """The text for words: `speaker: body [captions]`. Equal to the FTS trigger's (property-tested)."""
    return (
        (f"{speaker}: " if speaker is not None else "") + content + (f" [{captions}]" if captions is not None else "")
    )


def embedded_text(event_at: str | None, speaker: str | None, content: str, captions: str | None) -> str:
    """The text for meaning: the indexed text with `8 May 2023 ` in front when the time is known."""
    text = indexed_text(speaker, content, captions)
    return f"{_day(parse_stamp(event_at))} {text}" if event_at else text


def _day(moment: datetime) -> str:
    # Not strftime: month names must not follow the machine's locale.
    months = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
              "November", "December")  # fmt: skip
    return f"{moment.day} {months[moment.month - 1]} {moment.year}"


def derive(speaker: str | None, content: str, captions: str | None) -> Derived:
    """Everything that is stored beside a body, from its text alone. `content` must be sanitised."""
    unspaced = has_unspaced_script(indexed_text(speaker, content, captions))
    return Derived(content_hash(content), norm_hash(content), flags(content), unspaced)


def content_hash(content: str) -> bytes:
    """16 bytes that are equal when the trimmed bodies are equal."""
    return hashlib.sha256(content.strip().encode()).digest()[:16]


def norm_hash(content: str) -> bytes:
    """8 bytes that are equal when the bodies differ only in case, width or white space."""
    folded = _SPACE.sub(" ", unicodedata.normalize("NFKC", content)).strip().casefold()
    return hashlib.sha256(folded.encode()).digest()[:8]


def flags(content: str) -> int:
    """Cues for ranking: holds a time word, a capital in mid-sentence, a question mark."""
    return (
        (Flag.TIME_WORD if _has_time_word(content.lower()) else 0)
        | (Flag.CAPITAL if _CAPITAL.search(content) else 0)
        | (Flag.QUESTION if "?" in content or "？" in content else 0)
    )


def _has_time_word(lowered: str) -> bool:
    words = _WORD.findall(lowered)
    return (
        not _TIME_WORDS.isdisjoint(words)
        or any(len(word) == 4 and word.isdigit() for word in words)
        or "this morning" in lowered
        or "this past" in lowered
    )
