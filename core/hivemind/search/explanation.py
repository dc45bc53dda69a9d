"""Why a hit stands where it stands, built from the very numbers that put it there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hivemind.domain.frames import Frame
from hivemind.domain.indexed_text import indexed_text
from hivemind.domain.scripts import has_unspaced_script
from hivemind.domain.search import Explanation, Recipe, Span
from hivemind.search.lanes import LaneQuery
from hivemind.search.ranking import Account, Weighing
from hivemind.search.unspaced import needles, occurrences
from hivemind.search.words import Word, stems


def explain(account: Account, weighing: Weighing, matched: tuple[str, ...], recipe: Recipe) -> Explanation:
    """An account with its signals in words. `recipe`: the one that really answered."""
    return Explanation(
        matched,
        account.lanes,
        account.parts,
        weighing.weigher.signals(account.weighed),
        account.weighed.relevance,
        account.score,
        recipe,
        weighing.profile,
        account.late,
        account.cues,
    )


@dataclass(frozen=True, slots=True)
class Matches:
    """`words`: of the frame, as written there. `spans`: where they stand in its body, in order, none overlapping."""

    words: tuple[str, ...]
    spans: tuple[Span, ...]


class Matcher:
    """Finds a query's words again in a frame's own text, by the index's own tokeniser."""

    def __init__(self, query: LaneQuery) -> None:
        self._tokenise = query.tokenise
        self._needles, _ = needles(query.parsed)
        self._by_first: dict[str, set[tuple[str, ...]]] = {}
        for term in (*query.parsed.phrases, *query.parsed.terms):
            for variant in term.variants:
                sequence = stems(query.tokenise(variant))
                if sequence:
                    self._by_first.setdefault(sequence[0], set()).add(sequence)

    def find(self, frame: Frame) -> Matches:
        """What matched, in the speaker's name and captions too (those have no span in the body)."""
        text = indexed_text(frame.speaker, frame.content, frame.captions)
        unspaced = self._unspaced(text) if has_unspaced_script(text) else ()
        found = _merged([*self._sequences(text), *unspaced])
        body = len(text) - len(indexed_text(None, frame.content, frame.captions))
        end = body + len(frame.content)
        spans = [Span(start - body, stop - body) for start, stop in found if body <= start and stop <= end]
        return Matches(tuple(dict.fromkeys(text[start:stop] for start, stop in found)), tuple(spans))

    def _sequences(self, text: str) -> Iterator[tuple[int, int]]:
        words: list[Word] = self._tokenise(text)
        for at, word in enumerate(words):
            for sequence in self._by_first.get(word.stem, ()):
                if len(sequence) == 1 or stems(words[at : at + len(sequence)]) == sequence:
                    yield word.start, words[at + len(sequence) - 1].end

    def _unspaced(self, text: str) -> Iterator[tuple[int, int]]:
        for needle in self._needles:
            yield from occurrences(needle, text)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order, with overlapping ones joined."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
