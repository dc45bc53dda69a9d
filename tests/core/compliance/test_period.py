"""Days, calendar months and weeks. The last day is in."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.compliance.period import Period, add_months, period_of, whole_months
from hivemind.errors import InvalidDate, InvalidValue

DAYS = st.dates(date(1990, 1, 1), date(2200, 1, 1))


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [("2026-08-31", 6, "2027-02-28"), ("2027-08-31", 6, "2028-02-29"), ("2026-01-15", -6, "2025-07-15"),
     ("2026-12-31", 1, "2027-01-31"), ("2026-03-31", -1, "2026-02-28")],
)  # fmt: skip
def test_months_of_the_calendar(day: str, months: int, expected: str) -> None:
    assert add_months(day, months) == expected


def test_half_a_year_can_be_longer_than_180_days() -> None:
    assert whole_months("2026-03-01", "2026-08-28") == 5
    assert (date(2026, 8, 28) - date(2026, 3, 1)).days == 180
    assert whole_months("2026-03-01", "2026-09-01") == 6


@given(DAYS, st.integers(0, 600))
def test_whole_months_counts_what_add_months_adds(day: date, months: int) -> None:
    later = add_months(day.isoformat(), months)
    assert whole_months(day.isoformat(), later) == months
    before = (date.fromisoformat(later) - timedelta(days=1)).isoformat()
    assert whole_months(day.isoformat(), before) == max(0, months - 1)


@given(DAYS, st.integers(0, 800))
def test_months_and_weeks_cover_the_period(day: date, length: int) -> None:
    period = Period(day, day + timedelta(days=length))
    inside = [day + timedelta(days=number) for number in range(length + 1)]
    assert list(period.months()) == sorted({f"{one:%Y-%m}" for one in inside})
    assert list(period.weeks()) == [one.isoformat() for one in inside[::7]]


def test_the_last_day_is_in() -> None:
    period = period_of("2026-10-01", "2026-10-31", "2026-11-30")
    assert period.first <= "2026-10-31T23:59:59.999Z" < period.end == "2026-11-01T00:00:00.000Z"


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [("2026", "2026", ("2026-01-01", "2026-12-31")), ("2026-02", "2026-02", ("2026-02-01", "2026-02-28")),
     (None, None, ("2026-05-30", "2026-11-30")), (None, "2026-08-31", ("2026-02-28", "2026-08-31")),
     ("2026-01-02T10:00:00Z", "2026-01-02T11:00:00Z", ("2026-01-02", "2026-01-02"))],
)  # fmt: skip
def test_what_a_person_types(since: str | None, until: str | None, expected: tuple[str, str]) -> None:
    period = period_of(since, until, "2026-11-30")
    assert (period.since.isoformat(), period.until.isoformat()) == expected


@pytest.mark.parametrize("text", ["yesterday", "2026-13", "2026-02-30", "20", "99999"])
def test_what_is_no_day_is_named(text: str) -> None:
    with pytest.raises(InvalidDate):
        period_of(text, None, "2026-11-30")


def test_a_period_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(InvalidValue):
        period_of("2026-10-02", "2026-10-01", "2026-11-30")
