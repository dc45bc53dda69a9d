"""Cues that a question gives beside its words: whom it names, and what kind of answer it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from hivemind.search.spoken_dates import DateWindow, find_window
from hivemind.search.words import stop_words

#: Speakers whom nobody means by name.
NAMELESS = frozenset(
    {"user", "assistant", "system", "tool", "human", "ai", "bot", "model", "me", "you", "unknown"}
)  # fmt: skip

_WHEN = re.compile(r"\b(?:when|what (?:date|day|month|year|time)|how long|which (?:month|year|day))\b", re.IGNORECASE)
_WHAT = re.compile(r"\b(?:who|where|which|what)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_LONGEST_NAME = 4


@dataclass(frozen=True, slots=True)
class Cues:
    """What a question asks for. `window`: the time it names."""

    asks_when: bool
    asks_what: bool
    window: DateWindow | None

    @classmethod
    def of(cls, text: str, now: datetime) -> Cues:
        return cls(_WHEN.search(text) is not None, _WHAT.search(text) is not None, find_window(text, now))


def named_speaker(text: str, speakers: Iterable[tuple[int, str]]) -> int | None:
    """The one speaker whom a question names by full or first name; None when it names nobody or several.

    A full name counts for its bearer alone, however many share the first name. Names of roles are never meant.
    """
    words = _WORD.findall(text.casefold())
    grams = {" ".join(words[at : at + n]) for n in range(1, _LONGEST_NAME + 1) for at in range(len(words) - n + 1)}
    full: dict[str, set[int]] = {}
    first: dict[str, set[int]] = {}
    for speaker, name in speakers:
        parts = _WORD.findall(name.casefold())
        if not parts or parts[0] in NAMELESS or parts[0] in stop_words():
            continue
        if len(parts) > 1 and " ".join(parts) in grams:
            full.setdefault(parts[0], set()).add(speaker)
        elif parts[0] in grams:
            first.setdefault(parts[0], set()).add(speaker)
    named = set[int]().union(*({**first, **full}.values()))
    return named.pop() if len(named) == 1 else None
