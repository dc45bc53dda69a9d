"""The items of a big JSON file one by one, never the whole file: small ones as values, large ones in members.

Small items are decoded by the standard library over a sliding window (faster than an event parser, keeps lone
surrogates apart, and a damaged item does not cost its neighbours); an item over the cap is read as events by ijson,
member by member. Both give the same values.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ijson.backends import yajl2_c
from ijson.common import IncompleteJSONError, JSONError, ObjectBuilder

from hivemind.errors import SourceUnreadable
from hivemind.readers.json_spans import MAX_DEPTH, TooDeep, ValueSpan, safe_escapes
from hivemind.readers.text import DecodedText

#: Characters of one item that may be in memory at once.
ITEM_CAP = 8_000_000
#: Characters of one member of a large item.
MEMBER_CAP = 64_000_000
_WINDOW = 1 << 18
_PIECE = 1 << 16
_SPACE = re.compile(r"[ \t\r\n]*")
_SEPARATOR = re.compile(r"[ \t\r\n,]*")
_SCALAR = re.compile(r"[^,\]]*")


@dataclass(frozen=True, slots=True)
class WholeItem:
    """An item decoded. `start`: byte position of its first character."""

    value: Any
    start: int


@dataclass(frozen=True, slots=True)
class LargeItem:
    """An item over the cap. `members` yields (key, inner key or None, value) and must be used before the next item.

    The value of a key in `deep` comes as (key, None, {}) or (key, None, []) and then one inner member at a time; those
    of an array have their number as inner key. Raises DamagedJson.
    """

    members: Iterator[tuple[str, str | None, Any]]
    start: int


@dataclass(frozen=True, slots=True)
class DamagedItem:
    """An item that cannot be read, with a reason for a person that names the byte."""

    start: int
    reason: str


class DamagedJson(ValueError):
    """Raised by `LargeItem.members`; the text is a reason for a person."""


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not allowed in JSON")


# Not strict: raw control characters inside strings are let in here and taken out by `text.sanitise`.
_DECODER = json.JSONDecoder(parse_constant=_no_constant, strict=False)


class _Window:
    """A stretch of text that slides over the stream. `at`: where reading goes on."""

    def __init__(self, stream: DecodedText) -> None:
        self.stream = stream
        self.text = ""
        self.at = 0
        self.ended = False
        self._known_at = 0
        self._known_byte = 0

    def byte(self, offset: int | None = None) -> int:
        """The byte position of an offset (default: `at`), counted in UTF-8."""
        offset = self.at if offset is None else offset
        if offset < self._known_at:
            return self._known_byte - _bytes(self.text[offset : self._known_at])
        self._known_byte += _bytes(self.text[self._known_at : offset])
        self._known_at = offset
        return self._known_byte

    def grow(self, want: int) -> bool:
        """Drop what lies behind, add about `want` characters; false when the stream has no more."""
        if self.ended:
            return False
        self._known_byte, self._known_at = self.byte(), 0
        parts = [self.text[self.at :]]
        self.at = 0
        while want > 0:
            piece = self.stream.read(min(want, _WINDOW))
            if not piece:
                self.ended = True
                break
            parts.append(piece)
            want -= len(piece)
        self.text = "".join(parts)
        return len(parts) > 1

    def skip(self, pattern: re.Pattern[str]) -> str:
        """Pass over what `pattern` matches; returns the character that follows, '' at the end."""
        while True:
            found = pattern.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.grow(_WINDOW):
                return ""


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def json_items(
    stream: DecodedText, *, deep: str | frozenset[str] = "", cap: int = ITEM_CAP
) -> Iterator[WholeItem | LargeItem | DamagedItem]:
    """Items of the root array, or the root object as the only item. `deep`: see LargeItem.

    Duplicate keys: the last one wins. Raises SourceUnreadable when the text does not begin as JSON.
    """
    window = _Window(stream)
    deep = frozenset({deep}) if isinstance(deep, str) else deep
    first = window.skip(_SPACE)
    if first not in {"[", "{"}:
        raise SourceUnreadable("This file is not JSON" if first else "This file is empty")
    if first == "{":
        yield from _one(window, deep, cap)
        return
    window.at += 1
    while (mark := window.skip(_SEPARATOR)) != "]":
        if mark and mark != "}":
            whole = True
            for item in _one(window, deep, cap):
                whole = whole and not isinstance(item, DamagedItem)
                yield item
            mark = window.skip(_SPACE)
            if mark in {",", "]"}:
                continue
            if not mark and not whole:
                return
        yield DamagedItem(window.byte(), _rest_lost(window, mark))
        return


def _rest_lost(window: _Window, mark: str) -> str:
    at = window.byte()
    return f"Not valid JSON at byte {at}; the rest was left out" if mark else f"The file ends too early, at byte {at}"


def _one(window: _Window, deep: frozenset[str], cap: int) -> Iterator[WholeItem | LargeItem | DamagedItem]:
    """The item that begins at the window's position; afterwards the window stands behind it."""
    start = window.byte()
    while True:
        size = len(window.text) - window.at
        if size > cap:
            yield from _large(window, deep, start)
            return
        try:
            value, end = _DECODER.raw_decode(window.text, window.at)
        except RecursionError:
            yield _damaged(window, start, f"Nested too deeply, in the item at byte {start}")
            return
        except json.JSONDecodeError as error:
            if _may_be_cut(error, len(window.text)) and window.grow(max(_WINDOW, min(size, cap))):
                continue
            yield _damaged(window, start, f"Not valid JSON at byte {window.byte(error.pos)}")
            return
        except ValueError as error:
            yield _damaged(window, start, f"{error}, in the item at byte {start}")
            return
        if end == len(window.text) and not isinstance(value, dict | list) and window.grow(_WINDOW):
            continue
        window.at = end
        yield WholeItem(value, start)
        return


def _large(window: _Window, deep: frozenset[str], start: int) -> Iterator[LargeItem | DamagedItem]:
    if window.text[window.at] not in "[{":
        yield DamagedItem(start, f"The item at byte {start} is too large")
        return
    span = ValueSpan()
    yield LargeItem(_members(_pieces(window, span), deep, start), start)
    for _ in _pieces(window, span, guard=False):
        pass


def _may_be_cut(error: json.JSONDecodeError, length: int) -> bool:
    """Whether the error can come from the text stopping at `length`, and not from what stands there."""
    return error.msg.startswith("Unterminated string") or error.pos >= length - 16


def _damaged(window: _Window, start: int, reason: str) -> DamagedItem:
    """Move behind a damaged item by its brackets alone, so that its neighbours can be read."""
    if window.text[window.at] not in "[{":
        found = _SCALAR.match(window.text, window.at)
        window.at = found.end() if found else len(window.text)
        return DamagedItem(start, reason)
    span = ValueSpan()
    for _ in _pieces(window, span, guard=False):
        pass
    if not span.ended:
        reason = f"The file ends too early, at byte {window.byte()}, in the item at byte {start}"
    return DamagedItem(start, reason)


def _pieces(window: _Window, span: ValueSpan, *, guard: bool = True) -> Iterator[str]:
    """The item's text in pieces, moving the window along. Raises TooDeep when guarded."""
    while not span.ended:
        if window.at >= len(window.text) and not window.grow(_PIECE):
            return
        piece = window.text[window.at : window.at + _PIECE]
        used = span.feed(piece, 0)
        window.at += used
        if guard and span.deepest > MAX_DEPTH:
            raise TooDeep
        yield piece[:used]


class _Bytes:
    """Pieces of text as the binary file that ijson reads, with a cap on what one member may take."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = safe_escapes(pieces)
        self.since = 0

    def read(self, size: int = -1) -> bytes:
        if size == 0:
            return b""
        for piece in self._pieces:
            if piece:
                self.since += len(piece)
                if self.since > MEMBER_CAP:
                    raise DamagedJson(f"One message is larger than {MEMBER_CAP // 1_000_000} MB")
                # Decoded text may still hold real lone surrogates only by way of escapes; those are gone by now.
                return piece.encode("utf-8", "replace")
        return b""


def _members(pieces: Iterator[str], deep: frozenset[str], start: int) -> Iterator[tuple[str, str | None, Any]]:
    source = _Bytes(pieces)
    # `use_float` also keeps whole numbers to 64 bits: without it the parser crashes on one of 5,000 digits.
    events = yajl2_c.basic_parse(source, use_float=True, buf_size=_PIECE)
    try:
        if next(events, ("", None))[0] != "start_map":
            return
        for event, value in events:
            if event == "end_map":
                return
            key = value
            event, value = next(events)
            if key in deep and event in {"start_map", "start_array"}:
                yield key, None, ({} if event == "start_map" else [])
                for inner, built in _inner(events, event):
                    yield key, inner, built
                    source.since = 0
            else:
                yield key, None, _build(events, event, value)
                source.since = 0
    except TooDeep:
        raise DamagedJson(f"Nested too deeply, in the item at byte {start}") from None
    except StopIteration:
        raise DamagedJson(f"The file ends too early, in the item at byte {start}") from None
    except JSONError as error:
        early = isinstance(error, IncompleteJSONError) and "EOF" in str(error)
        what = "The file ends too early" if early else "Not valid JSON"
        raise DamagedJson(f"{what}, in the item at byte {start}") from None


def _inner(events: Iterator[tuple[str, Any]], opened: str) -> Iterator[tuple[str, Any]]:
    """(key, value) of an object, (number, value) of an array, whose opening event was already taken."""
    number = 0
    for event, value in events:
        if event in {"end_map", "end_array"}:
            return
        if opened == "start_map":
            following = next(events, None)
            if following is None:
                raise IncompleteJSONError("EOF")
            yield value, _build(events, *following)
        else:
            yield str(number), _build(events, event, value)
            number += 1


def members_of(value: dict[str, Any], deep: frozenset[str]) -> Iterator[tuple[str, str | None, Any]]:
    """A decoded item as `LargeItem.members` would give it."""
    for key, member in value.items():
        if key in deep and isinstance(member, dict | list):
            yield key, None, ({} if isinstance(member, dict) else [])
            pairs = member.items() if isinstance(member, dict) else enumerate(member)
            for inner, one in pairs:
                yield key, str(inner), one
        else:
            yield key, None, member


def _build(events: Iterator[tuple[str, Any]], event: str, value: Any) -> Any:
    """One value whose first event was already taken."""
    if event not in {"start_map", "start_array"}:
        return value
    builder = ObjectBuilder()
    builder.event(event, value)
    depth = 1
    while depth:
        event, value = next(events)
        builder.event(event, value)
        depth += (event in {"start_map", "start_array"}) - (event in {"end_map", "end_array"})
    return builder.value


def keys_by_depth(head: bytes, levels: int = 6) -> list[set[str]]:
    """Keys of objects by how many objects enclose them, as far as the (cut off) head shows. For detection."""
    found: list[set[str]] = [set() for _ in range(levels)]
    depth = 0
    text = _head_text(head)
    try:
        for event, value in yajl2_c.basic_parse(_Bytes(iter([text])), use_float=True):
            if event == "start_map":
                depth += 1
            elif event == "end_map":
                depth -= 1
            elif event == "map_key" and depth <= levels:
                found[depth - 1].add(value)
    except (JSONError, DamagedJson):
        pass
    return found


def _head_text(head: bytes) -> str:
    stream = DecodedText(io.BytesIO(head))
    return "".join(iter(stream.read, ""))
