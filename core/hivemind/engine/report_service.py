"""Checks, the operator's statement, the audit report, its pages and the evidence package."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from hivemind.clock import stamp
from hivemind.compliance import (
    OPTIONAL,
    Period,
    Surroundings,
    Volume,
    Wanted,
    build_report,
    draw_pages,
    load_law,
    matter_of,
    period_of,
    print_report,
    retention,
    standing,
    to_json,
    write_package,
)
from hivemind.domain.audit_report import AuditReport
from hivemind.domain.calls import CallKind, Interaction
from hivemind.domain.checks import Standing, Statement
from hivemind.domain.report_order import Overview, PagePicture, ReportMade, ReportOrder
from hivemind.domain.work import Change
from hivemind.engine.context import Context
from hivemind.engine.evidence_service import EvidenceService
from hivemind.engine.report_surroundings import surroundings
from hivemind.errors import FileInTheWay, InvalidValue, ReadOnlyPlace
from hivemind.events import Area
from hivemind.gateway import record_event
from hivemind.gateway.entries import Fact
from hivemind.mind import MindTransaction
from hivemind.mind.statements import StatementStore, check_statement
from hivemind.storage import Database, files

#: The last six months, without texts.
EVERYTHING = ReportOrder()


class ReportService:
    """`install`: the installation's own file, with grants and the list of what was sent."""

    def __init__(self, context: Context, install: Database, evidence: EvidenceService) -> None:
        self._context = context
        self._install = install
        self._evidence = evidence

    async def statement(self, workspace: str) -> Statement:
        """What the operator states about this mind's use."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: StatementStore(tx.connection).read())

    async def state(self, workspace: str, statement: Statement) -> Statement:
        """Keep a statement with the moment it was made. Can be undone. Raises InvalidValue."""
        check_statement(statement)

        def work(tx: MindTransaction) -> tuple[Statement, Change | None]:
            store = StatementStore(tx.connection)
            before = store.read()
            if replace(statement, set_at=before.set_at) == before:
                return before, None
            after = replace(statement, set_at=tx.now)
            store.replace(after)
            step: dict[str, object] = {"to": asdict(before), "expect": asdict(after)}
            return after, Change("Change the operator's statement", (("statement.replace", step),))

        return await self._context.act(workspace, work, Area.AUDIT)

    async def standing(self, workspace: str, since: str | None = None, until: str | None = None) -> Standing:
        """The result of every check now. Recomputes the whole log. Raises InvalidDate, InvalidValue."""
        return (await self.overview(workspace, since, until)).standing

    async def overview(self, workspace: str, since: str | None = None, until: str | None = None) -> Overview:
        """Checks, decisions and retention of one moment. Without days: of the last six months."""
        period = self._period(since, until)
        around = await self._around(workspace, period)
        law = await asyncio.to_thread(load_law)
        mind = await self._context.mind(workspace)

        def look(tx: MindTransaction) -> Overview:
            matter = matter_of(tx, period, around)
            kept = retention(tx.connection, period, matter.facts, matter.statement)
            return Overview(
                period.since.isoformat(), period.until.isoformat(), matter.facts.calls, matter.facts.oldest,
                standing(matter, law), matter.oversight, kept, matter.facts.log, matter.statement,
            )  # fmt: skip

        return await mind.read(look)

    async def build(self, workspace: str, order: ReportOrder = EVERYTHING) -> AuditReport:
        """The report as data. Raises InvalidDate, InvalidValue."""
        if unknown := order.leave_out - set(OPTIONAL):
            raise InvalidValue(
                "This section cannot be left out", f"Choose of {', '.join(OPTIONAL)}.", details=str(sorted(unknown))
            )
        period = self._period(order.since, order.until)
        await self._evidence.checkpoint(workspace)
        around = await self._around(workspace, period)
        law = await asyncio.to_thread(load_law)
        wanted = Wanted(period, order.with_content, order.leave_out)
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: build_report(tx, wanted, around, law))

    async def interactions(self, workspace: str, since: str | None, until: str | None) -> list[Interaction]:
        """Calls of a period in days as somebody types them (None = no bound), oldest first. Raises InvalidDate."""
        first = self._period(since, "9000-12-31").first if since else None
        end = self._period("1990-01-01", until).end if until else None
        return await self._evidence.interactions(workspace, first, end)

    async def preview(
        self, workspace: str, order: ReportOrder, numbers: Sequence[int], scale: float = 1.0
    ) -> tuple[int, list[PagePicture]]:
        """How many pages the report has, and pictures of some of its first file. Writes nothing."""
        report = await self.build(workspace, order)
        volumes = await asyncio.to_thread(_printed, to_json(report))
        pictures = await asyncio.to_thread(draw_pages, volumes[0].data, numbers, scale)
        return sum(volume.pages for volume in volumes), pictures

    async def write(
        self, workspace: str, order: ReportOrder, target: Path, package: Path | None = None, *,
        channel: str = "app", overwrite: bool = False,
    ) -> ReportMade:  # fmt: skip
        """Write the PDF, and the evidence package when a place for it is named. The log says that it happened.

        A long report is several files: `target`, and beside it volumes of the log table. Raises FileInTheWay,
        ReadOnlyPlace, DiskFull, ReportFailed, InvalidDate, InvalidValue.
        """
        stem = target.with_suffix("")
        await asyncio.to_thread(_require_free, [target, *([package] if package else [])], overwrite)
        report = await self.build(workspace, order)
        data = to_json(report)
        volumes = await asyncio.to_thread(_printed, data)
        signature = await self._evidence.sign(data) if package else None
        anchors = await self._evidence.anchor_file(workspace)
        written = [target, *(target.with_name(one.name(stem.name)) for one in volumes[1:])]
        try:
            for file, volume in zip(written, volumes, strict=True):
                await asyncio.to_thread(_place, file, volume.data, overwrite)
            if package is not None:
                await asyncio.to_thread(_pack, package, report, data, volumes, signature, anchors, overwrite)
        except OSError as fault:
            raise ReadOnlyPlace("The report could not be written", details=type(fault).__name__) from fault
        pages = sum(volume.pages for volume in volumes)
        await self._remember(workspace, report, pages, channel)
        return ReportMade(
            report.id, tuple(str(file) for file in written), pages, str(package or ""), report.checks,
            report.integrity.head, signature is not None,
        )  # fmt: skip

    async def save_package(
        self, workspace: str, order: ReportOrder, package: Path, *, channel: str = "app", overwrite: bool = False
    ) -> ReportMade:
        """Write the evidence package alone; the report is in it. Raises as `write`."""
        with tempfile.TemporaryDirectory(prefix="hive-mind-") as folder:
            made = await self.write(
                workspace, order, Path(folder) / "report.pdf", package, channel=channel, overwrite=overwrite
            )
        return replace(made, files=())

    def _period(self, since: str | None, until: str | None) -> Period:
        return period_of(since, until, stamp(self._context.clock())[:10])

    async def _around(self, workspace: str, period: Period) -> Surroundings:
        return await surroundings(self._context, self._install, self._evidence, workspace, period)

    async def _remember(self, workspace: str, report: AuditReport, pages: int, channel: str) -> None:
        mind = await self._context.mind(workspace)
        detail: dict[str, Fact] = {
            "what": "report", "report_id": report.id, "since": report.since, "until": report.until, "pages": pages,
            "with_content": report.with_content,
        }  # fmt: skip
        await mind.write(lambda tx: record_event(tx.connection, tx.now, CallKind.EXPORT, detail, channel=channel))
        self._context.changed(workspace, Area.AUDIT)


def _printed(data: bytes) -> list[Volume]:
    return list(print_report(data))


def _require_free(targets: Sequence[Path], overwrite: bool) -> None:
    for target in targets:
        if not target.parent.is_dir():
            raise ReadOnlyPlace("This folder is not there", "Choose a folder that exists.", details=target.parent.name)
        if target.exists() and not overwrite:
            raise FileInTheWay(details=target.name)


def _place(target: Path, data: bytes, overwrite: bool) -> None:
    unfinished = files.new_file_beside(target)
    try:
        unfinished.write_bytes(data)
        _put(unfinished, target, overwrite)
    finally:
        files.discard(unfinished)


def _pack(
    target: Path, report: AuditReport, data: bytes, volumes: Sequence[Volume], signature: tuple[str, bytes] | None,
    anchors: Path, overwrite: bool,
) -> None:  # fmt: skip
    kept = b""
    with contextlib.suppress(OSError):
        kept = anchors.read_bytes()
    unfinished = files.new_file_beside(target)
    try:
        files.discard(unfinished)
        write_package(unfinished, report, data, volumes, signature, kept)
        _put(unfinished, target, overwrite)
    finally:
        files.discard(unfinished)


def _put(unfinished: Path, target: Path, overwrite: bool) -> None:
    if overwrite:
        unfinished.replace(target)
    else:
        files.place(unfinished, target)
