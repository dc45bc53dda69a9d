"""Days, months and years as half-open spans of stamps, for the date filters of a search. All in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from hivemind.clock import parse_stamp, stamp
from hivemind.errors import InvalidDate

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
#: Sorts after every stamp that can be stored.
END_OF_TIME = "9999-12-31T23:59:59.999Z~"


def find_span(text: str) -> tuple[str, str] | None:
    """`2025`, `2025-06` or `2025-06-30` as (first stamp in it, first stamp after it); None when it is no such date."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = (None if group is None else int(group) for group in match.groups())
    try:
        start = datetime(year or 0, month or 1, day or 1, tzinfo=UTC)
        return stamp(start), _after(start, month is not None, day is not None)
    except ValueError:
        return None


def _after(start: datetime, has_month: bool, has_day: bool) -> str:
    try:
        if has_day:
            return stamp(start + timedelta(days=1))
        if has_month:
            later = start + timedelta(days=31)
            return stamp(later.replace(day=1))
        return stamp(start.replace(year=start.year + 1))
    except (OverflowError, ValueError):
        return END_OF_TIME


def span_of(text: str) -> tuple[str, str]:
    """A date as in `find_span`, or a full stamp as a span of one millisecond. Raises InvalidDate."""
    span = find_span(text.strip())
    if span is not None:
        return span
    try:
        moment = parse_stamp(text.strip())
        return stamp(moment), stamp(moment + timedelta(milliseconds=1))
    except (ValueError, OverflowError) as fault:
        raise InvalidDate(details="search filter") from fault
