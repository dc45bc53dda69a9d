"""Days, months and weeks of a report. The last day is in; months are those of the calendar, never 30 days."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from hivemind.errors import InvalidDate, InvalidValue


@dataclass(frozen=True, slots=True)
class Period:
    """From the first moment of `since` to the last of `until`, UTC. Raises InvalidValue when the days are exchanged."""

    since: date
    until: date

    def __post_init__(self) -> None:
        if self.until < self.since:
            raise InvalidValue("The period ends before it begins", "Exchange the two days.")
        if self.until.year > 9000:
            raise InvalidValue("The period ends too far in the future", "Choose an earlier day.")

    @property
    def first(self) -> str:
        """Stamp of its first moment."""
        return f"{self.since}T00:00:00.000Z"

    @property
    def end(self) -> str:
        """Stamp of the first moment that is no longer in."""
        return f"{self.until + timedelta(days=1)}T00:00:00.000Z"

    def months(self) -> Iterator[str]:
        """`YYYY-MM` of every month it touches."""
        month = self.since.replace(day=1)
        while month <= self.until:
            yield f"{month:%Y-%m}"
            month = date.fromisoformat(add_months(month.isoformat(), 1))

    def weeks(self) -> Iterator[str]:
        """First days of its weeks, counted from its first day. The last one may be short."""
        day = self.since
        while day <= self.until:
            yield day.isoformat()
            day += timedelta(days=7)


def period_of(since: str | None, until: str | None, today: str) -> Period:
    """A period from what a person typed: a day, a month (`2026-10`) or a year. Without: the last six months.

    Raises InvalidDate, InvalidValue.
    """
    last = _day(until, last=True) if until else date.fromisoformat(today)
    first = _day(since, last=False) if since else date.fromisoformat(add_months(last.isoformat(), -6))
    return Period(first, last)


def add_months(day: str, months: int) -> str:
    """The same day so many calendar months later; the month's last where it is shorter. `day`: ISO."""
    start = date.fromisoformat(day)
    index = start.year * 12 + start.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(start.day, calendar.monthrange(year, month + 1)[1])).isoformat()


def whole_months(earlier: str, later: str) -> int:
    """Calendar months between two days that are over; 0 when the second is before the first."""
    if later < earlier:
        return 0
    first, last = date.fromisoformat(earlier), date.fromisoformat(later)
    months = (last.year - first.year) * 12 + last.month - first.month
    return months if add_months(earlier, months) <= later else months - 1


def _day(text: str, *, last: bool) -> date:
    whole = text.strip()
    try:
        if len(whole) == 4:
            return date(int(whole), 12, 31) if last else date(int(whole), 1, 1)
        if len(whole) == 7:
            month = date.fromisoformat(f"{whole}-01")
            return month.replace(day=calendar.monthrange(month.year, month.month)[1]) if last else month
        return date.fromisoformat(whole[:10] if whole[10:11] == "T" else whole)
    except ValueError as fault:
        raise InvalidDate(details=whole[:40]) from fault
