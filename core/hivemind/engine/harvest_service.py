"""Imports: look at a file, bring it in while the person goes on working, pause, cancel, resume, undo."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hivemind.changes import ChangeStore
from hivemind.domain.calls import CallKind
from hivemind.domain.harvest import (
    ImportPreview,
    ImportReport,
    InterruptedRun,
    ItemPage,
    RunState,
    UndoReport,
)
from hivemind.domain.surveys import ImportOptions
from hivemind.engine.context import Context
from hivemind.engine.import_job import VIEWS, ImportTeller, keep_job, remember
from hivemind.errors import HiveMindError, ReadOnlyPlace, RunNotFound
from hivemind.events import Area
from hivemind.gateway import record_event
from hivemind.gateway.entries import Fact
from hivemind.harvest.importer import Importer, begin_run
from hivemind.harvest.item_pages import every_item, page, write_csv
from hivemind.harvest.reading import preview_apart
from hivemind.harvest.report import list_reports, report
from hivemind.harvest.runs import RunStore
from hivemind.harvest.undo import undo_run
from hivemind.mind import Mind, MindTransaction
from hivemind.paths import resource_path


@dataclass(slots=True)
class _Running:
    workspace: str
    importer: Importer
    task: asyncio.Task[ImportReport]


class HarvestService:
    """Runs work in the background of the engine's loop; a run that ends keeps its outcome for `wait`."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._running: dict[tuple[str, int], _Running] = {}
        self._faults: dict[tuple[str, int], HiveMindError] = {}

    # before

    async def preview(self, paths: Sequence[Path]) -> list[ImportPreview]:
        """What each path looks like, by content, before anything is written. Raises ImportFault for a bad one."""
        spool = self._context.data.spool
        return list(await asyncio.gather(*(asyncio.to_thread(preview_apart, path, spool) for path in paths)))

    def sample(self) -> Path:
        """A small export of ours to try things with."""
        return resource_path("samples", "chatgpt-sample.json")

    # at work

    async def start(
        self,
        paths: Sequence[Path],
        workspace: str = "personal",
        source: str = "auto",
        *,
        options: ImportOptions | None = None,
        channel: str = "app",
    ) -> int:
        """Begin to import; returns the run's id at once. Several paths make one run with a source each.

        `options` None: as the last import of the same kind of source, but for its last day; `ImportOptions()` is
        everything. Raises InvalidDate or InvalidValue.
        """
        mind = await self._context.mind(workspace)
        run_id = await begin_run(mind, paths, source, options)
        self._carry_out(mind, run_id, channel)
        self._context.changed(workspace, Area.IMPORTS, Area.JOBS)
        return run_id

    async def resume_interrupted(self, workspace: str, run_id: int) -> None:
        """Go on with an interrupted run. The file must still be the same, else the run fails with the reason."""
        mind = await self._context.mind(workspace)
        await mind.read(lambda tx: RunStore(tx.connection, tx.now).get(run_id))
        if (workspace, run_id) not in self._running:
            self._carry_out(mind, run_id)

    async def wait(self, workspace: str, run_id: int) -> ImportReport:
        """The report, once the run has ended. Cancelling the wait does not stop the run."""
        running = self._running.get((workspace, run_id))
        return await asyncio.shield(running.task) if running else await self.report(workspace, run_id)

    def fault(self, workspace: str, run_id: int) -> HiveMindError | None:
        """Why a run of this process ended early, as an error with its code; None when it did not."""
        return self._faults.get((workspace, run_id))

    async def pause(self, workspace: str, run_id: int) -> None:
        """Stop after the transaction in hand. Raises RunNotFound when it is not at work here."""
        await self._at_work(workspace, run_id).importer.pause()
        self._context.changed(workspace, Area.IMPORTS, Area.JOBS)

    async def resume(self, workspace: str, run_id: int) -> None:
        """Go on after a pause."""
        await self._at_work(workspace, run_id).importer.resume()
        self._context.changed(workspace, Area.IMPORTS, Area.JOBS)

    async def cancel(self, workspace: str, run_id: int, *, keep: bool) -> ImportReport:
        """End the run. `keep`: what is in stays; else all of it is taken out again."""
        running = self._at_work(workspace, run_id)
        running.importer.cancel(keep=keep)
        return await asyncio.shield(running.task)

    # after

    async def report(self, workspace: str, run_id: int) -> ImportReport:
        """Raises RunNotFound."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: report(tx.connection, run_id))

    async def options(self, workspace: str, run_id: int) -> ImportOptions:
        """What a run brings in; of several sources, what was chosen for all. Raises RunNotFound."""
        mind = await self._context.mind(workspace)
        run = await mind.read(lambda tx: RunStore(tx.connection, tx.now).get(run_id))
        return run.choice or ImportOptions()

    async def items(
        self,
        workspace: str,
        run_id: int,
        *,
        state: str = "",
        reason: str | None = None,
        offset: int = 0,
        limit: int = 100,
    ) -> ItemPage:
        """A page of what became of each item; `state` and `reason` as the report names them. Raises RunNotFound."""
        mind = await self._context.mind(workspace)
        return await mind.read(
            lambda tx: page(tx.connection, _family(tx, run_id), state, reason, max(0, offset), max(0, limit))
        )

    async def write_csv(self, workspace: str, run_id: int, file: Path) -> int:
        """Every item with its outcome and reason, as a table; returns the rows. Raises RunNotFound, FileInTheWay."""
        mind = await self._context.mind(workspace)
        try:
            return await mind.read(lambda tx: write_csv(every_item(tx.connection, _family(tx, run_id)), file))
        except OSError as error:
            raise ReadOnlyPlace(details=type(error).__name__) from error

    async def list_interrupted(self, workspaces: Sequence[str]) -> list[InterruptedRun]:
        """For the start of the program: imports of these minds that stopped midway, and whether they can go on."""
        found = []
        for workspace in workspaces:
            mind = await self._context.mind(workspace)
            for outcome in await self.interrupted(workspace):
                paths = await mind.read(lambda tx, i=outcome.run_id: _open_paths(tx, i))  # type: ignore[misc]
                there = await asyncio.to_thread(lambda p=paths: all(Path(one).exists() for one in p))  # type: ignore[misc]
                found.append(InterruptedRun(workspace, outcome, paths, there))
        return found

    async def runs(self, workspace: str) -> list[ImportReport]:
        """Every import, newest first."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: list_reports(tx.connection))

    async def interrupted(self, workspace: str) -> list[ImportReport]:
        """Imports whose process went away in the middle: they can be resumed, or left as they are."""
        mind = await self._context.mind(workspace)
        if await mind.read(lambda tx: RunStore(tx.connection, tx.now).has_abandoned()):
            await mind.write(lambda tx: RunStore(tx.connection, tx.now).interrupt_abandoned())
            self._context.changed(workspace, Area.IMPORTS)
        ids = await mind.read(lambda tx: RunStore(tx.connection, tx.now).list_interrupted())
        return [await self.report(workspace, run_id) for run_id in ids]

    async def leave_interrupted(self, workspace: str, run_id: int) -> ImportReport:
        """Take what is in of an interrupted run as all there is."""
        mind = await self._context.mind(workspace)

        def settle(tx: MindTransaction) -> None:
            runs = RunStore(tx.connection, tx.now)
            for run in runs.family(run_id):
                if run.state is RunState.INTERRUPTED:
                    runs.set_state(run.id, RunState.CANCELLED)
            remember(tx, report(tx.connection, run_id))

        await mind.write(settle)
        self._context.changed(workspace, Area.IMPORTS, Area.CHANGES)
        return await self.report(workspace, run_id)

    async def undo(self, workspace: str, run_id: int, *, channel: str = "app") -> UndoReport:
        """Take out what only this run brought; what others claim or a person made their own stays, listed."""
        mind = await self._context.mind(workspace)
        outcome = await undo_run(mind, run_id)
        facts: dict[str, Fact] = {"run_id": run_id, "undone": True, "frames_removed": outcome.frames_removed}

        def settle(tx: MindTransaction) -> None:
            ChangeStore(tx).mark_import_undone(run_id)
            record_event(tx.connection, tx.now, CallKind.IMPORT, facts, channel=channel)

        await mind.write(settle)
        self._context.changed(workspace, Area.CHANGES, *VIEWS)
        return outcome

    async def close(self) -> None:
        """The program ends: running imports stop after the transaction in hand and can be resumed."""
        running = list(self._running.values())
        for one in running:
            one.importer.interrupt()
        await asyncio.gather(*(one.task for one in running), return_exceptions=True)

    # inside

    def _at_work(self, workspace: str, run_id: int) -> _Running:
        running = self._running.get((workspace, run_id))
        if running is None:
            raise RunNotFound("This import is not running here", "It has ended, or another program runs it.")
        return running

    def _carry_out(self, mind: Mind, run_id: int, channel: str = "app") -> None:
        teller = ImportTeller(self._context, mind.workspace)
        importer = Importer(
            mind,
            run_id,
            spool=self._context.data.spool,
            on_progress=teller.tell,
            on_finish=partial(remember, channel=channel),
        )
        task = asyncio.create_task(self._work(mind, importer, teller))
        self._running[mind.workspace, run_id] = _Running(mind.workspace, importer, task)

    async def _work(self, mind: Mind, importer: Importer, teller: ImportTeller) -> ImportReport:
        key = mind.workspace, importer.run_id
        keeping = asyncio.create_task(keep_job(mind, importer.run_id, teller))
        try:
            outcome = await importer.run()
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError, HiveMindError):
                await keeping
            self._running.pop(key, None)
        if importer.error is not None:
            self._faults[key] = importer.error
        self._context.changed(mind.workspace, Area.CHANGES, *VIEWS)
        return outcome


def _family(tx: MindTransaction, run_id: int) -> list[int]:
    return [run.id for run in RunStore(tx.connection, tx.now).family(run_id)]


def _open_paths(tx: MindTransaction, run_id: int) -> tuple[str, ...]:
    """Where the sources lie that are not finished."""
    family = RunStore(tx.connection, tx.now).family(run_id)
    return tuple(dict.fromkeys(run.path for run in family if run.path and run.state is not RunState.FINISHED))
