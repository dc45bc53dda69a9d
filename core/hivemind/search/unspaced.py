"""What a query looks for inside scripts without spaces: runs of letters, their pairs, and words glued to such text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from hivemind.domain.scripts import has_unspaced_script, runs
from hivemind.search.query import ParsedQuery

MAX_NEEDLES = 100


@dataclass(frozen=True, slots=True)
class Needle:
    """Letters to find as they stand. `pairs`: the letter pairs of a longer run, for a partial match.

    `glued`: a word of a spaced script; it counts only where it touches unspaced text, elsewhere FTS finds it.
    """

    text: str
    pairs: tuple[str, ...] = ()
    glued: bool = False

    @property
    def weight(self) -> int:
        """How many lookups it costs."""
        return 1 + len(self.pairs)

    def least_pairs(self) -> int:
        """So many of the pairs make a partial match: a third, at least one."""
        return -(-len(self.pairs) // 3)


def needles(parsed: ParsedQuery) -> tuple[tuple[Needle, ...], bool]:
    """The needles of a query in the order written, at most `MAX_NEEDLES` lookups, and whether some were left out."""
    kept: list[Needle] = []
    room = MAX_NEEDLES
    for needle in dict.fromkeys(_all(parsed)):
        if needle.weight > room:
            return tuple(kept), True
        room -= needle.weight
        kept.append(needle)
    return tuple(kept), False


def _all(parsed: ParsedQuery) -> Iterator[Needle]:
    for term in (*parsed.phrases, *parsed.terms):
        for variant in term.variants:
            for run in runs(variant):
                # A pasted page is one run: its beginning says enough.
                yield Needle(run[: MAX_NEEDLES // 2], _pairs(run[: MAX_NEEDLES // 2]))
            yield from (Needle(word, glued=True) for word in _spaced_words(variant))


def _pairs(run: str) -> tuple[str, ...]:
    if len(run) < 3:
        return ()
    return tuple(dict.fromkeys(run[i : i + 2] for i in range(len(run) - 1)))


def _spaced_words(text: str) -> Iterator[str]:
    """The stretches of ordinary script in a term: `itgc` in `重跑gen-itgc后` is reached as `gen-itgc`."""
    for unspaced, group in itertools.groupby(text, key=has_unspaced_script):
        word = "".join(group).strip()
        if not unspaced and any(character.isalnum() for character in word):
            yield word


def occurrences(needle: Needle, text: str) -> list[tuple[int, int]]:
    """Where the needle stands in the text: whole, else its pairs when there are enough of them."""
    found = [match.span() for match in re.finditer(re.escape(needle.text), text, re.IGNORECASE)]
    if needle.glued:
        return [span for span in found if _is_glued(text, *span)]
    if found or not needle.pairs:
        return found
    by_pair = [[match.span() for match in re.finditer(re.escape(pair), text)] for pair in needle.pairs]
    if sum(1 for spans in by_pair if spans) < needle.least_pairs():
        return []
    return sorted(span for spans in by_pair for span in spans)


def _is_glued(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    free = all(not side.isalnum() or has_unspaced_script(side) for side in (before, after) if side)
    return free and (has_unspaced_script(before) or has_unspaced_script(after))
