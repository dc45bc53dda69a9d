"""Backups of a mind in the data folder: made by hand or when they are due, checked by opening, compared, kept few."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from hivemind.clock import parse_stamp, stamp
from hivemind.domain.upkeep import BackupFile, BackupKind, Difference
from hivemind.engine import backup_files
from hivemind.engine.context import Context
from hivemind.errors import HiveMindError, InvalidValue, ReadOnlyPlace
from hivemind.events import Area
from hivemind.mind.comparison import difference
from hivemind.storage.backup import backup, verify_backup

#: How old the newest scheduled backup may become.
EVERY = {"daily": timedelta(days=1), "weekly": timedelta(days=7)}


class BackupService:
    """A backup counts only after it was opened and read from end to end."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def list(self, workspace: str) -> list[BackupFile]:
        """Newest first, with what is known of each without opening it."""
        return await asyncio.to_thread(backup_files.list_backups, self._context.data.backups, workspace)

    async def make(self, workspace: str, kind: BackupKind = BackupKind.BY_HAND) -> BackupFile:
        """A verified copy in the backups folder. Raises DiskFull, ReadOnlyPlace, BackupFailed."""
        mind = await self._context.mind(workspace)
        now = stamp(self._context.clock())
        try:
            await asyncio.to_thread(self._context.data.prepare)
        except OSError as fault:
            raise ReadOnlyPlace(details=type(fault).__name__) from fault
        target = self._context.data.backups / backup_files.file_name(workspace, kind, now)
        facts = await asyncio.to_thread(backup, mind.path, target)
        made = backup_files.checked(BackupFile(str(facts.path), workspace, kind, now, facts.bytes), facts, now)
        with contextlib.suppress(OSError):
            await asyncio.to_thread(backup_files.keep_note, made, facts.sha256)
        self._context.changed(workspace, Area.JOBS)
        return made

    async def check(self, workspace: str, path: str) -> BackupFile:
        """Open a listed backup and read it from end to end; what was found is kept beside it."""
        known = await self._find(workspace, path)
        now = stamp(self._context.clock())
        try:
            facts = await asyncio.to_thread(verify_backup, Path(path))
            found = backup_files.checked(known, facts, now)
        except HiveMindError as fault:
            found = replace(known, checked_at=now, problem=f"{fault.title}. {fault.hint}")
        with contextlib.suppress(OSError):
            await asyncio.to_thread(backup_files.keep_note, found)
        return found

    async def compare(self, workspace: str, path: Path) -> Difference:
        """What a restore of this file would take away, bring back and change, memory by memory. Changes nothing."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: difference(tx.connection, path))

    async def remove(self, workspace: str, path: str) -> None:
        """Remove a listed backup for good. Raises InvalidValue for a file that is not one, ReadOnlyPlace."""
        known = await self._find(workspace, path)
        try:
            await asyncio.to_thread(backup_files.remove, known)
        except OSError as fault:
            raise ReadOnlyPlace("The backup could not be removed", details=type(fault).__name__) from fault

    # when they are due

    async def is_due(self, workspace: str, every: str) -> bool:
        """Whether the newest scheduled backup is older than the plan says; `every` off = never."""
        if every not in EVERY:
            return False
        scheduled = [each for each in await self.list(workspace) if each.kind is BackupKind.SCHEDULED]
        if not scheduled:
            return True
        return self._context.clock() - parse_stamp(scheduled[0].made_at) >= EVERY[every]

    async def prune(self, workspace: str, keep: int) -> int:
        """Remove scheduled backups beyond the newest `keep`; returns how many went."""
        gone = 0
        for each in backup_files.too_many(await self.list(workspace), keep):
            with contextlib.suppress(OSError):
                await asyncio.to_thread(backup_files.remove, each)
                gone += 1
        return gone

    async def _find(self, workspace: str, path: str) -> BackupFile:
        found = next((each for each in await self.list(workspace) if each.path == path), None)
        if found is None:
            raise InvalidValue("This backup is not in the backups folder any more", "Look at the list again.")
        return found
