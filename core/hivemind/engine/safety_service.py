"""Safety: backups, restore, export, full verification, reindex."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from hivemind.clock import stamp
from hivemind.domain.calls import CallKind
from hivemind.domain.minds import Manifest, RestorePreview
from hivemind.engine.context import Context
from hivemind.engine.erasure_service import ErasureService
from hivemind.errors import NotAllowed, ReadOnlyPlace
from hivemind.events import Area
from hivemind.gateway import anchored_size, log_size, record_event
from hivemind.gateway.entries import Fact
from hivemind.maintenance import ExportFormat, ReindexCounts, export_mind, plan_reindex, reindex, verify
from hivemind.mind import MindTransaction
from hivemind.storage.backup import BackupFacts, backup, restore_into, verify_backup


class SafetyService:
    """Works on files a person named; every outcome is a manifest."""

    def __init__(self, context: Context, erasure: ErasureService) -> None:
        self._context = context
        self._erasure = erasure

    async def backup(self, workspace: str, target: Path) -> Manifest:
        """A verified copy of the mind, made while it stays in use. Raises FileInTheWay, DiskFull, BackupFailed."""
        mind = await self._context.mind(workspace)
        facts = await asyncio.to_thread(backup, mind.path, target)
        return self._manifest(facts)

    async def preview_restore(self, workspace: str, file: Path) -> RestorePreview:
        """What a restore would bring back, against what is there now. Changes nothing."""
        facts = await asyncio.to_thread(verify_backup, file)
        mind = await self._context.mind(workspace)
        frames, sessions, newest = await mind.read(_size)
        return RestorePreview(self._manifest(facts), frames, sessions, facts.newest, newest)

    async def restore(self, workspace: str, file: Path, *, channel: str = "app") -> Manifest:
        """Put a backup into the live file, after a backup of what is there now. The log says that it happened.

        What the ledger says was erased from this mind is erased from it again.

        Raises NotAllowed for a backup of another mind, unless this one is still empty (a new computer).
        """
        mind = await self._context.mind(workspace)
        now = stamp(self._context.clock())
        found = await asyncio.to_thread(verify_backup, file)
        uuid, frames = await mind.read(lambda tx: (tx.meta.get("mind_uuid"), tx.frames.count_current()))
        replaced = await mind.read(lambda tx: self._known_size(tx))
        if frames and found.uuid != uuid:
            raise NotAllowed(
                "This is a backup of another mind",
                "Nothing was changed. Create a new, empty mind and restore the backup there.",
            )
        self._context.data.prepare()
        kept = self._context.data.backups / f"{workspace} before restore {now.replace(':', '')}.mind"
        await asyncio.to_thread(backup, mind.path, kept)
        facts = await asyncio.to_thread(restore_into, mind.database, file)
        mind.forget_resident()
        detail: dict[str, Fact] = {"backup_sha256": facts.sha256, "frames": facts.frames, "messages": facts.messages}
        # What the log had before: the anchors know it, and would call the restored log a forgery.
        detail["replaced_size"] = replaced
        await mind.write(lambda tx: record_event(tx.connection, tx.now, CallKind.RESTORE, detail, channel=channel))
        # The ledger stands outside the mind: what was erased since the backup must not come back with it.
        await self._erasure.replay(workspace, channel=channel)
        self._context.changed(workspace, *Area)
        return self._manifest(facts)

    async def export(
        self, workspace: str, directory: Path, form: ExportFormat = ExportFormat.JSONL, *, channel: str = "app"
    ) -> Manifest:
        """Write the whole mind into a new folder of open files. The log says that it happened."""
        mind = await self._context.mind(workspace)
        now = stamp(self._context.clock())
        try:
            manifest = await mind.read(lambda tx: export_mind(tx, directory, form, now))
        except OSError as fault:
            raise ReadOnlyPlace("The folder could not be written", details=type(fault).__name__) from fault
        detail: dict[str, Fact] = {"format": str(form), "frames": manifest.frames, "messages": manifest.messages}
        await mind.write(lambda tx: record_event(tx.connection, tx.now, CallKind.EXPORT, detail, channel=channel))
        return manifest

    async def verify(self, workspace: str) -> list[str]:
        """Read the whole mind; everything that does not add up, in words."""
        mind = await self._context.mind(workspace)
        return await mind.read(verify)

    async def plan_reindex(self, workspace: str) -> ReindexCounts:
        mind = await self._context.mind(workspace)
        return await mind.read(plan_reindex)

    async def reindex(self, workspace: str) -> ReindexCounts:
        """Rebuild the word indexes from the stored texts."""
        mind = await self._context.mind(workspace)
        counts = await reindex(mind)
        self._context.changed(workspace, Area.FRAMES)
        return counts

    def _known_size(self, tx: MindTransaction) -> int:
        with contextlib.suppress(OSError):
            return max(log_size(tx.connection), anchored_size(self._context.data.anchors, tx.connection))
        return log_size(tx.connection)

    def _manifest(self, facts: BackupFacts) -> Manifest:
        return Manifest(
            str(facts.path), facts.bytes, facts.sha256, facts.frames, facts.sessions, facts.messages, facts.schema,
            stamp(self._context.clock()),
        )  # fmt: skip


def _size(tx: MindTransaction) -> tuple[int, int, str | None]:
    frames = tx.frames.list_current(1)
    return tx.frames.count_current(), tx.sessions.count(), frames[0].created_at if frames else None
