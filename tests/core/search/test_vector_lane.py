"""The vector lane: nearest first, current frames only, filters inside."""

from __future__ import annotations

from tests.core.search.conftest import Searching
from tests.core.search.test_keyword_lane import add

from hivemind.domain.frames import Importance
from hivemind.domain.search import Hit, Mode, SearchFilters


def rank_of(hit: Hit) -> tuple[int, float]:
    (lane,) = [lane for lane in hit.explanation.lanes if lane.lane == "vector"]
    return lane.rank, lane.raw


def test_it_ranks_by_cosine(meant: Searching) -> None:
    add(meant, "boat", "boat at noon", "zebra", "boat at noon and much more besides")
    meant.embed()
    ranked = sorted((*rank_of(hit), hit.text) for hit in meant.find("ferry midday", mode=Mode.VECTOR).hits)
    assert [rank for rank, _, _ in ranked] == [1, 2, 3, 4]
    assert [raw for _, raw, _ in ranked] == sorted((raw for _, raw, _ in ranked), reverse=True)
    assert ranked[0][2] == "boat at noon"
    assert ranked[-1][2] == "zebra"


def test_a_filter_does_not_empty_it(meant: Searching) -> None:
    add(meant, *(f"boat {n}" for n in range(300)))
    (rare,) = add(meant, "a zebra in the rain", importance=Importance.CRITICAL)
    meant.embed()
    hits = meant.find("ferry", mode=Mode.VECTOR, filters=SearchFilters(importances=(Importance.CRITICAL,))).hits
    assert [hit.frame.id for hit in hits] == [rare]
    assert rank_of(hits[0])[0] == 1


def test_what_is_gone_is_not_near(meant: Searching) -> None:
    ids = add(meant, "boat one", "boat two", "boat three")
    meant.embed()
    meant.write(lambda tx: tx.frames.trash([ids[0]]))
    newer = meant.write(lambda tx: tx.frames.amend(ids[1], "ferry two, corrected"))
    meant.embed()
    assert set(meant.ids("ferry", mode=Mode.VECTOR)) == {newer.id, ids[2]}
    meant.write(lambda tx: tx.frames.restore([ids[0]]))
    assert set(meant.ids("ferry", mode=Mode.VECTOR)) == {newer.id, ids[0], ids[2]}
