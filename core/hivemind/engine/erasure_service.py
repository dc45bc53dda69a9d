"""Erasing for good: shown before, carried out over every place, looked for afterwards, and told in a receipt."""

from __future__ import annotations

import asyncio
import contextlib
import uuid as uuids
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hivemind.clock import parse_stamp
from hivemind.domain.erasure import (
    BackupChoice,
    ErasurePreview,
    ErasureReason,
    ErasureReceipt,
    ErasureState,
    ErasureTarget,
    OutsideCopy,
)
from hivemind.domain.frames import FrameType
from hivemind.engine import erasure_receipts as receipts
from hivemind.engine.background import BackgroundTask
from hivemind.engine.context import Context
from hivemind.engine.erasure_work import ErasureWork
from hivemind.errors import HiveMindError, InvalidValue, NotFound
from hivemind.events import Area
from hivemind.maintenance import erasure_beside as beside
from hivemind.maintenance.erasure import ErasureFacts, carry_out
from hivemind.maintenance.erasure_ledger import ErasureLedger
from hivemind.maintenance.erasure_needles import Needles
from hivemind.maintenance.erasure_plan import ErasurePlan, seek, work_out
from hivemind.mind import MindTransaction
from hivemind.storage import Database

#: Seconds between two tries to finish what is pending, and how old it must be: another process may be at it.
TRY_EVERY, LEFT_ALONE = 60.0, 120.0
#: Beginnings of memories that a preview shows, and their length.
_SHOWN, _LONG = 5, 160


class ErasureService:
    """`install` gives the installation's file, where the ledger stands outside every mind and its backups."""

    def __init__(self, context: Context, install: Callable[[], Database]) -> None:
        self._context = context
        self._install = install
        self._work = ErasureWork(context, install)
        self._working = BackgroundTask(self._keep_trying)
        self._turn = asyncio.Lock()

    def start(self) -> None:
        """Finish what a crash or a reader left pending, now and from time to time."""
        self._working.start()

    async def close(self) -> None:
        """Stop. What is pending stays in the ledger. May be called twice."""
        await self._working.stop()

    async def preview(self, workspace: str, target: ErasureTarget) -> ErasurePreview:
        """What would go and where copies are. Changes nothing. Raises as `erase`."""
        mind = await self._context.mind(workspace)

        def read(tx: MindTransaction) -> tuple[ErasurePlan, Needles, ErasurePreview]:
            sought = seek(tx, target, str(uuids.uuid4()))
            plan = work_out(tx, sought)
            return plan, sought.needles, _preview(tx, plan, sought.frame_ids, beside.outside_copies(tx, sought))

        plan, needles, shown = await mind.read(read)
        found = await asyncio.to_thread(self._work.holding, workspace, plan, needles)
        return replace(shown, backups=tuple(found.holding), unreadable_backups=tuple(found.unreadable))

    async def erase(
        self,
        workspace: str,
        target: ErasureTarget,
        reason: str,
        *,
        backups: BackupChoice = BackupChoice.REWRITE,
        channel: str = "app",
        request: str | None = None,
    ) -> ErasureReceipt:
        """Erase for good; no undo brings it back. Returns the receipt, also while it is pending.

        `request`: an identifier of the request it answers, no words. Raises FrameNotFound, SessionNotFound,
        RunNotFound, InvalidValue, NotAllowed (sqlite-vec is missing), and NotFound when nothing holds it.
        """
        if reason not in list(ErasureReason):
            known = ", ".join(ErasureReason)
            raise InvalidValue("This reason is not known", f"Use one of: {known}.")
        async with self._turn:
            run = await self._work.prepared(
                workspace, target, ErasureFacts(target.kind, reason, channel, request), backups
            )
            self._context.data.prepare()
            await self._work.begin(run)
            return await self._work.carry_through(run)

    async def list_receipts(self, workspace: str) -> list[ErasureReceipt]:
        """Of this mind, newest first."""
        return await asyncio.to_thread(receipts.list_all, self._context.data.erasures, workspace)

    async def save_receipt(self, workspace: str, uuid: str, file: Path) -> None:
        """Write a receipt into a new file of a person's choice. Raises NotFound, FileInTheWay, ReadOnlyPlace."""
        receipt = next((one for one in await self.list_receipts(workspace) if one.uuid == uuid), None)
        if receipt is None:
            raise NotFound("This receipt is not there any more", "The log still tells of the erasure.")
        await asyncio.to_thread(receipts.write, file, receipt)

    async def finish_pending(self, *, older_than: float = 0.0) -> list[ErasureReceipt]:
        """Try again what is pending: after a crash, or when whoever read the old state may be gone."""
        rows = await self._install().read(lambda c: ErasureLedger(c).list_all(state=ErasureState.PENDING))
        done = []
        for row in rows:
            age = (self._context.clock() - parse_stamp(row.at)).total_seconds()
            workspace = str(row.kept.get("workspace", ""))
            if age < older_than or not self._context.data.mind(workspace).exists():
                continue
            async with self._turn:
                with contextlib.suppress(HiveMindError, OSError):
                    run = await self._work.taken_up(row, workspace)
                    # A file that was replaced by another mind is none of this erasure's business.
                    if await run.mind.read(lambda tx: tx.meta.get("mind_uuid")) == row.mind_uuid:
                        done.append(await self._work.carry_through(run))
        return done

    async def replay(self, workspace: str, *, channel: str = "app") -> int:
        """After a restore: erase again what had been erased from this mind. Returns how many erasures had to."""
        mind = await self._context.mind(workspace)
        mind_uuid = await mind.read(lambda tx: tx.meta.get("mind_uuid"))
        rows = await self._install().read(lambda c: ErasureLedger(c).list_all(mind_uuid))
        again = 0
        for row in rows:
            async with self._turn:
                run = await self._work.taken_up(row, workspace)
                run.facts = replace(run.facts, channel=channel)
                _, erased = await carry_out(mind, run.plan, run.facts)
                again += bool(erased.total())
        if again:
            await asyncio.to_thread(self._work.rewritten, mind.database)
            await asyncio.to_thread(self._work.truncated, mind.database)
            self._context.changed(workspace, *Area)
        return again

    async def _keep_trying(self) -> None:
        with contextlib.suppress(HiveMindError):
            await self.finish_pending()
        while True:
            await asyncio.sleep(TRY_EVERY)
            with contextlib.suppress(HiveMindError):
                await self.finish_pending(older_than=LEFT_ALONE)


def _preview(
    tx: MindTransaction, plan: ErasurePlan, frames: set[int], outside: tuple[OutsideCopy, ...]
) -> ErasurePreview:
    excerpts: list[str] = []
    same = 0
    for frame_id in sorted(frames):
        frame = tx.frames.find(frame_id)
        if frame is None or frame.type is FrameType.B:
            continue
        if len(excerpts) < _SHOWN:
            excerpts.append(" ".join(frame.content.split())[:_LONG])
        rows = tx.connection.execute(
            "SELECT id FROM memory_frames WHERE content_hash = (SELECT content_hash FROM memory_frames WHERE id = ?)",
            (frame_id,),
        )
        same += sum(int(i) not in frames for (i,) in rows)
    counts = {name: len(places) for name, places in plan.places.items() if places}
    return ErasurePreview(
        counts, counts.get("frames", 0), counts.get("archive", 0), len(plan.sessions), tuple(excerpts), same, (), (),
        outside,
    )  # fmt: skip
