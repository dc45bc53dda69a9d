"""One text form for every time, and foreign times that cannot be real are unknown."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.clock import from_epoch, parse_stamp, stamp, system_clock

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@given(st.datetimes(datetime(1990, 1, 2), datetime(2200, 1, 1), timezones=st.just(UTC)))
def test_a_stamp_reads_back_to_the_millisecond_and_sorts_like_time(moment: datetime):
    text = stamp(moment)
    assert len(text) == 24 and text.endswith("Z")
    assert timedelta(0) <= moment - parse_stamp(text) < timedelta(milliseconds=1)
    assert (stamp(moment + timedelta(seconds=1)) > text) is True


def test_zones_are_converted_and_missing_ones_refused():
    assert stamp(datetime(2026, 5, 4, 10, 11, 12, tzinfo=timezone(timedelta(hours=2)))) == "2026-05-04T08:11:12.000Z"
    with pytest.raises(ValueError, match="zone"):
        stamp(datetime(2026, 1, 1))
    with pytest.raises(ValueError, match="zone"):
        parse_stamp("2026-01-01T00:00:00")
    assert system_clock().tzinfo is UTC


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1700000000, "2023-11-14T22:13:20.000Z"),
        (1700000000.25, "2023-11-14T22:13:20.250Z"),
        (1700000000250, "2023-11-14T22:13:20.250Z"),
        ("1700000000", "2023-11-14T22:13:20.000Z"),
        (0, None), (-1, None), (float("nan"), None), (float("inf"), None), (True, None), (None, None), ("soon", None),
        (4_000_000_000, None), (1e300, None), ([], None),
    ],
)  # fmt: skip
def test_epochs_in_seconds_or_milliseconds(value, expected):
    assert from_epoch(value, NOW) == expected


@given(st.floats() | st.integers() | st.text())
def test_no_foreign_time_raises_or_leaves_the_bounds(value):
    found = from_epoch(value, NOW)
    assert found is None or "1990" <= found[:4] <= "2027"
