"""When a note or a line of a chat was written. Days and months are told apart by the whole file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import NamedTuple

from hivemind.clock import EARLIEST, FUTURE_ALLOWANCE, stamp
from hivemind.domain.protocols import HarvestSource

LOCAL = "local time assumed"
FILE_TIME = "date of the file"
UNDATED = "date unknown"
_FRACTION = re.compile(r"(\.\d{6})\d+")
_NUMERIC = re.compile(
    r"(?P<a>\d{1,4})(?P<mark>[./-])(?P<b>\d{1,2})[./-](?P<c>\d{2,4})\.?,?[\sT]+"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?[\s]*(?P<half>[AaPp]\.?\s?[Mm]\.?)?"
)


class Dated(NamedTuple):
    """A stamp or None, the time as written, and in words where it is from."""

    stamp: str | None
    original: str | None
    source: str


def as_stamp(moment: datetime | None, now: datetime) -> str | None:
    """A moment as a stamp; a naive one is local time. None when it cannot be real."""
    if moment is None:
        return None
    try:
        aware = moment.astimezone(UTC)
        return stamp(aware) if EARLIEST <= aware <= now + FUTURE_ALLOWANCE else None
    except (OverflowError, ValueError, OSError):
        return None


def file_date(source: HarvestSource, now: datetime) -> Dated:
    """The time of the file itself: weak, since copying and syncing reset it."""
    found = as_stamp(source.modified, now)
    return Dated(found, FILE_TIME if found else None, FILE_TIME if found else UNDATED)


def written_date(value: object, now: datetime) -> str | None:
    """A date as notes have it: a day is its midnight in UTC, ISO text, a YAML date. Anything ambiguous is unknown."""
    if isinstance(value, datetime):
        return as_stamp(value, now)
    if isinstance(value, date):
        return as_stamp(datetime(value.year, value.month, value.day, tzinfo=UTC), now)
    if not isinstance(value, str):
        return None
    text = _FRACTION.sub(r"\1", value.strip())
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    whole_day = len(text) <= 10 and moment.tzinfo is None
    return as_stamp(moment.replace(tzinfo=UTC) if whole_day else moment, now)


class DayOrder:
    """Whether 03/04 is the third of April or the fourth of March: decided once for a file, by all of its lines."""

    def __init__(self) -> None:
        self._day_first = self._month_first = False
        self._halves = False
        self._slashes = False
        self._seen = 0
        self._forward: dict[bool, bool] = {True: True, False: True}
        self._last: dict[bool, tuple[int, ...]] = {}

    def see(self, text: str) -> None:
        """Take a time of the file into account."""
        found = _NUMERIC.fullmatch(text.strip())
        if found is None or len(found["a"]) == 4:
            return
        self._seen += 1
        first, second = int(found["a"]), int(found["b"])
        self._day_first = self._day_first or first > 12
        self._month_first = self._month_first or second > 12
        self._halves = self._halves or found["half"] is not None
        self._slashes = self._slashes or found["mark"] == "/"
        for day_first in (True, False):
            key = (int(found["c"]), *((second, first) if day_first else (first, second)))
            self._forward[day_first] = self._forward[day_first] and key >= self._last.get(day_first, key)
            self._last[day_first] = key

    @property
    def day_first(self) -> bool | None:
        """None when the file contradicts itself."""
        if self._day_first or self._month_first:
            return None if self._day_first and self._month_first else self._day_first
        if self._forward[True] != self._forward[False]:
            return self._forward[True]
        return not (self._slashes and self._halves)


def line_time(text: str, order: DayOrder, now: datetime) -> tuple[str | None, str]:
    """(stamp or None, the time as written with a note when the zone is assumed) of a line of a chat."""
    original = " ".join(text.split())[:64]
    moment = _moment(text.strip(), order)
    found = as_stamp(moment, now)
    if found is None or moment is None or moment.tzinfo is not None:
        return found, original
    return found, f"{original} ({LOCAL})"


def _moment(text: str, order: DayOrder) -> datetime | None:
    found = _NUMERIC.fullmatch(text)
    if found is None:
        try:
            return datetime.fromisoformat(_FRACTION.sub(r"\1", text))
        except ValueError:
            return None
    year, month, day = _day(found, order)
    hour, half = int(found["hour"]), (found["half"] or "").lower()[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return datetime(year, month, day, hour, int(found["minute"]), int(found["second"] or 0))
    except ValueError:
        return None


def _day(found: re.Match[str], order: DayOrder) -> tuple[int, int, int]:
    """(year, month, day); zeros when the order is not known."""
    a, b, c = int(found["a"]), int(found["b"]), int(found["c"])
    if len(found["a"]) == 4:
        return a, b, c
    year = c + 2000 if len(found["c"]) == 2 else c
    if order.day_first is None:
        return 0, 0, 0
    return (year, b, a) if order.day_first else (year, a, b)


def first_date(values: Iterable[tuple[str, object]], now: datetime) -> Dated | None:
    """The first of the named values that is a date."""
    for name, value in values:
        found = written_date(value, now)
        if found is not None:
            return Dated(found, f"{name}: {value}"[:64], f"“{name}” in its front matter")
    return None
