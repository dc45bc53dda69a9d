"""Surveys: what is in the files that were dropped, counted while the person looks on; nothing is written to a mind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from hivemind.domain.surveys import Survey, SurveyPage, SurveySource, SurveyState
from hivemind.engine.context import Context
from hivemind.engine.survey_count import SurveyCount
from hivemind.errors import Cancelled, HiveMindError, InvalidValue, ReadOnlyPlace, RunNotFound
from hivemind.events import Progress
from hivemind.harvest.reading import preview_apart
from hivemind.harvest.survey import Surveying, SurveyOpened, SurveyStep, survey_source
from hivemind.harvest.survey_rows import SurveyRows
from hivemind.mind import Mind, MindTransaction
from hivemind.readers.process import ReaderProcess
from hivemind.storage.faults import translate

_TELL_EVERY = 0.1


@dataclass(slots=True)
class _Running:
    """A survey at work or ended, until it is closed."""

    count: SurveyCount
    rows: SurveyRows
    mind: Mind
    wanted: str
    task: asyncio.Task[None] | None = None
    reader: ReaderProcess | None = None
    stopped: bool = False
    told: float = 0.0


class SurveyService:
    """Surveys of one process, by id. Each has a private file for its items until `close`."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._running: dict[int, _Running] = {}
        self._ids = count(1)

    async def begin(self, paths: Sequence[Path], workspace: str = "personal", source: str = "auto") -> Survey:
        """Recognise every path, then count in the background. What cannot be read is a source with its error.

        Raises InvalidValue without a path, ReadOnlyPlace, and what opening the mind raises.
        """
        if not paths:
            raise InvalidValue("There is nothing to look at", "Choose a file, a folder or a ZIP.")
        mind = await self._context.mind(workspace)
        spool = self._context.data.spool
        sources = await asyncio.gather(*(_recognised(number, path, spool) for number, path in enumerate(paths)))
        survey_id = next(self._ids)
        try:
            rows = await asyncio.to_thread(SurveyRows, spool)
        except OSError as fault:
            raise ReadOnlyPlace(details=type(fault).__name__) from fault
        running = _Running(SurveyCount(survey_id, workspace, sources), rows, mind, source)
        self._running[survey_id] = running
        running.task = asyncio.create_task(self._work(running))
        return running.count.snapshot()

    async def snapshot(self, survey_id: int) -> Survey:
        """Totals so far. Raises RunNotFound."""
        return self._get(survey_id).count.snapshot()

    async def items(
        self, survey_id: int, offset: int = 0, limit: int = 100, *, containing: str = "", outcome: str = ""
    ) -> SurveyPage:
        """One page of items, also while counting goes on. `containing`: part of a title. Raises RunNotFound."""
        rows = self._get(survey_id).rows
        return await asyncio.to_thread(rows.page, max(0, offset), max(0, limit), containing, outcome)

    async def wait(self, survey_id: int) -> Survey:
        """The survey when counting has ended. Cancelling the wait does not stop it."""
        running = self._get(survey_id)
        if running.task is not None:
            await asyncio.shield(running.task)
        return running.count.snapshot()

    async def cancel(self, survey_id: int) -> Survey:
        """Stop counting; what was counted can still be read."""
        running = self._get(survey_id)
        running.stopped = True
        if running.reader is not None:
            running.reader.kill()
        return await self.wait(survey_id)

    async def close(self, survey_id: int) -> None:
        """Forget a survey and its file. Raises RunNotFound."""
        await self.cancel(survey_id)
        running = self._running.pop(survey_id, None)
        if running is not None:
            await asyncio.to_thread(running.rows.close)

    async def close_all(self) -> None:
        """The program ends."""
        for survey_id in list(self._running):
            with suppress(HiveMindError):
                await self.close(survey_id)

    def _get(self, survey_id: int) -> _Running:
        running = self._running.get(survey_id)
        if running is None:
            raise RunNotFound("This survey is closed", "Drop the files again.")
        return running

    async def _work(self, running: _Running) -> None:
        for source in running.count.sources:
            if source.source and not running.stopped:
                await self._survey(running, source)
        running.count.end(cancelled=running.stopped)
        self._tell(running, always=True)

    async def _survey(self, running: _Running, source: SurveySource) -> None:
        """One source to its end, or to its fault, which costs only itself."""
        try:
            allowed = await running.mind.read(lambda tx: tx.suppressions.not_secrets())
            what = Surveying(source.path, running.wanted, str(self._context.data.spool), allowed)
            running.reader = await asyncio.to_thread(ReaderProcess, survey_source, (what,))
            while (answer := await self._receive(running)) is not None:
                if isinstance(answer, SurveyOpened):
                    running.count.open(source.number, answer)
                elif isinstance(answer, SurveyStep):
                    await self._add(running, source, answer)
                self._tell(running)
        except Cancelled:
            running.stopped = True
        except HiveMindError as error:
            running.count.fail(source.number, f"{error.title}. {error.hint}")
        finally:
            if running.reader is not None:
                running.reader.close()
                running.reader = None

    async def _receive(self, running: _Running) -> object | None:
        if running.stopped or running.reader is None:
            raise Cancelled
        return await asyncio.to_thread(running.reader.receive)

    async def _add(self, running: _Running, source: SurveySource, step: SurveyStep) -> None:
        ids = [row.item_id for row in step.rows if row.item_id is not None]
        known = await running.mind.read(lambda tx: _known(tx, step.source, ids)) if ids else frozenset()
        items = running.count.add(source.number, step, known)
        try:
            await asyncio.to_thread(running.rows.append, items)
        except OSError as fault:
            raise translate(fault, self._context.data.spool) from fault

    def _tell(self, running: _Running, *, always: bool = False) -> None:
        now = time.monotonic()
        if now - running.told < _TELL_EVERY and not always:
            return
        running.told = now
        survey = running.count.snapshot()
        self._context.events.publish(
            Progress(
                survey.id, "survey", survey.workspace, survey.state, survey.done, survey.total, survey.items,
                survey.messages, 0, survey.current, finished=survey.state is not SurveyState.RUNNING,
            )
        )  # fmt: skip


def _known(tx: MindTransaction, source: str, item_ids: Sequence[str]) -> frozenset[str]:
    return frozenset(one for one in item_ids if tx.sessions.find_item(source, one) is not None)


async def _recognised(number: int, path: Path, spool: Path) -> SurveySource:
    """What a path seems to be. A fault is part of the answer."""
    place = SurveySource(number, str(path.absolute()), path.name or str(path), "", "", 0, ())
    try:
        seen = await asyncio.to_thread(preview_apart, path.absolute(), spool)
    except HiveMindError as error:
        return replace(place, label=error.title, error=f"{error.title}. {error.hint}")
    why = "" if seen.source else seen.label
    return replace(place, source=seen.source, label=seen.label, size=seen.size, parts=seen.parts, error=why)
