"""Attachments of a ChatGPT export: their names from the lists beside them or from their first bytes, their texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from hivemind.domain.protocols import HarvestSource
from hivemind.errors import ImportFault
from hivemind.harvest.companions import is_asset_map
from hivemind.readers.json_stream import WholeItem, json_items, keys_by_depth
from hivemind.readers.text import DecodedText, decode

#: Bytes of a list beside the conversations, and of one text that is taken along.
_LIST_CAP = 64 << 20
_TEXT_CAP = 4 << 20
_HEAD = 4096
_KINDS = (
    (b"\x89PNG\r\n", "png"), (b"\xff\xd8\xff", "jpg"), (b"GIF8", "gif"), (b"%PDF-", "pdf"), (b"PK\x03\x04", "zip"),
    (b"OggS", "ogg"), (b"ID3", "mp3"), (b"\x1aE\xdf\xa3", "webm"), (b"{\\rtf", "rtf"), (b"SQLite format 3", "sqlite"),
)  # fmt: skip
_TEXTS = frozenset(
    {
        "txt", "md", "markdown", "csv", "tsv", "log", "json", "jsonl", "yaml", "yml", "toml", "ini", "cfg", "py", "js",
        "ts", "java", "c", "h", "cpp", "cs", "go", "rs", "rb", "php", "sh", "sql", "tex", "srt", "vtt",
    }
)  # fmt: skip


def kind_of(head: bytes) -> str:
    """The usual ending for what these first bytes are, 'txt' for text, '' when they do not tell."""
    for magic, ending in _KINDS:
        if head.startswith(magic):
            return ending
    if head[:4] == b"RIFF":
        return {b"WEBP": "webp", b"WAVE": "wav"}.get(head[8:12], "")
    if head[4:8] == b"ftyp":
        return "m4a" if head[8:11] == b"M4A" else "mp4"
    return "txt" if head and b"\x00" not in head and _is_utf8(head) else ""


def _is_utf8(head: bytes) -> bool:
    try:
        head[: max(0, len(head) - 4) or len(head)].decode("utf-8")
    except UnicodeDecodeError as error:
        return len(head) > 8 and error.start > len(head) - 8
    return True


class AssetIndex:
    """The files beside the conversations, by id and by name. Holds names only; bytes are read when asked for."""

    def __init__(self, parts: Sequence[HarvestSource] = ()) -> None:
        self._parts: dict[str, HarvestSource] = {}
        self._names: dict[str, str] = {}
        for part in parts:
            base = _base(part.name)
            self._parts.setdefault(base, part)
            if base.lower().endswith(".json") and part.size <= _LIST_CAP:
                self._names.update(_listed(part))
        self._by_id: dict[str, str] = {}
        for base in self._parts:
            self._by_id.setdefault(_file_id(base), base)
        self._stored: dict[str, list[str]] = {}
        for base, name in self._names.items():
            if base in self._parts:
                self._stored.setdefault(name, []).append(base)

    def name_of(self, asset: str) -> str:
        """What a file was called, by its id or stored name: from the lists, else by its first bytes; '' if unknown."""
        base = self._base_of(asset)
        for key in (asset, base, _file_id(base)):
            if key and self._names.get(key):
                return self._names[key]
        if not base:
            return ""
        ending = kind_of(self._head(base)) if base.endswith(".dat") or "." not in base else ""
        stem = base.removesuffix(".dat")
        return f"{stem}.{ending}" if ending else ""

    def text_of(self, asset: str, name: str) -> str:
        """The text of an attachment whose bytes came along and are plain text; '' for every other one."""
        base = self._base_of(asset) or self._only(name)
        part = self._parts.get(base)
        ending = (name or base).rsplit(".", 1)[-1].lower()
        if part is None or part.size > _TEXT_CAP or (ending not in _TEXTS and ending != "dat"):
            return ""
        try:
            with part.open() as stream:
                data: bytes = stream.read(_TEXT_CAP)
        except ImportFault:
            return ""
        wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        plain = kind_of(data[:_HEAD]) == "txt" or (ending in _TEXTS and (wide or b"\x00" not in data))
        return decode(data)[0] if plain else ""

    def _base_of(self, asset: str) -> str:
        if asset in self._parts:
            return asset
        return self._by_id.get(asset, f"{asset}.dat" if f"{asset}.dat" in self._parts else "") if asset else ""

    def _only(self, name: str) -> str:
        """The one stored file that was called so; names that several had tell nothing."""
        found = self._stored.get(name, [])
        if len(found) == 1:
            return found[0]
        return name if not found and name in self._parts and not name.lower().endswith(".json") else ""

    def _head(self, base: str) -> bytes:
        try:
            with self._parts[base].open() as stream:
                return bytes(stream.read(_HEAD))
        except ImportFault:
            return b""


def _base(name: str) -> str:
    return name.replace("\\", "/").rsplit("/", 1)[-1]


def _file_id(base: str) -> str:
    """`file-abc` of `file-abc-photo.png`, `file_00aa` of `file_00aa.dat`; the stem of every other name."""
    stem = base.rsplit(".", 1)[0] if "." in base else base
    for mark in ("file-", "file_"):
        if stem.startswith(mark):
            return mark + stem[len(mark) :].split("-", 1)[0]
    return stem


def _listed(part: HarvestSource) -> Iterator[tuple[str, str]]:
    """(stored name or id, the person's own name) pairs of a list of attachments; nothing for other JSON."""
    try:
        with part.open() as stream:
            head = stream.read(1 << 14)
        if is_asset_map(head):
            with part.open() as stream:
                yield from _pairs(json.loads(decode(stream.read(_LIST_CAP))[0]))
        elif {"file_id", "file_name"} <= keys_by_depth(head)[0]:
            yield from _library(part)
    except (ImportFault, ValueError, RecursionError):
        return


def _pairs(found: object) -> Iterator[tuple[str, str]]:
    for key, name in found.items() if isinstance(found, dict) else ():
        if isinstance(name, str) and name.strip():
            yield _base(key), _base(name.strip())[:200]


def _library(part: HarvestSource) -> Iterator[tuple[str, str]]:
    stream = DecodedText(part.open())
    try:
        for item in json_items(stream):
            value: Any = item.value if isinstance(item, WholeItem) else None
            if not isinstance(value, dict):
                continue
            file_id, name, ending = value.get("file_id"), value.get("file_name"), value.get("file_extension")
            if isinstance(file_id, str) and isinstance(name, str) and name.strip():
                plain = _base(name.strip())
                known = isinstance(ending, str) and ending.strip(". ") and "." not in plain
                yield file_id, (f"{plain}.{str(ending).strip('. ')}" if known else plain)[:200]
    finally:
        stream.close()
