"""The sums of a survey, brought up to date with every answer of the reader."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace

from hivemind.domain.harvest import Reason
from hivemind.domain.surveys import Sighting, Survey, SurveyItem, SurveySource, SurveyState
from hivemind.harvest.survey import IMPORT, SurveyOpened, SurveyStep, Tally


class SurveyCount:
    """Totals of all sources of one survey. Used on one event loop."""

    def __init__(self, survey_id: int, workspace: str, sources: Sequence[SurveySource]) -> None:
        self.sources = list(sources)
        self._id = survey_id
        self._workspace = workspace
        self._began = time.monotonic()
        self._state = SurveyState.RUNNING
        self._seconds = 0.0
        self._done = [0] * len(sources)
        self._sizes = [source.size if source.source else 0 for source in sources]
        self._attachments = [(0, 0)] * len(sources)
        self._tallies: list[tuple[Tally, ...]] = [()] * len(sources)
        self._skipped: dict[str, int] = {}
        self._outcomes = {IMPORT: 0, "failed": 0}
        self._items = self._known = self._messages = 0
        self._first_at: str | None = None
        self._last_at: str | None = None
        self._current = ""

    def open(self, number: int, opened: SurveyOpened) -> None:
        """A source is being read."""
        self._sizes[number] = opened.total
        self.sources[number] = replace(
            self.sources[number], source=opened.source, label=opened.label, parts=opened.parts
        )

    def add(self, number: int, step: SurveyStep, known: Collection[str]) -> list[SurveyItem]:
        """Count a step; returns its items with their numbers. `known`: ids that the mind already has."""
        items = []
        for row in step.rows:
            there = row.outcome == IMPORT and row.item_id in known
            item = row._replace(number=self._items, source=number, known=there)
            self._count(item)
            items.append(item)
        self._done[number] = max(self._done[number], step.done)
        self._attachments[number] = step.attachments
        self._tallies[number] = step.tallies
        self.sources[number] = replace(self.sources[number], items=self.sources[number].items + len(items))
        return items

    def _count(self, item: SurveyItem) -> None:
        self._items += 1
        self._current = item.title
        self._messages += item.messages
        self._known += item.known
        if item.outcome == "skipped":
            self._skipped[item.reason] = self._skipped.get(item.reason, 0) + 1
            return
        self._outcomes[item.outcome] += 1
        first, last = item.started_at or item.ended_at, item.ended_at or item.started_at
        if first is not None and last is not None:
            self._first_at = min(first, self._first_at or first)
            self._last_at = max(last, self._last_at or last)

    def fail(self, number: int, error: str) -> None:
        """A source cannot be read, or not to its end."""
        self.sources[number] = replace(self.sources[number], error=error)

    def end(self, *, cancelled: bool) -> None:
        """Nothing more will come."""
        self._seconds = time.monotonic() - self._began
        read = any(source.source and (not source.error or source.items) for source in self.sources)
        ended = SurveyState.FINISHED if read else SurveyState.FAILED
        self._state = SurveyState.CANCELLED if cancelled else ended

    def snapshot(self) -> Survey:
        running = self._state is SurveyState.RUNNING
        return Survey(
            id=self._id,
            workspace=self._workspace,
            state=self._state,
            sources=tuple(self.sources),
            done=sum(self._done),
            total=sum(self._sizes),
            items=self._items,
            importable=self._outcomes[IMPORT],
            known=self._known,
            failed=self._outcomes["failed"],
            skipped=tuple(Reason(reason, count) for reason, count in sorted(self._skipped.items())),
            messages=self._messages,
            first_at=self._first_at,
            last_at=self._last_at,
            secrets=self._sightings("secret"),
            instructions=self._sightings("instruction"),
            attachments_text=sum(text for text, _ in self._attachments),
            attachments_missing=sum(missing for _, missing in self._attachments),
            current=self._current,
            seconds=round(time.monotonic() - self._began if running else self._seconds, 3),
        )

    def _sightings(self, family: str) -> tuple[Sighting, ...]:
        """Over all sources, the commonest kind first."""
        found: dict[str, Sighting] = {}
        for tally in (one for tallies in self._tallies for one in tallies if one.family == family):
            known = found.get(tally.kind)
            found[tally.kind] = Sighting(
                tally.kind, tally.label, tally.count + (known.count if known else 0),
                tally.items + (known.items if known else 0), known.example if known else tally.example,
            )  # fmt: skip
        return tuple(sorted(found.values(), key=lambda one: (-one.count, one.kind)))
