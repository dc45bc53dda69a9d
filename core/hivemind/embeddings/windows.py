"""Text into the passes of a model: pieces cut to its window, and passes grouped so that little is padded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class Window:
    """One pass: part `part` of text `text`. `ids`: with special pieces and prefix; rows `lead` to `lead + count` are
    the text's own pieces."""

    text: int
    part: int
    ids: tuple[int, ...]
    lead: int
    count: int


class Slicer:
    """Cuts texts into windows of at most `max_tokens` ids. A prefix stands in front of every window of a text."""

    def __init__(self, tokenizer: Tokenizer, max_tokens: int) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens
        self._before, self._after = _special_pieces(tokenizer)

    def pieces(self, text: str) -> tuple[int, ...]:
        """The ids of a text alone, without special ones."""
        # A lone surrogate is no text for a tokenizer; it counts as an unknown character.
        clean = text.encode("utf-8", "replace").decode("utf-8")
        return tuple(self._tokenizer.encode(clean, add_special_tokens=False).ids)

    def windows(self, number: int, pieces: Sequence[int], prefix: Sequence[int] = ()) -> list[Window]:
        """The passes of text `number`, nearly equal in length; one even when there are no pieces."""
        lead = (*self._before, *prefix)
        room = max(1, self._max_tokens - len(lead) - len(self._after))
        parts = max(1, -(-len(pieces) // room))
        edges = [len(pieces) * part // parts for part in range(parts + 1)]
        return [
            Window(
                number,
                part,
                (*lead, *pieces[edges[part] : edges[part + 1]], *self._after),
                len(lead),
                edges[part + 1] - edges[part],
            )
            for part in range(parts)
        ]


def batches(windows: Sequence[Window], size: int) -> Iterator[list[Window]]:
    """Groups of at most `size` windows of similar length, short ones first."""
    ordered = sorted(windows, key=lambda window: len(window.ids))
    for start in range(0, len(ordered), size):
        yield ordered[start : start + size]


def _special_pieces(tokenizer: Tokenizer) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What the tokenizer puts before and after a text, such as [CLS] and [SEP]."""
    bare = tokenizer.encode("a", add_special_tokens=False).ids
    whole = tokenizer.encode("a", add_special_tokens=True).ids
    for start in range(len(whole) - len(bare) + 1):
        if whole[start : start + len(bare)] == bare:
            return tuple(whole[:start]), tuple(whole[start + len(bare) :])
    return (), ()
