"""The fallback for models without token vectors: its score is the formula, and it still finds a paraphrase."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import SearchEncoder, Searching
from tests.core.search.test_default_recipe import SPEAKERS, TEXT, chat, part

from hivemind.domain.search import Recipe

CONTEXT = {0: 1.0, -1: 0.6, 1: 0.3, -2: 0.3, 2: 0.2}


@pytest.fixture
def pooled(one: Searching) -> Searching:
    one.encoder = SearchEncoder(tokens=False)
    return one


@settings(deadline=None, max_examples=15)
@given(st.lists(st.tuples(st.sampled_from(SPEAKERS), TEXT), min_size=1, max_size=6), TEXT)
def test_the_score_is_the_formula(tmp_path_factory, said, query):  # type: ignore[no-untyped-def]
    searching = Searching(tmp_path_factory.mktemp("fallback"))
    try:
        encoder = searching.encoder = SearchEncoder(tokens=False)
        said = [(speaker, text.replace("用户身份", "boat")) for speaker, text in said]
        query = query.replace("用户身份", "boat")
        ids = chat(searching, *said)
        searching.embed()
        hits = {hit.frame.id: hit for hit in searching.find(query, limit=100).hits}
        assert set(hits) == set(ids)
        asked = encoder.made(query).pooled
        texts = dict(zip(ids, ["a summary", *(f"{speaker}: {text}" for speaker, text in said)], strict=True))
        near = {i: 1.2 * (float(encoder.made(text).pooled @ asked) - 0.2) for i, text in texts.items()}
        raw = {
            i: next((-lane.raw for lane in hit.explanation.lanes if lane.lane == "keyword"), 0.0)
            for i, hit in hits.items()
        }
        best = max(raw.values()) or 1.0
        order = ids[1:]
        for at, frame_id in enumerate(order):
            around = {k: order[at + k] for k in CONTEXT if 0 <= at + k < len(order)}
            assert part(hits[frame_id], "exact") == pytest.approx(
                sum(CONTEXT[k] * raw[other] / best for k, other in around.items()), abs=1e-6
            )
            assert part(hits[frame_id], "meaning") == pytest.approx(
                sum(CONTEXT[k] * near[other] for k, other in around.items()), abs=1e-5
            )
            named = "Ana" in query.split() and hits[frame_id].frame.speaker == "Ana"
            assert part(hits[frame_id], "speaker") == pytest.approx(0.6 * named)
        for hit in hits.values():
            assert abs(math.fsum(one.value for one in hit.explanation.parts) - hit.score) < 1e-6
            assert hit.explanation.late is None
    finally:
        searching.close()


def test_it_finds_a_paraphrase_and_says_what_it_lacks(pooled: Searching) -> None:
    ids = chat(pooled, "zebra", "The boat goes at midday", "zebra again")
    pooled.embed()
    result = pooled.find("ferry departs noon")
    assert result.recipe is Recipe.DEFAULT
    assert "one vector for a whole text" in result.degraded
    assert result.hits[0].frame.id == ids[2]


def test_a_frame_without_a_vector_stands_at_the_level_of_the_unrelated(pooled: Searching) -> None:
    chat(pooled, "zebra")
    pooled.embed()
    fresh = chat(pooled, "the ferry leaves")
    hit = pooled.find("ferry").hits[0]
    assert hit.frame.id == fresh[1]
    assert part(hit, "meaning") == 0
    assert not np.isnan(hit.score)
