"""The child's side of a survey: read a source as an import would, count and scan, and write nothing anywhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from hivemind.domain.harvest import AttachmentsSeen, HarvestEvent, ItemEnded, MessageRead, SourceProgress
from hivemind.domain.injection import excerpt_of, scan
from hivemind.domain.masking import find_secrets, mask, masked_example
from hivemind.domain.surveys import SurveyItem
from hivemind.harvest.assembly import Assembly
from hivemind.harvest.detection import recognise, recognise_all
from hivemind.harvest.prepared import SEVERAL, ItemOutcome, PreparedChunk
from hivemind.harvest.reading import source_events
from hivemind.harvest.screening import Screening
from hivemind.harvest.sorting import Recognised
from hivemind.harvest.sources import OpenedSource

IMPORT = "import"
_EVERY = 0.1
_ROWS = 500


class Surveying(NamedTuple):
    """What to look at. `allowed`: digests of passages that a person called no secret."""

    path: str
    source: str
    spool: str | None
    allowed: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class Tally:
    """What was met of a kind: `family` secret or instruction, how often, in how many items, a safe example."""

    family: str
    kind: str
    label: str
    count: int
    items: int
    example: str


class SurveyOpened(NamedTuple):
    """First answer: what the source is. `total`: bytes of the unpacked source."""

    source: str
    label: str
    total: int
    parts: tuple[str, ...]


class SurveyStep(NamedTuple):
    """Items since the last answer, of one reader's `source`, and the tallies so far. `rows` have no numbers yet, and
    nobody asked the mind for them. `attachments`: with their text, and only named."""

    source: str
    rows: tuple[SurveyItem, ...]
    tallies: tuple[Tally, ...]
    done: int
    attachments: tuple[int, int]


def survey_source(surveying: Surveying) -> Iterator[SurveyOpened | SurveyStep]:
    """SurveyOpened, then steps until the end. Raises what opening and recognising raise."""
    with OpenedSource(Path(surveying.path), surveying.spool) as source:
        auto = surveying.source == "auto"
        several = recognise_all(source) if auto else (recognise(source, surveying.source),)
        parts = [part for found in several for part in found.parts]
        yield SurveyOpened(
            several[0].adapter.name if len(several) == 1 else SEVERAL,
            " and ".join(found.adapter.label for found in several),
            sum(part.size for part in parts),
            tuple(part.name for part in parts),
        )
        counting = _Counting(surveying)
        try:
            for found in several:
                counting.turn_to(found)
                for event in source_events(source, found):
                    yield from counting.hear(event)
                yield counting.step()
        finally:
            counting.close()


class _LookingAssembly(Assembly):
    """Gathers a conversation as an import does, and stops where the cutting would begin."""

    def _finish(self, end: ItemEnded) -> Iterator[PreparedChunk | ItemOutcome]:
        _, item = self._arranged(end)
        yield PreparedChunk(item, 0, (), True)


class _Counting:
    """One item at a time: what the scans met in it, then its row."""

    def __init__(self, surveying: Surveying) -> None:
        self._spool = surveying.spool
        self._allowed = surveying.allowed
        self._source = ""
        self._assembly: _LookingAssembly | None = None
        self._before = self._size = 0
        self._rows: list[SurveyItem] = []
        self._tallies: dict[tuple[str, str], Tally] = {}
        self._item: dict[tuple[str, str], int] = {}
        self._done = 0
        self._attachments = [0, 0]
        self._sent = time.monotonic()

    def turn_to(self, found: Recognised) -> None:
        """The next reader of the same path; bytes go on counting."""
        self.close()
        self._source = found.adapter.name
        screening = Screening(self._allowed)
        self._assembly = _LookingAssembly(self._source, found.adapter.label, self._spool, screening=screening)
        self._before += self._size
        self._size = sum(part.size for part in found.parts)

    def close(self) -> None:
        if self._assembly is not None:
            self._assembly.close()

    def hear(self, event: HarvestEvent) -> Iterator[SurveyStep]:
        if isinstance(event, SourceProgress):
            self._done = self._before + event.done
        elif isinstance(event, MessageRead):
            self._look(event)
        elif isinstance(event, AttachmentsSeen):
            self._attachments[0] += event.text
            self._attachments[1] += event.missing
        assert self._assembly is not None
        for entry in self._assembly.take(event):
            self._row(entry)
        if len(self._rows) >= _ROWS or time.monotonic() - self._sent >= _EVERY:
            yield self.step()

    def step(self) -> SurveyStep:
        """What has gathered since the last step."""
        with_text, missing = self._attachments
        rows, tallies = tuple(self._rows), tuple(self._tallies.values())
        step = SurveyStep(self._source, rows, tallies, self._done, (with_text, missing))
        self._rows = []
        self._sent = time.monotonic()
        return step

    def _look(self, message: MessageRead) -> None:
        self._attachments[1] += len(message.attachments)
        text = message.spoken if message.spoken.strip() else message.text
        for secret in find_secrets(text, self._allowed):
            self._meet("secret", secret.kind, secret.label, masked_example(text, secret))
        if not message.spoken.strip():
            return
        held = scan(message.spoken)
        for one in held.suspicions if held.held else ():
            self._meet("instruction", one.kind, one.label, mask(excerpt_of(message.spoken, one), self._allowed).text)

    def _meet(self, family: str, kind: str, label: str, example: str) -> None:
        key = family, kind
        known = self._tallies.get(key) or Tally(family, kind, label, 0, 0, example)
        before = self._item.get(key, 0)
        self._item[key] = before + 1
        self._tallies[key] = replace(known, count=known.count + 1, items=known.items + (not before))

    def _row(self, entry: PreparedChunk | ItemOutcome) -> None:
        if isinstance(entry, ItemOutcome):
            row = SurveyItem(0, 0, entry.item_id, entry.title, None, None, 0, 0, 0, entry.state, entry.reason, False)
        else:
            item = entry.item
            row = SurveyItem(
                0, 0, item.item_id, item.title, item.started_at, item.ended_at, item.messages, self._met("secret"),
                self._met("instruction"), IMPORT, "", False,
            )  # fmt: skip
        self._rows.append(row)
        self._item = {}

    def _met(self, family: str) -> int:
        return sum(times for (known, _), times in self._item.items() if known == family)
