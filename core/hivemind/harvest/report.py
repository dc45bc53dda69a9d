"""The report of a run, read from the run store: every item is in exactly one of its sums."""

from __future__ import annotations

from dataclasses import replace

from hivemind.domain.harvest import FailedItem, FrameCounts, ImportReport, Reason, RunState
from hivemind.errors import InternalFault
from hivemind.harvest.items import ItemStore
from hivemind.harvest.runs import Run, RunStore
from hivemind.storage import Connection


def report(connection: Connection, run_id: int) -> ImportReport:
    """The report of one run with those of its sources. Raises RunNotFound; InternalFault when it does not add up."""
    runs = RunStore(connection, "")
    run = runs.get(run_id)
    children = tuple(_single(connection, child) for child in runs.children(run_id))
    whole = _sum(run, children) if children else _single(connection, run)
    check(whole)
    return whole


def list_reports(connection: Connection) -> list[ImportReport]:
    """Reports of all imports, newest first."""
    return [report(connection, run.id) for run in RunStore(connection, "").list_top()]


def check(outcome: ImportReport) -> None:
    """Raises InternalFault when found is not the sum of its parts."""
    parts = outcome.new + outcome.updated + outcome.unchanged + len(outcome.failed)
    total = parts + sum(reason.count for reason in outcome.skipped)
    if outcome.found != total:
        raise InternalFault(details=f"import {outcome.run_id} found {outcome.found} items but accounts for {total}")


def _single(connection: Connection, run: Run) -> ImportReport:
    items = ItemStore(connection)
    tally = items.tally(run.id)
    counts = run.counts
    # The reader's own count, where it reached the end; until then, what was finished so far.
    found = counts.get("found", 0) if run.state is RunState.FINISHED else sum(tally.values())
    outcome = ImportReport(
        run_id=run.id,
        source=run.source,
        name=run.name,
        state=run.state,
        found=found,
        new=tally["new"],
        updated=tally["updated"],
        unchanged=tally["unchanged"],
        skipped=tuple(Reason(reason, count) for reason, count in items.skipped(run.id)),
        failed=tuple(FailedItem(item, reason) for item, reason in items.failed(run.id)),
        messages=counts.get("messages", 0),
        frames=FrameCounts(counts.get("i", 0), counts.get("p", 0), 0),
        duplicates_exact=0,
        duplicates_flagged=0,
        repaired=counts.get("repaired", 0),
        quarantined=counts.get("quarantined", 0),
        masked=counts.get("masked", 0),
        attachments_text=counts.get("attachments_text", 0),
        attachments_missing=counts.get("attachments_missing", 0),
        seconds=round(run.seconds, 3),
        started_at=run.started_at,
        finished_at=run.finished_at,
        error=run.error,
    )
    check(outcome)
    return outcome


def _sum(run: Run, children: tuple[ImportReport, ...]) -> ImportReport:
    reasons: dict[str, int] = {}
    for reason in (reason for child in children for reason in child.skipped):
        reasons[reason.reason] = reasons.get(reason.reason, 0) + reason.count
    sums = {
        name: sum(getattr(child, name) for child in children)
        for name in (
            "found", "new", "updated", "unchanged", "messages", "repaired", "quarantined", "masked",
            "attachments_text", "attachments_missing", "seconds",
        )
    }  # fmt: skip
    return replace(
        children[0],
        run_id=run.id,
        source=run.source,
        name=run.name,
        state=run.state,
        skipped=tuple(Reason(reason, count) for reason, count in reasons.items()),
        failed=tuple(failed for child in children for failed in child.failed),
        frames=FrameCounts(sum(child.frames.i for child in children), sum(child.frames.p for child in children), 0),
        started_at=run.started_at,
        finished_at=run.finished_at,
        error=run.error,
        children=children,
        **sums,
    )
