"""The import loop: a child reads, the mind's writer writes, and in between one can pause, cancel and go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from hivemind.domain.harvest import ImportProgress, ImportReport, RunState
from hivemind.domain.surveys import ImportOptions
from hivemind.errors import (
    Cancelled,
    HiveMindError,
    InternalFault,
    NothingToImport,
    ReaderStopped,
    SourceChanged,
    StorageFault,
)
from hivemind.harvest.choices import checked
from hivemind.harvest.items import ItemStore
from hivemind.harvest.prepared import SEVERAL, Batch, SourceEnded, SourceOpened
from hivemind.harvest.reading import Reading, read_source
from hivemind.harvest.report import report
from hivemind.harvest.runs import Run, RunStore
from hivemind.harvest.spool import clear_spool
from hivemind.harvest.undo import undo_run
from hivemind.harvest.writing import BatchWriter
from hivemind.mind import Mind, MindTransaction
from hivemind.readers.process import Limits, ReaderProcess
from hivemind.storage import Priority

T = TypeVar("T")
OnProgress = Callable[[ImportProgress], None]
#: Runs inside the transaction that ends a run: what is written there comes or goes with the run's end.
OnFinish = Callable[[MindTransaction, ImportReport], None]
_STOPPED = "stopped before its end"
_EVERY = 0.1


async def begin_run(
    mind: Mind, paths: Sequence[Path], source: str = "auto", options: ImportOptions | None = None
) -> int:
    """Write down that these paths are to be imported, as one run; several paths are its sources. Returns its id.

    `options` None: as the last import of the same kind of source. Raises InvalidDate or InvalidValue.
    """
    choice = None if options is None else checked(options)
    places = [path.absolute() for path in paths]

    def begin(tx: MindTransaction) -> int:
        runs = RunStore(tx.connection, tx.now)
        if len(places) == 1:
            return runs.begin(source, places[0].name, str(places[0]), choice=choice)
        top = runs.begin(SEVERAL, f"{len(places)} sources", "", choice=choice)
        for place in places:
            runs.begin(source, place.name, str(place), parent_id=top, choice=choice)
        return top

    return await mind.write(begin, Priority.INTERACTIVE)


def _identify(runs: RunStore, run_id: int, opened: SourceOpened) -> None:
    runs.identify(run_id, opened.source, opened.name, opened.fingerprint)
    runs.choose(run_id, opened.options)


class _SeveralKinds(Exception):
    """A source takes several readers: it is imported as that many sources."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self.kinds = kinds


class Importer:
    """Carries one run out, from its beginning or from where an earlier attempt stopped.

    Made and used on one event loop. `spool`: folder for bodies of large conversations (removed when done).
    `error`: why the run ended early, as raised. `on_progress` is called at most ten times a second.
    """

    def __init__(
        self,
        mind: Mind,
        run_id: int,
        *,
        spool: Path | None = None,
        on_progress: OnProgress | None = None,
        on_finish: OnFinish | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.run_id = run_id
        self.error: HiveMindError | None = None
        self._mind = mind
        self._spool = spool
        self._on_progress = on_progress
        self._on_finish = on_finish
        self._limits = limits or Limits()
        self._going = asyncio.Event()
        self._going.set()
        self._stop: RunState | None = None
        self._remove = self._several = False
        self._reader: ReaderProcess | None = None
        self._run: Run | None = None
        self._told = 0.0
        self._items = self._messages = self._frames = 0
        self._done = self._total = 0

    async def run(self) -> ImportReport:
        """Import every source that is not finished yet, and return the run's report; faults are in it.

        A storage fault or a dead reader leaves the run interrupted, to be taken up again; so does cancelling the task.
        """
        if self._spool is not None:
            clear_spool(self._spool)
        family = await self._write(lambda tx: RunStore(tx.connection, tx.now).adopt(self.run_id))
        self._several = len(family) > 1
        waiting = family[1:] or family
        try:
            while waiting:
                source, *waiting = waiting
                if source.state is not RunState.FINISHED and self._stop is None:
                    waiting = [*await self._import(source), *waiting]
        finally:
            # Also on the way out of a cancelled task: the rows must not claim that somebody is at work.
            if self._several:
                await asyncio.shield(self._end_family())
        if self._remove:
            await undo_run(self._mind, self.run_id)
        outcome = await self._mind.read(lambda tx: report(tx.connection, self.run_id))
        self._tell(outcome.state, "", always=True)
        return outcome

    async def pause(self) -> None:
        """Stop after the transaction in hand; the reader waits too."""
        if self._going.is_set() and self._stop is None:
            self._going.clear()
            await self._mark(RunState.PAUSED)

    async def resume(self) -> None:
        if not self._going.is_set():
            await self._mark(RunState.RUNNING)
            self._going.set()

    def cancel(self, *, keep: bool) -> None:
        """End the run soon. `keep`: what is in stays in; else the run is undone."""
        self._remove = not keep
        self._halt(RunState.CANCELLED)

    def interrupt(self) -> None:
        """The program closes: end soon, so that the run can be taken up again."""
        self._halt(RunState.INTERRUPTED)

    def _halt(self, state: RunState) -> None:
        self._stop = self._stop or state
        self._going.set()
        if self._reader is not None:
            self._reader.kill()

    async def _import(self, run: Run) -> list[Run]:
        """One source, with its state in the end whatever happens. Returns what it turned out to be, if several."""
        self._run = run
        try:
            await self._read(run)
        except _SeveralKinds as several:
            kinds = several.kinds
            self._several = True
            return await self._write(lambda tx: RunStore(tx.connection, tx.now).split(run, kinds))
        except asyncio.CancelledError:
            await asyncio.shield(self._end(run, RunState.INTERRUPTED))
            raise
        except HiveMindError as error:
            await self._end(run, self._state_after(error), error)
        except Exception as error:
            # A bug of ours must not leave a run that claims to be at work.
            await self._end(run, RunState.INTERRUPTED, InternalFault(details=type(error).__name__))
            raise
        finally:
            if self._reader is not None:
                self._reader.close()
                self._reader = None
        return []

    def _state_after(self, error: HiveMindError) -> RunState:
        if self._stop is not None:
            return self._stop
        return RunState.INTERRUPTED if isinstance(error, StorageFault | ReaderStopped) else RunState.FAILED

    async def _read(self, run: Run) -> None:
        began = time.monotonic()
        first, skip = await self._mind.read(lambda tx: ItemStore(tx.connection).resume_point(run.id))
        remembered, allowed = await self._mind.read(
            lambda tx: (RunStore(tx.connection, tx.now).remembered(), tx.suppressions.not_secrets())
        )
        spool = None if self._spool is None else str(self._spool)
        reading = Reading(run.path, run.wanted, spool, first, skip, run.choice, remembered, allowed)
        self._reader = await asyncio.to_thread(ReaderProcess, read_source, (reading,), self._limits)
        opened = await self._receive()
        if not isinstance(opened, SourceOpened):
            raise InternalFault(details="a reader began without opening")
        if len(opened.kinds) > 1:
            raise _SeveralKinds(opened.kinds)
        if run.fingerprint and run.fingerprint != opened.fingerprint:
            raise SourceChanged
        self._total = opened.total
        await self._write(lambda tx: _identify(RunStore(tx.connection, tx.now), run.id, opened))
        found = await self._copy(BatchWriter(run.id, opened.source), began)
        if not found:
            raise NothingToImport
        await self._finish(run, opened, found)

    async def _receive(self) -> object:
        if self._stop is not None or self._reader is None:
            raise Cancelled
        return await asyncio.to_thread(self._reader.receive)

    async def _copy(self, writer: BatchWriter, began: float) -> int:
        """Every batch, one read ahead. Returns how many items the source had."""
        since = began
        ahead = asyncio.ensure_future(self._receive())
        try:
            while True:
                answer = await ahead
                if isinstance(answer, SourceEnded):
                    return answer.found
                if not isinstance(answer, Batch):
                    raise InternalFault(details="a reader sent something unknown")
                ahead = asyncio.ensure_future(self._receive())
                if not self._going.is_set():
                    await self._going.wait()
                    since = time.monotonic()
                if self._stop is not None:
                    raise Cancelled
                now = time.monotonic()
                seconds, since = now - since, now
                if answer.entries or answer.missing:
                    await self._apply(writer, answer, seconds)
                self._done = answer.done
                self._tell(RunState.RUNNING, answer.title)
        finally:
            await self._drop(ahead)

    async def _drop(self, ahead: asyncio.Future[object]) -> None:
        if not ahead.done() and self._reader is not None:
            self._reader.kill()
        with suppress(HiveMindError):
            await asyncio.shield(ahead)

    async def _apply(self, writer: BatchWriter, batch: Batch, seconds: float) -> None:
        written = await self._write(lambda tx: writer.write(tx, batch, seconds))
        self._items += written.items
        self._messages += written.messages
        self._frames += written.frames

    async def _finish(self, run: Run, opened: SourceOpened, found: int) -> None:
        def finish(tx: MindTransaction) -> None:
            runs = RunStore(tx.connection, tx.now)
            runs.add(run.id, {"found": found}, 0.0)
            runs.set_state(run.id, RunState.FINISHED)
            outcome = report(tx.connection, run.id)
            runs.credit_source(
                runs.get(run.id), opened.label, outcome.new + outcome.updated, outcome.frames.i + outcome.frames.p
            )
            if run.parent_id is None and self._on_finish is not None:
                self._on_finish(tx, outcome)

        await self._write(finish)

    async def _end(self, run: Run, state: RunState, error: HiveMindError | None = None) -> None:
        """Write down how a source ended early; a mind that cannot even take that is left for the next start."""
        if error is not None and self._stop is None:
            self.error = error

        def end(tx: MindTransaction) -> None:
            if state in (RunState.CANCELLED, RunState.FAILED):
                ItemStore(tx.connection).give_up_partial(run.id, _STOPPED)
            why = "" if error is None or self._stop is not None else f"{error.title}. {error.hint}"
            RunStore(tx.connection, tx.now).set_state(run.id, state, why)
            if run.parent_id is None and state in (RunState.CANCELLED, RunState.FAILED) and self._on_finish:
                self._on_finish(tx, report(tx.connection, run.id))

        with suppress(HiveMindError):
            await self._write(end)

    async def _end_family(self) -> None:
        """The state of the whole: what its sources have in common, else the first that is not finished."""

        def end(tx: MindTransaction) -> None:
            runs = RunStore(tx.connection, tx.now)
            children = runs.children(self.run_id)
            for child in children:
                if child.state in (RunState.RUNNING, RunState.PAUSED):
                    runs.set_state(child.id, self._stop or RunState.INTERRUPTED)
            states = [child.state for child in runs.children(self.run_id)]
            failed = [child for child in children if child.state is RunState.FAILED]
            order = (RunState.INTERRUPTED, RunState.CANCELLED, RunState.FINISHED, RunState.FAILED)
            state = next(state for state in order if state in states)
            why = "; ".join(f"{child.name}: {child.error}" for child in failed)
            runs.set_state(self.run_id, state, why)
            if self._on_finish is not None and state is not RunState.INTERRUPTED:
                self._on_finish(tx, report(tx.connection, self.run_id))

        with suppress(HiveMindError):
            await self._write(end)

    async def _mark(self, state: RunState) -> None:
        run = self._run

        def mark(tx: MindTransaction) -> None:
            runs = RunStore(tx.connection, tx.now)
            for run_id in {self.run_id, self.run_id if run is None else run.id}:
                if runs.get(run_id).state in (RunState.RUNNING, RunState.PAUSED):
                    runs.set_state(run_id, state)

        await self._mind.write(mark, Priority.INTERACTIVE)
        self._tell(state, "", always=True)

    async def _write(self, work: Callable[[MindTransaction], T]) -> T:
        return await self._mind.write(work, Priority.IMPORT)

    def _tell(self, state: RunState, current: str, *, always: bool = False) -> None:
        now = time.monotonic()
        if self._on_progress is None or (now - self._told < _EVERY and not always):
            return
        self._told = now
        self._on_progress(
            ImportProgress(
                self.run_id, state, self._done, self._total, self._items, self._messages, self._frames, current
            )
        )
