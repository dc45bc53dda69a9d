"""Sign bits of every vector of a mind, kept in memory and compared with a query's: 130 bytes a frame, no database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hivemind.domain.vectors import POOLED_DIM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

_WORDS = POOLED_DIM // 64
#: Frame ids that share a segment have the same upper bits; the lower 16 are kept beside the frame's bits.
_SHIFT = 16
#: Rows compared in one go: the numbers in between stay in the processor's cache.
_BLOCK = 16_384
_PART = 128
_FAR = np.uint16(POOLED_DIM + 1)


class _Segment:
    """Up to 65,536 frames: word w of all rows lies together, so that one query word meets many rows in one step."""

    def __init__(self) -> None:
        self.low = np.empty(0, np.uint16)
        self.words = np.empty((_WORDS, 0), np.uint64)

    def append(self, low: NDArray[np.uint16], words: NDArray[np.uint64]) -> None:
        # Copied and not over-allocated: a copy takes a millisecond or two, and memory is what is scarce.
        self.low = np.concatenate((self.low, low))
        self.words = np.concatenate((self.words, words), axis=1)

    def keep(self, rows: NDArray[np.bool_]) -> None:
        self.low, self.words = self.low[rows], np.ascontiguousarray(self.words[:, rows])


class ResidentBits:
    """Not thread-safe: whoever shares it holds a lock."""

    def __init__(self) -> None:
        self._segments: dict[int, _Segment] = {}

    def __len__(self) -> int:
        return sum(len(segment.low) for segment in self._segments.values())

    @property
    def nbytes(self) -> int:
        """Bytes reserved for all rows."""
        return sum(segment.low.nbytes + segment.words.nbytes for segment in self._segments.values())

    def put(self, frame_ids: Sequence[int], bits: bytes) -> None:
        """Add or replace. `bits`: 128 bytes per frame in the order of the ids, which must all differ."""
        ids = np.asarray(frame_ids, np.int64)
        self.remove(ids)
        rows = np.frombuffer(bits, "<u8").reshape(len(ids), _WORDS)
        for upper in np.unique(ids >> _SHIFT).tolist():
            here = (ids >> _SHIFT) == upper
            segment = self._segments.setdefault(upper, _Segment())
            segment.append((ids[here] & 0xFFFF).astype(np.uint16), rows[here].T)

    def remove(self, frame_ids: Ids | Sequence[int]) -> None:
        """Forget frames; those that are not there are passed over."""
        ids = np.asarray(frame_ids, np.int64)
        for upper in np.unique(ids >> _SHIFT).tolist():
            segment = self._segments.get(upper)
            if segment is None:
                continue
            rows = ~np.isin(segment.low, (ids[(ids >> _SHIFT) == upper] & 0xFFFF).astype(np.uint16))
            if not rows.all():
                segment.keep(rows)
            if not len(segment.low):
                del self._segments[upper]

    def closest(self, query: NDArray[np.float32], limit: int, allowed: Ids | None = None) -> Ids:
        """Ids of the frames whose bits come nearest to the query's direction, best first; about `limit` of them.

        First the bits that differ from the query's own are counted for every row. What is among the `limit` best (ties
        go along) is then weighed by the query's numbers: the sum of those on whose side the row's bit stands. That
        orders much better than the count, and costs little for so few. `allowed`: look at these frames only.
        """
        words = np.packbits(query > 0, bitorder="little").view("<u8").astype(np.uint64)
        chosen = self._chosen(self._distances(words, allowed), limit)
        ids = [(upper << _SHIFT) + segment.low[rows].astype(np.int64) for (upper, segment), rows in chosen]
        sides = [self._sides(segment, rows, query) for (_, segment), rows in chosen]
        if not ids:
            return np.empty(0, np.int64)
        found, side = np.concatenate(ids), np.concatenate(sides)
        return found[np.lexsort((-found, -side))]

    def _distances(self, query: NDArray[np.uint64], allowed: Ids | None) -> list[NDArray[np.uint16]]:
        counted = []
        for upper, segment in self._segments.items():
            distances = _count(segment, query)
            if allowed is not None:
                distances[~_marked(segment, allowed[(allowed >> _SHIFT) == upper])] = _FAR
            counted.append(distances)
        return counted

    def _chosen(
        self, counted: Sequence[NDArray[np.uint16]], limit: int
    ) -> list[tuple[tuple[int, _Segment], NDArray[np.int64]]]:
        """Rows of each segment up to the distance that takes in `limit` rows of all."""
        histogram = np.zeros(int(_FAR) + 1, np.int64)
        for distances in counted:
            histogram += np.bincount(distances, minlength=len(histogram))
        within = np.cumsum(histogram[:-1])
        if not within[-1]:
            return []
        bound = int(np.searchsorted(within, min(limit, int(within[-1]))))
        pairs = zip(self._segments.items(), counted, strict=True)
        return [(place, np.flatnonzero(distances <= bound)) for place, distances in pairs]

    @staticmethod
    def _sides(segment: _Segment, rows: NDArray[np.int64], query: NDArray[np.float32]) -> NDArray[np.float32]:
        sums = np.empty(len(rows), np.float32)
        # One small piece of memory used again and again; no BLAS, whose threads wait for each other on a busy machine.
        wide = np.empty((_PART, POOLED_DIM), np.float32)
        for part in _slices(len(rows), _PART):
            words = np.ascontiguousarray(segment.words[:, rows[part]].T, "<u8")
            used = wide[: len(words)]
            used[:] = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
            np.einsum("ij,j->i", used, query, out=sums[part])
        return sums


def _count(segment: _Segment, query: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """uint16: how many bits of each row differ from the query's."""
    distances = np.zeros(len(segment.low), np.uint16)
    differing, few, more = np.empty(_BLOCK, np.uint64), np.empty(_BLOCK, np.uint8), np.empty(_BLOCK, np.uint8)
    for part in _slices(len(segment.low), _BLOCK):
        size = part.stop - part.start
        # Three counts of at most 64 fit into one byte; adding bytes is several times cheaper than adding wider numbers.
        for first in range(0, _WORDS, 3):
            for word in range(first, min(first + 3, _WORDS)):
                into = few if word == first else more
                np.bitwise_xor(segment.words[word, part], query[word], out=differing[:size])
                np.bitwise_count(differing[:size], out=into[:size])
                if word != first:
                    np.add(few[:size], more[:size], out=few[:size])
            np.add(distances[part], few[:size], out=distances[part])
    return distances


def _marked(segment: _Segment, allowed: Ids) -> NDArray[np.bool_]:
    """Which rows are of the allowed frames (all of this segment)."""
    table = np.zeros(1 << _SHIFT, np.bool_)
    table[allowed & 0xFFFF] = True
    return table[segment.low]


def _slices(count: int, size: int) -> Iterator[slice]:
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))
