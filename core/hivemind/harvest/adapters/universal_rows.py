"""Objects of a file of unknown origin one by one: JSON, JSON lines or a table, in constant memory."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from hivemind.domain.protocols import HarvestSource
from hivemind.errors import SourceUnreadable
from hivemind.harvest.adapters.documents_lines import TextLines, encoding_of, is_text
from hivemind.harvest.adapters.universal_fields import MESSAGE_LISTS, TALK_LISTS, is_message
from hivemind.readers.json_stream import DamagedItem, LargeItem, json_items, members_of
from hivemind.readers.text import DecodedText, decode

#: Characters of one line or cell that may be in memory at once.
ROW_CAP = 16_000_000
_DEEP = frozenset({*MESSAGE_LISTS, *TALK_LISTS})
_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv")
SUFFIXES = (".json", *_LINES, *_TABLES)


class Row(NamedTuple):
    """One object of the file, in members: (key, number in its list or None, value). `container`: the list it is in.

    `reason`: why it cannot be read; then there are no members. `done`: bytes read so far.
    """

    members: Iterator[tuple[str, str | None, Any]]
    container: str
    done: int
    reason: str = ""
    whole: Any = None


def form_of(name: str, head: bytes) -> str:
    """json, lines or table by what stands there, '' for anything else."""
    if not is_text(head):
        return ""
    text, _ = decode(head)
    text = text.lstrip("\ufeff \t\n")
    suffix = PurePosixPath(name.lower()).suffix
    if text[:1] in ("{", "["):
        first, _, rest = text.partition("\n")
        try:
            json.loads(first)
        except (ValueError, RecursionError):
            return "lines" if suffix in _LINES else "json"
        return "lines" if rest.lstrip()[:1] in ("{", "[") or suffix in _LINES else "json"
    header = text.split("\n", 1)[0]
    return "table" if suffix in _TABLES and is_message(set(_columns(header))) else ""


def _columns(header: str) -> list[str]:
    return [name.strip() for name in next(csv.reader([header], delimiter=_delimiter(header)), [])]


def _delimiter(header: str) -> str:
    return max(",;\t", key=header.count)


def rows_of(source: HarvestSource, form: str) -> Iterator[Row]:
    """Every object. Raises SourceUnreadable for a file that does not begin as its form says."""
    if form == "json":
        return _from_json(source)
    return _from_lines(source) if form == "lines" else _from_table(source)


def _from_json(source: HarvestSource) -> Iterator[Row]:
    stream = DecodedText(source.open())
    try:
        for item in json_items(stream, deep=_DEEP):
            if isinstance(item, DamagedItem):
                yield Row(iter(()), "", stream.bytes_read, item.reason)
            elif isinstance(item, LargeItem):
                yield Row(item.members, "", stream.bytes_read)
            else:
                yield _row(item.value, stream.bytes_read)
    finally:
        stream.close()


def _row(value: object, done: int) -> Row:
    if isinstance(value, dict):
        return Row(members_of(value, _DEEP), "", done, whole=value)
    return Row(iter(()), "", done, "" if isinstance(value, list) else "not an object", whole=value)


def _from_lines(source: HarvestSource) -> Iterator[Row]:
    lines = TextLines(source, encoding_of(source))
    for number, text in enumerate(_joined(lines), 1):
        if not text.strip():
            continue
        if len(text) >= ROW_CAP:
            yield Row(iter(()), "", lines.bytes_read, f"Line {number} is larger than {ROW_CAP // 1_000_000} MB")
            continue
        try:
            value = json.loads(text, strict=False)
        except (ValueError, RecursionError):
            yield Row(iter(()), "", lines.bytes_read, f"Line {number} is not valid JSON")
            continue
        yield _row(value, lines.bytes_read)


def _from_table(source: HarvestSource) -> Iterator[Row]:
    lines = TextLines(source, encoding_of(source))
    texts = _joined(lines)
    header = next((text for text in texts if text.strip()), "")
    columns = _columns(header)
    csv.field_size_limit(ROW_CAP)
    reader = csv.reader((text + "\n" for text in texts), delimiter=_delimiter(header))
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Row(iter(()), "", lines.bytes_read, f"Row {reader.line_num} cannot be read ({error})")
            continue
        if any(cell.strip() for cell in cells):
            yield _row(dict(zip(columns, cells, strict=False)), lines.bytes_read)


def _joined(lines: TextLines) -> Iterator[str]:
    """Whole lines, but none over ROW_CAP: what is longer is cut there."""
    held: list[str] = []
    size = 0
    for line in lines:
        if not line.continued and held:
            yield "".join(held)
            held, size = [], 0
        if size < ROW_CAP:
            held.append(line.text)
            size += len(line.text)
    if held:
        yield "".join(held)


def first_form(source: HarvestSource) -> str:
    """`form_of` for an opened source. Raises SourceUnreadable when it is none."""
    with source.open() as stream:
        form = form_of(source.name, stream.read(1 << 16))
    if not form:
        raise SourceUnreadable("This file is neither JSON nor a table of messages")
    return form
