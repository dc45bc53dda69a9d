"""Dates as people write them, against a calendar; and what only looks like one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.search.spoken_dates import find_window

#: A Monday.
NOW = datetime(2026, 11, 30, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "since", "before"),
    [
        ("what did I do yesterday?", "2026-11-29", "2026-11-30"),
        ("the day before yesterday", "2026-11-28", "2026-11-29"),
        ("What is on today", "2026-11-30", "2026-12-01"),
        ("who called last night", "2026-11-29", "2026-11-30"),
        ("last week's notes", "2026-11-23", "2026-11-30"),
        ("this week", "2026-11-30", "2026-12-07"),
        ("plans for next month", "2026-12-01", "2027-01-01"),
        ("last weekend", "2026-11-28", "2026-11-30"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("Last Year", "2025-01-01", "2026-01-01"),
        ("last friday", "2026-11-27", "2026-11-28"),
        ("last monday", "2026-11-23", "2026-11-24"),
        ("in May 2025", "2025-05-01", "2025-06-01"),
        ("in may", "2026-05-01", "2026-06-01"),
        ("in December", "2025-12-01", "2026-01-01"),
        ("last December", "2025-12-01", "2026-01-01"),
        ("during Nov", "2026-11-01", "2026-12-01"),
        ("early March 2024", "2024-03-01", "2024-03-11"),
        ("mid-March 2024", "2024-03-11", "2024-03-21"),
        ("end of February, 2024", "2024-02-21", "2024-03-01"),
        ("on 8 May 2023", "2023-05-08", "2023-05-09"),
        ("the 8th of May 2023", "2023-05-08", "2023-05-09"),
        ("on May 8th, 2023", "2023-05-08", "2023-05-09"),
        ("Dec. 24", "2025-12-24", "2025-12-25"),
        ("what happened 2025-06-30", "2025-06-30", "2025-07-01"),
        ("in 2025-06", "2025-06-01", "2025-07-01"),
        ("in 2024", "2024-01-01", "2025-01-01"),
        ("3 days ago", "2026-11-27", "2026-11-28"),
        ("two weeks ago", "2026-11-13", "2026-11-20"),
        ("a month ago", "2026-10-15", "2026-11-15"),
        ("a couple of years ago", "2024-06-01", "2025-06-01"),
        ("in the last 10 days", "2026-11-20", "2026-12-01"),
        ("the past three months", "2026-08-30", "2026-12-01"),
        # The month is a date even where the day is none.
        ("31 February 2025", "2025-02-01", "2025-03-01"),
        ("since May 2025", "2025-05-01", "9999"),
        ("after May 2025", "2025-06-01", "9999"),
        ("before May 2025", "0000", "2025-05-01"),
        ("until the end of May 2025", "0000", "2025-06-01"),
    ],
)
def test_a_date_in_words(query: str, since: str, before: str) -> None:
    window = find_window(query, NOW)
    assert window is not None
    assert (window.since[: len(since)], window.before[: len(before)]) == (since, before)
    assert window.text in query
    assert window.text.strip() == window.text


@pytest.mark.parametrize(
    "query",
    ["may I see it", "march on", "2025 words", "room 2024", "the last dance", "a week of work",
     "second of all", "in 1066", "", "next", "version 2025-13", "3 days", "saturday", "the end of it"],
)  # fmt: skip
def test_what_is_no_date_for_certain(query: str) -> None:
    assert find_window(query, NOW) is None


def test_a_date_that_no_calendar_has_does_not_hide_the_next() -> None:
    window = find_window("not on 31 February 2025 but on 3 March 2025", NOW)
    assert window is not None
    assert window.since.startswith("2025-03-03")


def test_a_window_is_half_open() -> None:
    window = find_window("yesterday", NOW)
    assert window is not None
    assert window.holds("2026-11-29T00:00:00.000Z")
    assert window.holds("2026-11-29T23:59:59.999Z")
    assert not window.holds("2026-11-30T00:00:00.000Z")
    assert not window.holds("2026-11-28T23:59:59.999Z")


@given(
    st.text(),
    st.sampled_from(["last week", "in May", "999 years ago", "next year", "31 June", "the last 999 years", "in 2099"]),
    st.datetimes(datetime(1990, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC)),
)
def test_any_text_at_any_time(text: str, date: str, now: datetime) -> None:
    window = find_window(f"{text} {date}", now)
    assert window is None or window.since < window.before
