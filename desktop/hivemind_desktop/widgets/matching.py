"""Which names fit what a person typed: every word has to be there, a slip of a finger is forgiven, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from rapidfuzz import fuzz

T = TypeVar("T")
#: A typed word of at least so many letters may differ a little from the word it stands for.
_LONG = 4
_ALIKE = 78.0


def best(items: Iterable[T], typed: str, name: Callable[[T], str], also: Callable[[T], str]) -> list[T]:
    """Items whose name or other words hold every typed word, in four ranks: the name begins with the text, words of
    the name begin with the words, they are somewhere, they are nearly there. Within a rank the order stays."""
    wanted = typed.casefold().split()
    ranked = [(value, each) for each in items if (value := _rank(wanted, name(each), also(each))) is not None]
    return [each for _, each in sorted(ranked, key=lambda pair: pair[0])]


def _rank(wanted: list[str], name: str, also: str) -> int | None:
    low, rest = name.casefold(), also.casefold()
    if not wanted or low.startswith(" ".join(wanted)):
        return 0
    parts = low.split()
    if all(any(part.startswith(word) for part in parts) for word in wanted):
        return 1
    hay = f"{low} {rest}"
    if all(word in hay for word in wanted):
        return 2
    words = hay.split()
    return 3 if all(word in hay or _nearly(word, words) for word in wanted) else None


def _nearly(word: str, words: list[str]) -> bool:
    return len(word) >= _LONG and any(fuzz.ratio(word, each[: len(word) + 1]) >= _ALIKE for each in words)
