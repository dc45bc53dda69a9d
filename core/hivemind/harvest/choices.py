"""What a person chose to bring in: checked, written down with the run, and asked for every item."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from hivemind.domain.surveys import ImportOptions
from hivemind.errors import InvalidDate, InvalidValue

BY_YOU = "left out by you"
TOO_EARLY = "before the chosen dates"
TOO_LATE = "after the chosen dates"
UNDATED = "no date known"
#: Items that one run can leave out by name; more are better left out by dates or titles.
MAX_NAMED = 100_000
_STAMP = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}\.\d{3}Z)?")


def checked(options: ImportOptions) -> ImportOptions:
    """The same, without empty parts. Raises InvalidDate, or InvalidValue for an order of dates that leaves nothing."""
    for value in (options.since, options.until):
        if value:
            _check_day(value)
    if options.since and options.until and options.since[:10] > options.until[:10]:
        raise InvalidValue("The dates leave nothing", "Give a first day that is not after the last one.")
    if len(options.leave_out) > MAX_NAMED:
        raise InvalidValue("Too many conversations are left out by name", "Choose dates or titles instead.")
    titles = tuple(title.strip() for title in options.leave_out_titles if title.strip())
    named = tuple(sorted(set(options.leave_out)))
    since, until = options.since or None, options.until or None
    return replace(options, since=since, until=until, leave_out=named, leave_out_titles=titles)


def _check_day(value: str) -> None:
    if not _STAMP.fullmatch(value):
        raise InvalidDate
    try:
        date.fromisoformat(value[:10])
    except ValueError as error:
        raise InvalidDate from error


def as_json(options: ImportOptions) -> dict[str, Any]:
    """For the run's row."""
    return asdict(options)


def from_json(value: object) -> ImportOptions | None:
    """What `as_json` wrote; None for anything else, so that an erased or older row means "everything"."""
    if not isinstance(value, Mapping):
        return None
    day = {name: str(value[name]) if value.get(name) else None for name in ("since", "until")}
    lists = {name: tuple(str(one) for one in value.get(name) or ()) for name in ("leave_out", "leave_out_titles")}
    return ImportOptions(
        since=day["since"], until=day["until"], leave_out=lists["leave_out"],
        leave_out_titles=lists["leave_out_titles"], tool_content=bool(value.get("tool_content")),
    )  # fmt: skip


def next_time(options: ImportOptions) -> ImportOptions:
    """What holds for the next export of the same source: all but the last day, which would keep new items out."""
    return replace(options, until=None)


class Choice:
    """The options of one run, asked item by item."""

    def __init__(self, options: ImportOptions | None) -> None:
        self._options = options or ImportOptions()
        self._named = frozenset(self._options.leave_out)
        self._titles = tuple(title.casefold() for title in self._options.leave_out_titles)

    def reason(self, item_id: str, title: str, started: str | None, ended: str | None) -> str | None:
        """Why an item stays out, or None. Its title and span are those it would have in the mind."""
        if item_id in self._named:
            return BY_YOU
        if self._titles and any(part in title.casefold() for part in self._titles):
            return BY_YOU
        since, until = self._options.since, self._options.until
        if not since and not until:
            return None
        first, last = started or ended, ended or started
        if first is None or last is None:
            return UNDATED
        if since and last[: len(since)] < since:
            return TOO_EARLY
        return TOO_LATE if until and first[: len(until)] > until else None
