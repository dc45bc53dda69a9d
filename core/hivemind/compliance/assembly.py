"""Puts the report together from one read of a mind, so that its head, its sums and its checks belong to one moment."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from hivemind.compliance import usage
from hivemind.compliance.checks import Matter, standing
from hivemind.compliance.decisions import read_oversight
from hivemind.compliance.entries import draw, log_rows
from hivemind.compliance.facts import gather
from hivemind.compliance.gaps import gaps, provenance, retention, signed_to
from hivemind.compliance.law import Law
from hivemind.compliance.period import Period
from hivemind.domain.audit_report import AuditReport, Grant, Integrity, LeftOut, LogRow, Oversight, Subject, Tool
from hivemind.domain.calls import LogCheck, Verdict
from hivemind.gateway import Anchor, verify_log
from hivemind.mind import MindTransaction
from hivemind.mind.statements import StatementStore
from hivemind.storage import Connection, schema_hash

#: Sections that may be left out. What is left out says so.
OPTIONAL = ("models", "harvest", "oversight", "usage", "retention", "sample", "log")
_EXIT = {Verdict.INTACT: 0, Verdict.TAMPERED: 10, Verdict.GAPS: 11}
_BY_OPERATOR = "Left out by whoever made this report."


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a report needs to know that no mind holds. `now`: a stamp; `local`: the same moment where the user is."""

    now: str
    local: str
    subject: Subject
    tool: Tool
    anchors: Sequence[Anchor] = ()
    grants: Sequence[Grant] = ()
    unlogged: int | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for. `leave_out`: of OPTIONAL."""

    period: Period
    with_content: bool = False
    leave_out: frozenset[str] = field(default=frozenset())


def matter_of(tx: MindTransaction, period: Period, around: Surroundings) -> Matter:
    """What the checks look at, from the caller's read transaction. Recomputes the whole log."""
    log = verify_log(tx.connection, anchors=around.anchors)
    facts = gather(tx.connection, period, log, around.now[:10], around.unlogged)
    return Matter(facts, read_oversight(tx.connection, period, around.grants), StatementStore(tx.connection).read())


def build_report(tx: MindTransaction, wanted: Wanted, around: Surroundings, law: Law) -> AuditReport:
    """Everything the report says. Blocking; reads the log several times."""
    matter = matter_of(tx, wanted.period, around)
    facts, statement, connection = matter.facts, matter.statement, tx.connection
    found = standing(matter, law)
    rows = log_rows(connection, wanted.period)
    drawn = usage.drawn(wanted.period, facts.oldest, facts.today)
    out = wanted.leave_out
    head = facts.log.head
    sample_rows: Sequence[LogRow] = () if "sample" in out else rows
    return AuditReport(
        format=1,
        id=_report_id(head, wanted, around.now),
        language="en-US",
        generated=around.now,
        generated_local=around.local,
        since=wanted.period.since.isoformat(),
        until=wanted.period.until.isoformat(),
        covered=(rows[0].time, rows[-1].time) if rows else None,
        subject=around.subject,
        tool=around.tool,
        law=found.law,
        statement=statement,
        duty=found.duty,
        overall=found.overall,
        checks=found.checks,
        findings=tuple(finding for check in found.checks for finding in check.findings),
        paragraphs=found.paragraphs,
        integrity=_integrity(connection, facts.log, around.anchors),
        gaps=gaps(connection, facts, rows, (drawn.until - drawn.since).days + 1),
        models=() if "models" in out else usage.models(connection, wanted.period),
        totals=usage.total(connection, wanted.period),
        tools_used=usage.tools_used(connection, wanted.period),
        personas=usage.personas(connection, wanted.period),
        oversight=_shown_oversight(matter, out),
        provenance=() if "harvest" in out else provenance(connection, wanted.period, names=wanted.with_content),
        months=() if "usage" in out else usage.months(connection, drawn),
        weeks=() if "usage" in out else usage.weeks(connection, drawn),
        retention=retention(connection, wanted.period, facts, statement),
        sample=draw(connection, sample_rows, head, texts=wanted.with_content),
        left_out=tuple(_left_out(wanted)),
        omitted=tuple(LeftOut(name, _BY_OPERATOR) for name in OPTIONAL if name in out),
        with_content=wanted.with_content,
        log=() if "log" in out else rows,
    )


def _integrity(connection: Connection, log: LogCheck, anchors: Sequence[Anchor]) -> Integrity:
    return Integrity(
        verdict=str(log.verdict),
        exit=_EXIT[log.verdict],
        first=int(connection.execute("SELECT coalesce(min(seq), 0) FROM ai_log_chain").get or 0),
        last=int(connection.execute("SELECT coalesce(max(seq), 0) FROM ai_log_chain").get or 0),
        entries=log.entries,
        head=log.head,
        schema=schema_hash(connection),
        signer=log.signer,
        checkpoints=log.checkpoints,
        signed_to=signed_to(connection),
        anchors=log.anchors,
        anchor_time=anchors[-1].time if anchors else "",
        erased=log.erased,
        findings=tuple(str(one) for one in log.findings),
        gaps=tuple(str(one) for one in log.gaps),
    )


def _shown_oversight(matter: Matter, out: frozenset[str]) -> Oversight:
    return replace(matter.oversight, latest=(), people=()) if "oversight" in out else matter.oversight


def _left_out(wanted: Wanted) -> Iterator[LeftOut]:
    if wanted.with_content:
        yield LeftOut(
            "Texts outside the sample",
            "Only the sampled entries are shown with their texts; the mind holds the others.",
        )
    else:
        yield LeftOut(
            "Content of messages",
            "Left out unless it is asked for. The log holds it; row hashes cover it through salted commitments.",
        )
        yield LeftOut("Names of imported files", "They may tell of people. The window shows them under Import.")
    yield LeftOut("Names of people", "Whoever decided appears as the log names them. These are still personal data.")


def _report_id(head: str, wanted: Wanted, now: str) -> str:
    text = f"{head} {wanted.period.since} {wanted.period.until} {now} {wanted.with_content} {sorted(wanted.leave_out)}"
    return f"HM-{now[:10]}-{hashlib.sha256(text.encode()).hexdigest()[:6].upper()}"
