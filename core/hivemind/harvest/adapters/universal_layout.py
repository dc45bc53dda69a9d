"""How a file of unknown origin lays out its talks: found in its first objects, or refused with what was seen."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

from hivemind.errors import SourceUnknown
from hivemind.harvest.adapters.universal_fields import (
    MESSAGE_LISTS,
    TALK_LISTS,
    Fields,
    fields_of,
    message_list,
    pair_of,
)
from hivemind.harvest.adapters.universal_rows import Row
from hivemind.readers.json_stream import DamagedJson

_ROWS = 30
_SAMPLES = 200
_NEXT = "Nothing was imported. Drop the ZIP or folder as you downloaded it, or a file whose messages have the keys"


class Layout(NamedTuple):
    """`kind`: talks (an object is one, with a list of messages), wrapped (talks in a list of one object), messages (an
    object is one), lists (a list is a talk), pairs (an object is a request and its answer)."""

    kind: str
    fields: Fields
    container: str = ""
    pair: tuple[str, str] = ("", "")


def layout_of(rows: Iterable[Row]) -> Layout:
    """From the first objects of a file. Raises SourceUnknown, whose hint says what is there and what would do."""
    values: list[Any] = []
    for row in islice(rows, _ROWS):
        value = row.whole if row.whole is not None else _beginning(row)
        if not row.reason and value:
            values.append(value)
    found = _layout(values)
    if found is None:
        raise SourceUnknown("This file holds no talk that can be told for sure", _refusal(values))
    return found


def _beginning(row: Row) -> dict[str, Any]:
    """The scalars and the first of each list of an object too large to hold."""
    value: dict[str, Any] = {}
    try:
        for count, (key, inner, member) in enumerate(row.members):
            if inner is not None and isinstance(value.get(key), list):
                value[key].append(member)
            elif inner is None:
                value[key] = member
            if count > _SAMPLES:
                break
    except DamagedJson:
        pass
    return value


def _layout(values: list[Any]) -> Layout | None:
    lists = [value for value in values if isinstance(value, list)]
    if lists and len(lists) == len(values):
        fields = fields_of(_objects(one for value in lists for one in value), in_talk=True)
        return None if fields is None else Layout("lists", fields)
    objects = _objects(values)
    if not objects or len(objects) < len(values):
        return None
    return _talks(objects) or (_wrapped(objects[0]) if len(objects) == 1 else None) or _rows(objects)


def _talks(objects: list[dict[str, Any]]) -> Layout | None:
    found = [pair for pair in map(message_list, objects) if pair is not None]
    if not found or len(found) * 2 < len(objects):
        return None
    fields = fields_of(_objects(one for _, messages in found for one in messages), in_talk=True)
    return None if fields is None else Layout("talks", fields, found[0][0])


def _wrapped(value: dict[str, Any]) -> Layout | None:
    for name in TALK_LISTS:
        inner = value.get(name)
        found = _talks(_objects(inner)) if isinstance(inner, list) and inner else None
        if found is not None:
            return Layout("wrapped", found.fields, name)
    return None


def _rows(objects: list[dict[str, Any]]) -> Layout | None:
    talk = fields_of(objects, in_talk=True)
    # Names of people are believed where the rows say which talk they belong to, or when it was said.
    fields = talk if talk is not None and (talk.talk or talk.time) else fields_of(objects, in_talk=False)
    if fields is not None:
        return Layout("messages", fields)
    pair = pair_of(objects)
    return None if pair is None else Layout("pairs", Fields("", "", "", "", "", ""), pair=pair)


def _objects(values: Iterable[Any]) -> list[dict[str, Any]]:
    return [value for value in islice(values, _SAMPLES) if isinstance(value, dict)]


def _refusal(values: list[Any]) -> str:
    return f"{described(values)} {_NEXT} role and content."


def described(values: list[Any]) -> str:
    """What is there, for a person: kinds and keys, no content."""
    if not values:
        return "It holds no object that can be read."
    objects = _objects(values)
    if not objects:
        return "It holds lists or plain values, no objects."
    keys = sorted({str(key)[:30] for one in objects for key in one})
    shown = ", ".join(keys[:8]) + (" and others" if len(keys) > 8 else "")
    several = "objects" if len(values) > 1 else "an object"
    lists = [name for name in MESSAGE_LISTS if isinstance(objects[0].get(name), list)]
    inner = _objects(objects[0][lists[0]]) if lists else []
    inside = f"; in “{lists[0]}”: {', '.join(sorted(str(key)[:30] for key in inner[0])[:8])}" if inner else ""
    return f"It holds {several} with the keys {shown}{inside}."
