"""Housekeeping of the open minds, by one process at a time: trash that is over its time, backups that are due."""

from __future__ import annotations

import asyncio
import json

from hivemind.domain.upkeep import BackupKind, Tidied
from hivemind.domain.work import JobState
from hivemind.engine.background import BackgroundTask
from hivemind.engine.backup_service import BackupService
from hivemind.engine.context import Context
from hivemind.engine.trash_service import TrashService
from hivemind.errors import HiveMindError, InternalFault
from hivemind.harvest.ownership import is_gone, owner_mark
from hivemind.jobs import JobStore
from hivemind.mind import MindTransaction
from hivemind.settings import load_settings
from hivemind.storage import Priority

KIND = "housekeeping"
OWNER = json.dumps(owner_mark() | {"work": KIND}, sort_keys=True)
#: The first look comes after the start has settled, the others follow at leisure, seconds.
FIRST, PAUSE = 30.0, 600.0


class HousekeepingService:
    """`faults`: what went wrong in the last tidying of a mind, by workspace; Settings shows it."""

    def __init__(self, context: Context, trash: TrashService, backups: BackupService) -> None:
        self._context = context
        self._trash = trash
        self._backups = backups
        self._working = BackgroundTask(self._work)
        self.faults: dict[str, str] = {}

    def start(self) -> None:
        """Begin to look after the open minds."""
        self._working.start()

    async def close(self) -> None:
        """Stop; what is begun is finished by the next start. May be called twice."""
        await self._working.stop()

    async def tidy(self, workspace: str) -> Tidied | None:
        """Do what is due in one mind. None while another process does it. Raises what the mind or the disk raises."""
        settings = await asyncio.to_thread(load_settings, self._context.data.settings_file)
        expired = await self._trash.has_expired(workspace)
        due = await self._backups.is_due(workspace, settings.backup_every) and await self._has_memories(workspace)
        if not (expired or due):
            return Tidied()
        mind = await self._context.mind(workspace)
        job_id = await mind.write(_claim, Priority.HOUSEKEEPING)
        if job_id is None:
            return None
        state, done = JobState.FAILED, Tidied()
        try:
            # The backup first: it still holds what the trash is about to lose.
            made = (await self._backups.make(workspace, BackupKind.SCHEDULED)).path if due else ""
            removed = await self._trash.remove_expired(workspace) if expired else 0
            pruned = await self._backups.prune(workspace, settings.backup_keep) if due else 0
            state, done = JobState.DONE, Tidied(removed, made, pruned)
        finally:
            await mind.write(lambda tx: JobStore(tx.connection, tx.now).set_state(job_id, state), Priority.HOUSEKEEPING)
        return done

    async def _has_memories(self, workspace: str) -> bool:
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: bool(tx.frames.list_current(1)) or bool(tx.frames.list_trashed(1)))

    async def _work(self) -> None:
        await asyncio.sleep(FIRST)
        while True:
            for mind in self._context.minds.list_open():
                try:
                    await self.tidy(mind.workspace)
                    self.faults.pop(mind.workspace, None)
                except HiveMindError as fault:
                    self._note(mind.workspace, fault)
                except Exception as fault:
                    # Ours; the other minds, and this one later, must still be looked after.
                    self._note(mind.workspace, InternalFault(details=f"{KIND}: {type(fault).__name__}"))
            await asyncio.sleep(PAUSE)

    def _note(self, workspace: str, fault: HiveMindError) -> None:
        self.faults[workspace] = f"{fault.title}. {fault.hint}"


def _claim(tx: MindTransaction) -> int | None:
    """The id of the job, ours now; None while another process has it."""
    jobs = JobStore(tx.connection, tx.now)
    job = next(iter(jobs.list_open(KIND)), None)
    if job is None:
        return jobs.create(KIND, {}, OWNER).id
    if job.owner is not None and is_gone(json.loads(job.owner)):
        jobs.disown(job.id)
    return job.id if jobs.claim(job.id, OWNER) else None
