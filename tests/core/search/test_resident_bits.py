"""Resident bits find what a plain comparison of all rows finds, through any order of adding and removing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hivemind.mind.vector_codec import sign_bits
from hivemind.search.resident_bits import ResidentBits

CHANCE = np.random.default_rng(5)
VECTORS = CHANCE.standard_normal((40, 1024)).astype(np.float32)
BITS = [sign_bits(one) for one in VECTORS]
#: Ids on both sides of a segment's border, and far away.
IDS = [1, 2, 65_534, 65_535, 65_536, 65_537, 131_072, 5_000_000_000]


def plainly(held: dict[int, int], query: np.ndarray, limit: int) -> list[int]:
    """Rows by the number of equal signs, ties with the last one in; then by the query's weight on their side."""
    signs = {frame: VECTORS[number] > 0 for frame, number in held.items()}
    apart = {frame: int(np.sum(sign != (query > 0))) for frame, sign in signs.items()}
    if not apart:
        return []
    bound = sorted(apart.values())[min(limit, len(apart)) - 1]
    chosen = [frame for frame in held if apart[frame] <= bound]
    return sorted(chosen, key=lambda frame: (-float(query[signs[frame]].sum()), -frame))


STEPS = st.lists(
    st.tuples(st.booleans(), st.lists(st.sampled_from(IDS), min_size=1, unique=True), st.integers(0, 32)), max_size=8
)


@settings(deadline=None)
@given(STEPS, st.integers(1, 9), st.integers(0, 39), st.one_of(st.none(), st.sets(st.sampled_from(IDS))))
def test_the_closest_are_those_of_a_plain_comparison(
    steps: list[tuple[bool, list[int], int]], limit: int, asked: int, allowed: set[int] | None
) -> None:
    resident, held = ResidentBits(), dict[int, int]()
    for adding, frames, first in steps:
        if adding:
            numbers = [(first + at) % 40 for at in range(len(frames))]
            resident.put(frames, b"".join(BITS[number] for number in numbers))
            held.update(zip(frames, numbers, strict=True))
        else:
            resident.remove(frames)
            held = {frame: number for frame, number in held.items() if frame not in frames}
    assert len(resident) == len(held)
    query = VECTORS[asked] + VECTORS[(asked + 1) % 40] / 2
    seen = held if allowed is None else {frame: number for frame, number in held.items() if frame in allowed}
    ids = None if allowed is None else np.array(sorted(allowed), np.int64)
    found = resident.closest(query, limit, ids).tolist()
    expected = plainly(seen, query, limit)
    weights = {frame: float(query[VECTORS[held[frame]] > 0].sum()) for frame in expected}
    assert sorted(found) == sorted(expected)
    assert [weights[frame] for frame in found] == pytest.approx([weights[frame] for frame in expected], abs=1e-2)


def test_many_rows_take_130_bytes_each_and_give_them_back() -> None:
    resident, count = ResidentBits(), 100_000
    bits = CHANCE.integers(0, 256, (count, 128), np.uint8)
    for start in range(0, count, 64):
        part = range(start + 1, min(start + 64, count) + 1)
        resident.put(part, bits[start : start + 64].tobytes())
    assert len(resident) == count
    assert resident.nbytes / count <= 130
    resident.remove(np.arange(1, 90_001))
    assert len(resident) == 10_000
    assert resident.nbytes <= 130 * 10_000
    query = np.where(np.unpackbits(bits[95_000], bitorder="little") > 0, 1.0, -1.0).astype(np.float32)
    assert resident.closest(query, 1)[0] == 95_001
