"""Relevance of many frames at once equals that of each, and the addends are the formula."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hivemind.clock import stamp
from hivemind.domain.frames import Importance
from hivemind.domain.search import Profile
from hivemind.search.relevance import Standing, Weigher
from hivemind.search.relevance_spread import Standings, addends, shares

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MOMENT = st.datetimes(datetime(1970, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)).map(stamp)
FRAME = st.tuples(
    st.builds(Standing, MOMENT, MOMENT, st.integers(0, 10_000), st.sampled_from(list(Importance))),
    st.none() | st.integers(0, 5),
)


def columns(frames: list[tuple[Standing, int | None]]) -> Standings:
    return Standings(
        [max(one.moment, one.last_accessed) for one, _ in frames],
        [one.access_count for one, _ in frames],
        [str(one.importance) for one, _ in frames],
        [steps for _, steps in frames],
    )


@settings(deadline=None)
@given(st.lists(FRAME, max_size=8), st.sampled_from(list(Profile)), st.booleans())
def test_many_at_once_are_as_each_alone(frames, profile, with_graph):  # type: ignore[no-untyped-def]
    weigher = Weigher.of(profile, NOW, with_graph=with_graph)
    told = shares(columns(frames), weigher)
    assert told.shape == (len(frames), 4)
    for row, (standing, steps) in zip(told, frames, strict=True):
        assert np.allclose(row, weigher.weigh(standing, steps).shares, rtol=1e-12, atol=1e-15)


@settings(deadline=None)
@given(st.lists(FRAME, min_size=1, max_size=8), st.sampled_from(list(Profile)))
def test_the_addends_are_the_formula(frames, profile):  # type: ignore[no-untyped-def]
    weigher = Weigher.of(profile, NOW)
    told = addends(shares(columns(frames), weigher), profile).sum(axis=1)
    relevance = np.array([weigher.weigh(standing, steps).relevance for standing, steps in frames])
    width = relevance.max() - relevance.min()
    band = 0.05 if profile is Profile.BALANCED else 0.10
    if width < 1e-9:
        assert np.all(told == 0)
    else:
        assert np.allclose(told, band * (relevance - relevance.mean()) / width, atol=1e-9)
        assert told.max() - told.min() == pytest.approx(band)
