"""Filters written into a search line: `"a phrase" source:claude before:2025-06 importance:critical pinned:yes`.

The line stays the only truth: chips are read from it and change it. Unlike `query.parse`, which takes every text as
it is, this reading names what cannot be meant, so that a person who types a filter learns how it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from hivemind.clock import parse_stamp, stamp
from hivemind.domain.frames import FrameType, Importance
from hivemind.domain.search import SearchFilters, SearchRequest
from hivemind.errors import InvalidFilter
from hivemind.search.dates import END_OF_TIME, find_span

NAMES = ("source", "session", "importance", "type", "pinned", "after", "before", "until")
_ALSO = {"since": "after", "kind": "type"}
# A phrase is passed over whole: what looks like a filter inside quotes is text.
_PIECE = re.compile(r'"[^"]*"|“[^”]*”|(?<!\S)(?P<name>[A-Za-z]+):(?:"(?P<quoted>[^"]*)"|(?P<bare>\S*))(?!\S)')
_YES, _NO = frozenset({"yes", "true", "1"}), frozenset({"no", "false", "0"})
_TYPES = {"i": FrameType.I, "first": FrameType.I, "p": FrameType.P, "added": FrameType.P}


@dataclass(frozen=True, slots=True)
class TypedFilter:
    """One filter as written: characters start..end of the line. `name` is one of NAMES."""

    name: str
    value: str
    start: int
    end: int


def typed_filters(line: str) -> tuple[TypedFilter, ...]:
    """The filters of a search line, in order; any other `word:` is text. Never fails."""
    return tuple(_found(line))


def words_of(line: str) -> str:
    """The line without its filters: what is searched for."""
    left, last = "", 0
    for one in _found(line):
        left += line[last : one.start].rstrip() + " "
        last = one.end
    return (left + line[last:].lstrip() if last else line).strip()


def with_filter(line: str, name: str, value: str) -> str:
    """The line with this filter in force, in the place of one of the same name. An empty value takes it out."""
    bare = without_filter(line, name)
    if not value:
        return bare
    written = f'{name}:"{value}"' if re.search(r"\s", value) else f"{name}:{value}"
    return f"{bare} {written}".strip()


def without_filter(line: str, name: str) -> str:
    """The line without every filter of this name."""
    for one in reversed(typed_filters(line)):
        if one.name == name:
            before, after = line[: one.start].rstrip(), line[one.end :].lstrip()
            line = f"{before} {after}".strip()
    return line


def request_of(line: str, request: SearchRequest) -> SearchRequest:
    """`request` with the words and filters of the line. Raises InvalidFilter, which names the filter and its form."""
    filters = request.filters
    seen: set[str] = set()
    for one in _found(line):
        if one.name in seen:
            raise InvalidFilter(f"“{one.name}:” is written twice", "Keep one of the two.")
        seen.add(one.name)
        filters = _applied(filters, one)
    return replace(request, query=words_of(line), filters=filters)


def _found(line: str) -> Iterator[TypedFilter]:
    for piece in _PIECE.finditer(line):
        if piece["name"] is None:
            continue
        name = piece["name"].lower()
        name = _ALSO.get(name, name)
        if name in NAMES:
            value = piece["quoted"] if piece["quoted"] is not None else piece["bare"]
            yield TypedFilter(name, value.strip(), piece.start(), piece.end())


def _applied(filters: SearchFilters, one: TypedFilter) -> SearchFilters:
    if not one.value:
        raise InvalidFilter(f"“{one.name}:” has no value yet", _HOW[one.name])
    if one.name == "source":
        return replace(filters, source=one.value.lower())
    if one.name == "session":
        return replace(filters, session_id=one.value)
    if one.name == "importance":
        return replace(filters, importances=_importances(one))
    if one.name == "type":
        return replace(filters, types=_types(one))
    if one.name == "pinned":
        return replace(filters, pinned=_pinned(one))
    return _dated(filters, one)


def _importances(one: TypedFilter) -> tuple[Importance, ...]:
    try:
        wanted = {Importance(part) for part in one.value.lower().split(",")}
    except ValueError as fault:
        raise _bad(one) from fault
    return tuple(level for level in Importance if level in wanted)


def _types(one: TypedFilter) -> tuple[FrameType, ...]:
    parts = one.value.lower().split(",")
    if not all(part in _TYPES for part in parts):
        raise _bad(one)
    return tuple(dict.fromkeys(_TYPES[part] for part in parts))


def _pinned(one: TypedFilter) -> bool:
    value = one.value.lower()
    if value not in _YES | _NO:
        raise _bad(one)
    return value in _YES


def _dated(filters: SearchFilters, one: TypedFilter) -> SearchFilters:
    """`after:` from the start of the day, month or year; `before:` earlier than its start; `until:` up to its end."""
    span = find_span(one.value)
    if span is None:
        raise _bad(one)
    try:
        if one.name == "after":
            return replace(filters, since=stamp(parse_stamp(span[0])))
        if one.name == "until" and span[1] == END_OF_TIME:
            return filters
        end = parse_stamp(span[0] if one.name == "before" else span[1])
        last = stamp(end - timedelta(milliseconds=1))
    except (ValueError, OverflowError) as fault:
        raise _bad(one) from fault
    return replace(filters, until=min(filters.until or END_OF_TIME, last))


def _bad(one: TypedFilter) -> InvalidFilter:
    return InvalidFilter(f"“{one.name}:{one.value[:40]}” was not understood", _HOW[one.name])


_HOW = {
    "source": "Write it as source:chatgpt.",
    "session": "Write it as session: and the id of a session.",
    "importance": f"Write it as importance:critical. Levels are {', '.join(Importance)}.",
    "type": "Write it as type:first for a first memory or type:added for one that adds to it.",
    "pinned": "Write it as pinned:yes or pinned:no.",
    "after": "Write dates as 2025-06-30, 2025-06 or 2025.",
    "before": "Write dates as 2025-06-30, 2025-06 or 2025.",
    "until": "Write dates as 2025-06-30, 2025-06 or 2025.",
}
