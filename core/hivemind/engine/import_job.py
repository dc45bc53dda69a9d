"""What others see of a run at work: its events, its row among the jobs, and in the end its change and its log entry."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress

from hivemind.changes import ChangeStore
from hivemind.changes.operations import UNDO_IMPORT
from hivemind.domain.calls import CallKind
from hivemind.domain.harvest import ImportProgress, ImportReport, RunState
from hivemind.domain.work import Change, JobState
from hivemind.engine.context import Context
from hivemind.errors import HiveMindError
from hivemind.events import Area, Progress
from hivemind.gateway import record_event
from hivemind.gateway.entries import Fact
from hivemind.harvest.ownership import owner_mark
from hivemind.jobs import JobStore
from hivemind.mind import Mind, MindTransaction
from hivemind.storage import Priority

VIEWS = (Area.FRAMES, Area.SESSIONS, Area.IMPORTS, Area.JOBS)
#: Views hear of new memories twice a second at most; the job's row is brought up to date once a second.
_NEWS_EVERY = 0.5
_BEAT = 1.0
_OWNER = json.dumps(owner_mark(), sort_keys=True)


class ImportTeller:
    """Turns a run's progress into events, and remembers the last for the job's row."""

    def __init__(self, context: Context, workspace: str) -> None:
        self._context = context
        self._workspace = workspace
        self._news = 0.0
        self.last: ImportProgress | None = None

    def tell(self, progress: ImportProgress) -> None:
        self.last = progress
        self._context.events.publish(
            Progress(
                progress.run_id, "import", self._workspace, progress.state, progress.done, progress.total,
                progress.items, progress.messages, progress.frames, progress.current,
                finished=progress.state not in (RunState.RUNNING, RunState.PAUSED),
            )
        )  # fmt: skip
        now = time.monotonic()
        if now - self._news >= _NEWS_EVERY:
            self._news = now
            self._context.changed(self._workspace, *VIEWS)


async def keep_job(mind: Mind, run_id: int, teller: ImportTeller) -> None:
    """The run as a job: its heart beats while this process carries it out, and it ends with it."""

    def begin(tx: MindTransaction) -> int:
        return JobStore(tx.connection, tx.now).create("import", {"run_id": run_id}, _OWNER).id

    job_id = await mind.write(begin, Priority.IMPORT)

    def beat(tx: MindTransaction) -> None:
        jobs, last = JobStore(tx.connection, tx.now), teller.last
        if last is not None:
            jobs.advance(job_id, {"items": last.items}, last.done, last.total)
            jobs.set_state(job_id, JobState.PAUSED if last.state is RunState.PAUSED else JobState.RUNNING)

    def end(tx: MindTransaction) -> None:
        JobStore(tx.connection, tx.now).set_state(job_id, JobState.DONE)

    try:
        while True:
            await asyncio.sleep(_BEAT)
            await mind.write(beat, Priority.IMPORT)
    finally:
        with suppress(HiveMindError):
            await asyncio.shield(mind.write(end, Priority.IMPORT))


def remember(tx: MindTransaction, outcome: ImportReport, *, channel: str = "app") -> None:
    """The end of a run, in its own last transaction: one change to take back, one entry in the log."""
    if outcome.new or outcome.updated:
        ChangeStore(tx).record(Change(f"Import {outcome.name}", ((UNDO_IMPORT, {"run_id": outcome.run_id}),)))
    facts: dict[str, Fact] = {
        "run_id": outcome.run_id, "source": outcome.source, "outcome": str(outcome.state), "found": outcome.found,
        "new": outcome.new, "updated": outcome.updated, "messages": outcome.messages,
    }  # fmt: skip
    record_event(tx.connection, tx.now, CallKind.IMPORT, facts, channel=channel)
