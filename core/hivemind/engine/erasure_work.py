"""One erasure from its plan to its receipt: ledger, log, every place, backups, the log file, the look afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
import uuid as uuids
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hivemind.domain.erasure import BackupChoice, ErasureReceipt, ErasureState, ErasureTarget, Residue, TargetKind
from hivemind.engine import erasure_receipts as receipts
from hivemind.engine.context import Context
from hivemind.errors import HiveMindError, NotFound
from hivemind.events import Area
from hivemind.maintenance import erasure_backups as backups
from hivemind.maintenance import erasure_beside as beside
from hivemind.maintenance.erasure import ErasureFacts, as_json, carry_out
from hivemind.maintenance.erasure_ledger import ErasureLedger, LedgerErasure
from hivemind.maintenance.erasure_needles import Needles
from hivemind.maintenance.erasure_plan import ErasurePlan, seek, seek_again, work_out
from hivemind.maintenance.erasure_residue import Probes, look, search_files, take_probes
from hivemind.mind import Mind, MindTransaction
from hivemind.storage import Database

#: Tries to empty the log file at once; a reader of our own is gone in a moment.
_TRIES, _PAUSE = 8, 0.25
#: What is written while an erasure by words runs is looked for again, so many times.
_ROUNDS = 4
#: What can have become of a backup for good; whatever else is counted anew at each try.
_DONE = ("rewritten", "removed")


@dataclass(slots=True)
class Running:
    """An erasure under way, with what lives in memory only."""

    workspace: str
    mind: Mind
    mind_uuid: str
    at: str
    plan: ErasurePlan
    facts: ErasureFacts
    choice: BackupChoice
    needles: Needles
    probes: Probes
    outside: tuple[str, ...] = ()
    #: Words are not kept: after a crash backups are treated without opening them first.
    knows_words: bool = True
    #: Whether the mind's file was written anew already: not again at every try.
    rewritten: bool = False
    #: Backups that were rewritten, where it cannot be seen: not again at every try.
    done_with: set[Path] = field(default_factory=set)


class ErasureWork:
    """What is pending in this process keeps its words here, so that they can be looked for until it is done."""

    def __init__(self, context: Context, install: Callable[[], Database]) -> None:
        self._context = context
        self._install = install
        self._waiting: dict[str, Running] = {}

    async def prepared(
        self, workspace: str, target: ErasureTarget, facts: ErasureFacts, choice: BackupChoice
    ) -> Running:
        mind = await self._context.mind(workspace)
        uuid = str(uuids.uuid4())

        def read(tx: MindTransaction) -> Running:
            sought = seek(tx, target, uuid)
            plan = work_out(tx, sought)
            probes = take_probes(tx, sought)
            kinds = Counter(copy.kind for copy in beside.outside_copies(tx, sought))
            outside = tuple(f"{kind}: {count}" for kind, count in kinds.items())
            mind_uuid = tx.meta.get("mind_uuid")
            return Running(workspace, mind, mind_uuid, tx.now, plan, facts, choice, sought.needles, probes, outside)

        run = await mind.read(read)
        if not run.plan.size:
            found = await asyncio.to_thread(self.holding, workspace, run.plan, run.needles)
            if not found.holding:
                raise NotFound(
                    "Nothing here holds this", "Nothing was changed. Check the spelling, or the mind chosen."
                )
        return run

    async def taken_up(self, row: LedgerErasure, workspace: str) -> Running:
        """From memory where the words are still known, else from the ledger by lasting ids."""
        if row.uuid in self._waiting:
            return self._waiting[row.uuid]
        mind = await self._context.mind(workspace)
        more = await mind.read(lambda tx: work_out(tx, seek_again(tx, row.plan, Needles())))
        choice = BackupChoice(row.kept.get("backups", BackupChoice.REWRITE))
        return Running(
            workspace, mind, row.mind_uuid, row.at, row.plan.with_also(more), row.facts, choice, Needles(), Probes(),
            knows_words=False,
        )  # fmt: skip

    async def carry_through(self, run: Running) -> ErasureReceipt:
        seq, erased = await carry_out(run.mind, run.plan, run.facts)
        if run.needles.words:
            erased += await self._look_again(run)
        treated = await asyncio.to_thread(self._treat_backups, run)
        await self._erase_beside(run)
        run.mind.forget_resident()
        run.rewritten = run.rewritten or await asyncio.to_thread(self.rewritten, run.mind.database)
        emptied = await asyncio.to_thread(self.truncated, run.mind.database)
        await asyncio.to_thread(self.truncated, self._install())
        residue = await run.mind.read(lambda tx: look(tx, run.mind.path, self._context.data, run.workspace, run.probes))
        receipt = self._receipt(run, seq, erased, treated, residue, emptied)
        await asyncio.to_thread(receipts.keep, self._context.data.erasures, receipt)
        if receipt.state is ErasureState.ERASED:
            self._waiting.pop(run.plan.uuid, None)
            await self._ledger(lambda ledger: ledger.set_state(run.plan.uuid, ErasureState.ERASED))
        else:
            self._waiting[run.plan.uuid] = run
        self._context.changed(run.workspace, *Area)
        return receipt

    async def _look_again(self, run: Running) -> Counter[str]:
        """Somebody may have written the words once more in the meantime."""
        erased: Counter[str] = Counter()
        target = ErasureTarget(TargetKind(run.facts.kind), run.needles.words)
        for _ in range(_ROUNDS):

            def read(tx: MindTransaction) -> tuple[ErasurePlan, Probes]:
                sought = seek(tx, target, run.plan.uuid)
                return work_out(tx, sought), take_probes(tx, sought)

            more, probes = await run.mind.read(read)
            if not more.size:
                break
            run.plan = run.plan.with_also(more)
            run.probes.add(probes)
            await self._ledger(lambda ledger: ledger.extend(run.plan.uuid, self._kept(run)))
            erased += (await carry_out(run.mind, more, run.facts))[1]
        return erased

    def _treat_backups(self, run: Running) -> Counter[str]:
        folder, clock = self._context.data.backups, self._context.clock
        backups.discard_unfinished(folder)
        paths = backups.backups_of(folder, run.workspace)
        holding: Collection[Path] = {*paths} - run.done_with
        done: Counter[str] = Counter()
        if run.knows_words:
            found = backups.find_holding(paths, run.plan, run.needles, clock)
            forms = run.probes.certain_bytes()
            stale = [path for path in paths if search_files([("backup", path)], forms, run.probes.whole)]
            holding, done["unreadable"] = {*found.holding, *stale}, len(found.unreadable)
        for path in sorted(holding):
            try:
                backups.treat(path, run.choice, run.plan, run.needles, run.facts, clock)
                run.done_with.add(path)
                done["removed" if run.choice is BackupChoice.REMOVE else "rewritten"] += 1
            except (HiveMindError, OSError):
                done["failed"] += 1
        return done

    async def _erase_beside(self, run: Running) -> None:
        if run.needles.words:
            await self._install().write(partial(beside.erase_requests, needles=run.needles))
            await asyncio.to_thread(beside.rewritten, self._install())
            with contextlib.suppress(OSError):
                await asyncio.to_thread(beside.remove_crash_reports, self._context.data.root, run.needles)

    def rewritten(self, database: Database) -> bool:
        """Every page anew. Blocking."""
        return beside.rewritten(database)

    def truncated(self, database: Database) -> bool:
        for attempt in range(_TRIES):
            if attempt:
                time.sleep(_PAUSE)
            if beside.truncated(database):
                return True
        return False

    def holding(self, workspace: str, plan: ErasurePlan, needles: Needles) -> backups.BackupsFound:
        paths = backups.backups_of(self._context.data.backups, workspace)
        return backups.find_holding(paths, plan, needles, self._context.clock)

    def _kept(self, run: Running) -> str:
        told = json.loads(as_json(run.plan, run.facts)) | {"workspace": run.workspace, "backups": run.choice}
        return json.dumps(told, separators=(",", ":"))

    async def begin(self, run: Running) -> None:
        """Write it into the ledger, before anything is changed."""
        await self._ledger(
            lambda ledger: ledger.begin(run.plan.uuid, run.mind_uuid, run.at, run.facts.reason, self._kept(run))
        )

    async def _ledger(self, work: Callable[[ErasureLedger], None]) -> None:
        await self._install().write(lambda connection: work(ErasureLedger(connection)))

    def _receipt(
        self, run: Running, seq: int, erased: Counter[str], treated: Counter[str], residue: Residue, emptied: bool
    ) -> ErasureReceipt:
        before = receipts.find(self._context.data.erasures, run.plan.uuid)
        if before is not None:
            # Finished later: what was done before the interruption counts too.
            erased += Counter(before.erased)
            treated += Counter({name: before.backups.get(name, 0) for name in _DONE})
        waiting = [
            code
            for code, waits in (
                ("log_file", not emptied),
                ("space", not run.rewritten),
                ("backup", bool(treated["failed"] or treated["unreadable"])),
                ("residue", emptied and bool(residue.total)),
            )
            if waits
        ]
        return ErasureReceipt(
            uuid=run.plan.uuid,
            workspace=run.workspace,
            mind_uuid=run.mind_uuid,
            at=run.at,
            kind=run.facts.kind,
            reason=run.facts.reason,
            state=ErasureState.PENDING if waiting else ErasureState.ERASED,
            waiting_for=tuple(waiting),
            log_seq=seq,
            erased={name: count for name, count in erased.items() if count},
            backups={name: count for name, count in treated.items() if count},
            residue=residue,
            outside=run.outside or (before.outside if before else ()),
            beyond_reach=beside.BEYOND_REACH,
        )
