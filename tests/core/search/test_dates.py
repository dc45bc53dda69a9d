"""Date filters: half-open spans, calendar edges, and a named error for anything else."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.clock import stamp
from hivemind.errors import InvalidDate
from hivemind.search.dates import find_span, span_of

DAYS = st.dates(min_value=date(1, 1, 1), max_value=date(9999, 12, 30))


@given(DAYS)
def test_a_day_runs_to_the_next(day: date) -> None:
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    assert find_span(day.isoformat()) == (stamp(start), stamp(start + timedelta(days=1)))


@given(st.dates(min_value=date(1, 1, 1), max_value=date(9999, 11, 30)))
def test_a_month_holds_its_days_and_no_other(day: date) -> None:
    span = find_span(f"{day.year:04d}-{day.month:02d}")
    assert span is not None
    last = calendar.monthrange(day.year, day.month)[1]
    assert span[0] == stamp(datetime(day.year, day.month, 1, tzinfo=UTC))
    assert span[1] == stamp(datetime(day.year, day.month, last, tzinfo=UTC) + timedelta(days=1))


def test_a_year_and_the_end_of_time() -> None:
    assert find_span("2024") == ("2024-01-01T00:00:00.000Z", "2025-01-01T00:00:00.000Z")
    for text in ("9999", "9999-12", "9999-12-31"):
        span = find_span(text)
        assert span is not None
        assert span[1] > "9999-12-31T23:59:59.999Z"


@pytest.mark.parametrize("text", ["0000", "2025-13", "2025-02-29", "2025-6-", "25-06-01", "yesterday", "", "２０２５"])
def test_what_is_no_date(text: str) -> None:
    assert find_span(text) is None
    with pytest.raises(InvalidDate):
        span_of(text)


def test_a_stamp_is_one_millisecond_whatever_its_zone() -> None:
    assert span_of("2025-06-30T23:30:00.500-02:00") == ("2025-07-01T01:30:00.500Z", "2025-07-01T01:30:00.501Z")
    with pytest.raises(InvalidDate):
        span_of("2025-06-30T23:30:00")
