"""Dates as people write them in a question (“last week”, “in May 2025”, “early March 2024”) as spans of stamps.

English, in UTC, by one list of patterns tried in order. What is no date for certain is left alone: “may” is a month
only behind a word such as “in”, a number a year only behind one or beside a month.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hivemind.clock import stamp
from hivemind.search.dates import END_OF_TIME, find_span

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december")  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "three": 3, "a few": 3, "four": 4, "five": 5,
            "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}  # fmt: skip
#: Of a month: first day, and the last one, where the month's end is not it.
_THIRDS = {"early": (1, 10), "beginning of": (1, 10), "start of": (1, 10), "mid": (11, 20), "middle of": (11, 20),
           "late": (21, 0), "end of": (21, 0)}  # fmt: skip
_BEGINNING = "0000"

_MONTH = "|".join((*MONTHS, *(month[:3] for month in MONTHS if month != "may"), "sept"))
_COUNT = "|".join((r"\d{1,3}", *sorted(_NUMBERS, key=len, reverse=True)))
_THIRD = "|".join(_THIRDS)
_TH = r"(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d{2}"
_OF_YEAR = rf"(?:,?\s+(?P<year>{_YEAR}))?"
_PART = rf"(?:(?P<third>{_THIRD})[\s-]+)?"
#: What stands before a date and says which side of it is meant, or only that it is one.
_LEAD = r"(?:(?P<lead>since|after|before|until|till|by|in|on|during|of|from|for|around)\s+(?:the\s+)?)"


@dataclass(frozen=True, slots=True)
class DateWindow:
    """`text`: as written in the query. `since` inclusive, `before` exclusive, both stamps."""

    text: str
    since: str
    before: str

    def holds(self, moment: str) -> bool:
        """Whether a stamp lies within."""
        return self.since <= moment < self.before


def find_window(text: str, now: datetime) -> DateWindow | None:
    """The first date in a text that is one for certain; None when there is none. `now` is aware."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for pattern, reading in _PATTERNS:
        for match in pattern.finditer(text):
            try:
                span = reading(match, today)
            except (ValueError, OverflowError):
                continue
            # Nothing is remembered from before the year 1000, and stamps sort from there on only.
            if span is not None and span[0].year >= 1000:
                since, before = _sided(match.groupdict().get("lead"), span)
                return DateWindow(match[0], since, before)
    return None


_Span = tuple[datetime, datetime]


def _sided(lead: str | None, span: _Span) -> tuple[str, str]:
    since, before = stamp(span[0]), stamp(span[1])
    word = (lead or "").lower()
    if word == "since":
        return since, END_OF_TIME
    if word == "after":
        return before, END_OF_TIME
    if word == "before":
        return _BEGINNING, since
    if word in {"until", "till", "by"}:
        return _BEGINNING, before
    return since, before


def _iso(match: re.Match[str], today: datetime) -> _Span | None:
    span = find_span(match["date"])
    return None if span is None else (datetime.fromisoformat(span[0]), datetime.fromisoformat(span[1]))


def _day(match: re.Match[str], today: datetime) -> _Span:
    """A day of a month, with its year or in the latest one that has come."""
    month = _month_number(match["month"])
    year = int(match["year"]) if match["year"] else _latest_year(month, today, int(match["day"]))
    start = datetime(year, month, int(match["day"]), tzinfo=UTC)
    return start, start + timedelta(days=1)


def _month(match: re.Match[str], today: datetime) -> _Span:
    month = _month_number(match["month"])
    found = match.groupdict()
    year = int(found["year"]) if found.get("year") else _latest_year(month, today)
    start = datetime(year, month, 1, tzinfo=UTC)
    end = _after_month(start)
    third = (found.get("third") or "").lower()
    if third:
        first, last = _THIRDS[third]
        return start.replace(day=first), start.replace(day=last) + timedelta(days=1) if last else end
    return start, end


def _year(match: re.Match[str], today: datetime) -> _Span:
    start = datetime(int(match["year"]), 1, 1, tzinfo=UTC)
    return start, start.replace(year=start.year + 1)


def _named_day(match: re.Match[str], today: datetime) -> _Span:
    offset = {"day before yesterday": -2, "yesterday": -1, "last night": -1, "tomorrow": 1}.get(match["when"].lower())
    start = today + timedelta(days=offset or 0)
    return start, start + timedelta(days=1)


def _weekday(match: re.Match[str], today: datetime) -> _Span:
    back = (today.weekday() - _DAYS.index(match["weekday"].lower())) % 7 or 7
    start = today - timedelta(days=back)
    return start, start + timedelta(days=1)


def _period(match: re.Match[str], today: datetime) -> _Span:
    """Last, this or next week, weekend, month or year, as calendars have them."""
    step = {"this": 0, "next": 1}.get(match["which"].lower(), -1)
    unit = match["unit"].lower()
    if unit == "year":
        start = datetime(today.year + step, 1, 1, tzinfo=UTC)
        return start, start.replace(year=start.year + 1)
    if unit == "month":
        start = _months_on(today.replace(day=1), step)
        return start, _after_month(start)
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
    return (monday + timedelta(days=5 if unit == "weekend" else 0)), monday + timedelta(days=7)


def _ago(match: re.Match[str], today: datetime) -> _Span:
    """The day so many days ago; of weeks, months and years half a one around it on either side."""
    count, unit = _number(match["count"]), match["unit"].lower()
    if unit == "day":
        start = today - timedelta(days=count)
        return start, start + timedelta(days=1)
    if unit == "week":
        middle, around = today - timedelta(weeks=count), 3
    elif unit == "month":
        middle, around = _months_on(today, -count), 15
    else:
        middle, around = _months_on(today, -12 * count), 182
    return middle - timedelta(days=around), middle + timedelta(days=around + 1)


def _stretch(match: re.Match[str], today: datetime) -> _Span:
    """The last so many days, weeks, months or years, up to the end of today."""
    count, unit = _number(match["count"]), match["unit"].lower()
    if unit in {"day", "week"}:
        start = today - timedelta(days=count * (7 if unit == "week" else 1))
    else:
        start = _months_on(today, -count * (12 if unit == "year" else 1))
    return start, today + timedelta(days=1)


def _number(written: str) -> int:
    return int(written) if written.isdecimal() else _NUMBERS[" ".join(written.lower().split())]


def _month_number(written: str) -> int:
    return next(at for at, name in enumerate(MONTHS, start=1) if name.startswith(written.lower()[:3]))


def _latest_year(month: int, today: datetime, day: int = 1) -> int:
    return today.year if (month, day) <= (today.month, today.day) else today.year - 1


def _after_month(start: datetime) -> datetime:
    return (start.replace(day=1) + timedelta(days=31)).replace(day=1)


def _months_on(day: datetime, months: int) -> datetime:
    """The same day so many months on, or that month's last one when it has no such day."""
    total = day.year * 12 + day.month - 1 + months
    first = day.replace(year=total // 12, month=total % 12 + 1, day=1)
    return min(first + timedelta(days=day.day - 1), _after_month(first) - timedelta(days=1))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b{pattern}\b", re.IGNORECASE)


_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], _Span | None]], ...] = (
    (_compiled(rf"{_LEAD}?(?P<date>{_YEAR}-\d{{1,2}}(?:-\d{{1,2}})?)"), _iso),
    (_compiled(rf"{_LEAD}?(?P<month>{_MONTH})\.?\s+(?P<day>\d{{1,2}}){_TH}{_OF_YEAR}"), _day),
    (_compiled(rf"{_LEAD}?(?P<day>\d{{1,2}}){_TH}\s+(?:of\s+)?(?P<month>{_MONTH})\.?{_OF_YEAR}"), _day),
    (_compiled(rf"{_LEAD}?{_PART}(?P<month>{_MONTH})\.?,?\s+(?:of\s+)?(?P<year>{_YEAR})"), _month),
    (_compiled(rf"(?:{_LEAD}|last\s+){_PART}(?P<month>{_MONTH})"), _month),
    (_compiled(rf"(?P<count>{_COUNT})\s+(?P<unit>day|week|month|year)s?\s+ago"), _ago),
    (_compiled(rf"(?:last|past)\s+(?P<count>{_COUNT})\s+(?P<unit>day|week|month|year)s?"), _stretch),
    (_compiled(r"(?P<which>last|past|previous|this|next)\s+(?P<unit>week|weekend|month|year)"), _period),
    (_compiled(rf"last\s+(?P<weekday>{'|'.join(_DAYS)})"), _weekday),
    (_compiled(r"(?P<when>day before yesterday|yesterday|today|tonight|last night|tomorrow)"), _named_day),
    (_compiled(rf"{_LEAD}(?P<year>{_YEAR})"), _year),
)  # fmt: skip
