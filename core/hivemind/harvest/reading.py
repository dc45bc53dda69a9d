"""The child's side of an import: open, recognise, read, assemble, and send batches of one transaction each."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from hivemind.domain.harvest import HarvestEvent, ImportPreview, ItemFailed, ItemSkipped, SourceProgress
from hivemind.domain.protocols import CompanionAdapter
from hivemind.domain.surveys import ImportOptions
from hivemind.errors import HiveMindError, SourceUnreadable
from hivemind.harvest.assembly import Assembly
from hivemind.harvest.choices import Choice
from hivemind.harvest.detection import preview, recognise, recognise_all
from hivemind.harvest.prepared import (
    CHUNK_FRAMES,
    CHUNK_MESSAGES,
    Batch,
    ItemOutcome,
    PreparedChunk,
    SourceEnded,
    SourceOpened,
)
from hivemind.harvest.screening import Screening
from hivemind.harvest.sorting import Recognised
from hivemind.harvest.sources import OpenedSource, Part
from hivemind.readers.process import ReaderProcess

_EVERY = 0.1
_SMALL_ITEM = 8


class Reading(NamedTuple):
    """What to read. Items below `first` are passed over; of item `first`, the first `skip` messages are.

    `options` None: those `remembered` for what the source turns out to be. `allowed`: see `Screening`.
    """

    path: str
    source: str
    spool: str | None
    first: int = 0
    skip: int = 0
    options: ImportOptions | None = None
    remembered: Mapping[str, ImportOptions] | None = None
    allowed: frozenset[bytes] = frozenset()


def preview_source(path: str, spool: str | None = None) -> Iterator[ImportPreview]:
    """`detection.preview` as a reader's target."""
    yield preview(Path(path), spool)


def preview_apart(path: Path, spool: Path) -> ImportPreview:
    """`detection.preview` in a process of its own, which may crash on what it finds. Waits for it."""
    with ReaderProcess(preview_source, (str(path), str(spool))) as reader:
        answer = reader.receive()
    assert isinstance(answer, ImportPreview)
    return answer


def read_source(reading: Reading) -> Iterator[SourceOpened | Batch | SourceEnded]:
    """SourceOpened, then Batches in order, then SourceEnded. Of a source of several kinds only SourceOpened.

    Raises what opening and recognising raise, and SourceUnreadable when every part is damaged.
    """
    path = Path(reading.path)
    with OpenedSource(path, reading.spool) as source:
        several = recognise_all(source) if reading.source == "auto" else (recognise(source, reading.source),)
        found = several[0]
        kinds = tuple(one.adapter.name for one in several)
        # Of several kinds each is read by itself, later: the damage of one is not that of the others.
        broken = _broken(found.parts) if len(kinds) == 1 else {}
        total = sum(part.size for part in found.parts)
        names = tuple(part.name for part in found.parts)
        mark = source.fingerprint()
        name, label = found.adapter.name, found.adapter.label
        options = reading.options or (reading.remembered or {}).get(name, ImportOptions())
        yield SourceOpened(name, label, source.name, mark, total, names, options, kinds)
        if len(kinds) > 1:
            return
        assembly = Assembly(
            name, label, reading.spool, first=reading.first, skip=reading.skip,
            screening=Screening(reading.allowed, options.tool_content), choice=Choice(options),
        )  # fmt: skip
        batching = _Batching(assembly)
        try:
            for event in source_events(source, found, broken):
                yield from batching.take(event)
            yield from batching.flush()
        finally:
            assembly.close()
        yield SourceEnded(batching.items)


def source_events(
    source: OpenedSource, found: Recognised, broken: Mapping[str, HiveMindError] = MappingProxyType({})
) -> Iterator[HarvestEvent]:
    """Everything the source says, then what is left out of it. `broken`: parts that are known to be damaged."""
    adapter = found.adapter
    if isinstance(adapter, CompanionAdapter):
        adapter = adapter.beside(source.parts)
    items = 0
    for event in _events(adapter.read, found.parts, broken):
        items = max(items, getattr(event, "ordinal", -1) + 1)
        yield event
    yield from _left_out(found, source, items)


class _Batching:
    """Groups what is ready until a transaction is full or somebody has waited long enough."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._entries: list[PreparedChunk | ItemOutcome] = []
        self._messages = 0
        self._frames = 0
        self._done = 0
        self._title = ""
        self._sent = time.monotonic()
        self.items = 0

    def take(self, event: HarvestEvent) -> Iterator[Batch]:
        ordinal = getattr(event, "ordinal", None)
        if ordinal is not None:
            self.items = max(self.items, ordinal + 1)
        if isinstance(event, SourceProgress):
            self._done = event.done
            if self._due():
                yield from self.flush()
            return
        for entry in self._assembly.take(event):
            messages, frames = _size(entry)
            if self._messages + messages > CHUNK_MESSAGES or self._frames + frames > CHUNK_FRAMES:
                yield from self.flush()
            self._entries.append(entry)
            self._messages += messages
            self._frames += frames
            if isinstance(entry, PreparedChunk):
                self._title = entry.item.title

    def _due(self) -> bool:
        return time.monotonic() - self._sent >= _EVERY

    def flush(self) -> Iterator[Batch]:
        missing, self._assembly.attachments_missing = self._assembly.attachments_missing, 0
        yield Batch(tuple(self._entries), self._done, self._title, missing)
        self._entries, self._messages, self._frames = [], 0, 0
        self._sent = time.monotonic()


def _size(entry: PreparedChunk | ItemOutcome) -> tuple[int, int]:
    """(messages, frames) that writing an entry comes to; an empty item costs a little too."""
    if isinstance(entry, PreparedChunk):
        return len(entry.messages), sum(len(message.pieces) for message in entry.messages) + 1
    return _SMALL_ITEM, 0


def _broken(parts: tuple[Part, ...]) -> dict[str, HiveMindError]:
    """Damaged parts by name: known before anything is written. Raises when no part is whole."""
    broken: dict[str, HiveMindError] = {}
    for part in parts:
        try:
            part.verify()
        except SourceUnreadable as error:
            broken[part.name] = error
    if broken and len(broken) == len(parts):
        raise next(iter(broken.values()))
    return broken


def _left_out(found: Recognised, source: OpenedSource, items: int) -> Iterator[HarvestEvent]:
    """Files that nothing is imported from, each with its reason, and archives inside that stayed shut."""
    for number, left in enumerate(found.left_out, items):
        yield ItemSkipped(number, None, left.name, left.reason)
    for number, shut in enumerate(source.closed if found.first else (), items + len(found.left_out)):
        yield ItemFailed(number, shut.name, f"{shut.fault.title}. {shut.fault.hint}")


def _events(read: object, parts: tuple[Part, ...], broken: Mapping[str, HiveMindError]) -> Iterator[HarvestEvent]:
    """Events of all parts as of one source: ordinals and bytes go on counting; a broken part costs only itself."""
    assert callable(read)
    ordinals = done = 0
    total = sum(part.size for part in parts)
    for part in parts:
        first = ordinals
        if part.name in broken:
            yield ItemFailed(ordinals, part.name, f"{broken[part.name].title}. {broken[part.name].hint}")
            ordinals += 1
            done += part.size
            continue
        try:
            for event in read(part):
                if isinstance(event, SourceProgress):
                    yield SourceProgress(done + event.done, total)
                    continue
                if (ordinal := getattr(event, "ordinal", None)) is not None:
                    event = replace(event, ordinal=first + ordinal) if first else event
                    ordinals = max(ordinals, first + ordinal + 1)
                yield event
        except HiveMindError as error:
            if len(parts) == 1:
                raise
            yield ItemFailed(ordinals, part.name, error.title)
            ordinals += 1
        done += part.size
