"""Reciprocal rank fusion against the formula, written out here a second time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.search import LaneRank
from hivemind.search.fusion import Lane, fuse, rrf

RANKED = st.lists(st.integers(1, 60), unique=True, max_size=40)


@given(RANKED, RANKED, RANKED)
def test_the_score_is_the_seeds_formula(first: list[int], second: list[int], third: list[int]) -> None:
    ranked = {"keyword": first, "cjk": second, "vector": third}
    places = fuse([Lane(name, tuple((one, -1.0) for one in ids)) for name, ids in ranked.items()])
    assert set(places) == {*first, *second, *third}
    for frame_id, ranks in places.items():
        by_hand = 0.0
        for ids in ranked.values():
            for position, one in enumerate(ids):
                if one == frame_id:
                    by_hand += 1 / (60 + position + 1)
        assert abs(rrf(ranks) - by_hand) < 1e-15


def test_the_first_place_of_one_lane() -> None:
    places = fuse([Lane("keyword", ((7, -3.5),))])
    assert places == {7: (LaneRank("keyword", 1, -3.5),)}
    assert rrf(places[7]) == 1 / 61


def test_a_frame_counts_once_per_lane() -> None:
    places = fuse([Lane("keyword", ((7, -3.5), (7, -1.0), (8, -0.5)))])
    assert places[7] == (LaneRank("keyword", 1, -3.5),)
    assert places[8] == (LaneRank("keyword", 3, -0.5),)
