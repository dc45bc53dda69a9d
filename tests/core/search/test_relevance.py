"""The four signals and the profiles against Appendix C, written out here a second time."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.clock import stamp
from hivemind.domain.frames import Importance
from hivemind.domain.search import Profile
from hivemind.search.relevance import Standing, Weigher, age_days, popularity, temporal

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
APPENDIX_C = {
    "balanced": (0.40, 0.20, 0.20, 0.20),
    "recent": (0.60, 0.10, 0.20, 0.10),
    "important": (0.10, 0.10, 0.20, 0.60),
    "connected": (0.10, 0.10, 0.60, 0.20),
}
LEVELS = {"critical": 2.0, "important": 1.5, "normal": 1.0, "temporary": 0.7, "deprecated": 0.3}
AGES = st.floats(-400, 4_000).map(lambda days: timedelta(days=round(days, 3)))


@given(
    AGES,
    AGES,
    st.integers(0, 10_000),
    st.sampled_from(list(Importance)),
    st.sampled_from(list(Profile)),
    st.booleans(),
    st.sampled_from([None, 0, 1, 2, 3, 4, 9]),
)
def test_relevance_is_the_papers_sum(
    event: timedelta,
    opened: timedelta,
    count: int,
    level: Importance,
    profile: Profile,
    with_graph: bool,
    distance: int | None,
) -> None:
    standing = Standing(stamp(NOW - event), stamp(NOW - opened), count, level)
    days = min(event, opened).total_seconds() / 86_400
    t, p, c, i = APPENDIX_C[profile]
    if not with_graph:
        t, p, c, i = t / (t + p + i), p / (t + p + i), 0.0, i / (t + p + i)
    decay = 1.0 if days <= 7 else 0.5 ** (days / 30)
    near = {0: 1.0, 1: 0.7, 2: 0.4, 3: 0.2}.get(9 if distance is None else distance, 0.0)
    by_hand = t * decay + p * (1 + 0.1 * math.log10(1 + count)) + c * near + i * LEVELS[level]
    weigher = Weigher.of(profile, NOW, with_graph=with_graph)
    weighed = weigher.weigh(standing, distance if with_graph else None)
    found = weigher.signals(weighed)
    assert [one.name for one in found] == ["temporal", "popularity", "contextual", "importance"]
    assert abs(weighed.relevance - by_hand) < 1e-9
    assert abs(sum(one.weight * one.value for one in found) - by_hand) < 1e-9
    assert abs(sum(one.weight for one in found) - 1.0) < 1e-12
    assert all(one.reason for one in found)


@pytest.mark.parametrize(
    ("days", "expected"), [(-3.0, 1.0), (0.0, 1.0), (7.0, 1.0), (7.01, 0.5 ** (7.01 / 30)), (30.0, 0.5), (90.0, 0.125)]
)
def test_temporal_at_its_edges(days: float, expected: float) -> None:
    assert temporal(days) == pytest.approx(expected, abs=1e-12)


def test_popularity_grows_with_the_logarithm() -> None:
    assert popularity(0) == 1.0
    assert popularity(9) == pytest.approx(1.1)
    assert popularity(999) == pytest.approx(1.3)


def test_opening_an_old_memory_makes_it_young_again() -> None:
    event = "2020-01-01T00:00:00.000Z"
    assert age_days(Standing(event, event, 0, Importance.NORMAL), NOW) > 2_000
    assert age_days(Standing(event, stamp(NOW - timedelta(days=2)), 1, Importance.NORMAL), NOW) == 2.0
