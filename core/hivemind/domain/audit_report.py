"""The audit report as data: one tree of plain facts, from which JSON, PDF and the window's page are made.

Times are stamps, days `YYYY-MM-DD`, all UTC. None is "not known" and never 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from hivemind.domain.checks import CheckResult, Finding, LawBasis, Paragraph, Statement


@dataclass(frozen=True, slots=True)
class Subject:
    """Which mind: its name, its own id, its place among the minds."""

    name: str
    uuid: str
    workspace: str
    scope: str


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    version: str
    build: str
    sqlite: str
    system: str


@dataclass(frozen=True, slots=True)
class Integrity:
    """The log recomputed. `exit`: what the stand-alone verifier would end with; `head`: hex."""

    verdict: str
    exit: int
    first: int
    last: int
    entries: int
    head: str
    schema: str
    signer: str
    checkpoints: int
    signed_to: int
    anchors: int
    anchor_time: str
    erased: int
    findings: tuple[str, ...]
    gaps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    kind: str
    count: int
    detail: str


@dataclass(frozen=True, slots=True)
class Amount:
    """Sums over calls. `unknown_*`: calls whose figure nobody knows, so a sum is "at least" when it is not 0."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    unknown_tokens: int
    unknown_cost: int


@dataclass(frozen=True, slots=True)
class ModelUse:
    model: str
    provider: str
    first: str
    last: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Bucket:
    """Sums over one month (`YYYY-MM`) or week (its first day)."""

    label: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions of one kind by people. `median`: seconds, None when no time was recorded. `fast`: under 2 s."""

    kind: str
    count: int
    share: float | None
    median: float | None
    fast: int


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    count: int
    median: float | None


@dataclass(frozen=True, slots=True)
class Grant:
    """A standing grant in force. `age`: whole days."""

    subject: str
    scope: str
    since: str
    age: int


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision by a person. `seconds` None: the time was not recorded."""

    seq: int
    time: str
    subject: str
    kind: str
    person: str
    seconds: float | None
    row_hash: str


@dataclass(frozen=True, slots=True)
class Oversight:
    """People's decisions. `timed_out`, `by_policy` and `elsewhere` are counted apart: nobody decided here."""

    kinds: tuple[Decisions, ...]
    total: int
    timed: int
    approval_rate: float | None
    median: float | None
    fast: int
    timed_out: int
    by_policy: int
    elsewhere: int
    people: tuple[Person, ...]
    latest: tuple[Decision, ...]
    grants: tuple[Grant, ...]
    cross_reads: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """One import. `name` '' when file names are left out."""

    run: int
    source: str
    name: str
    at: str
    state: str
    sessions: int
    frames: int
    skipped: int


@dataclass(frozen=True, slots=True)
class ErasureLine:
    seq: int
    time: str
    reason: str
    texts: int


@dataclass(frozen=True, slots=True)
class Retention:
    """`six_months`: the test in a sentence. `texts_due`: texts older than the operator's policy, 0 without one."""

    oldest: str
    months_kept: int
    six_months: str
    keep_texts_months: int
    texts_present: int
    texts_due: int
    erasures: tuple[ErasureLine, ...]


@dataclass(frozen=True, slots=True)
class LogRow:
    """One entry of the log. Tokens and cost None: no figure, or not known."""

    seq: int
    time: str
    kind: str
    state: str
    model: str
    provider: str
    actor: str
    channel: str
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    action: str
    row_hash: str


@dataclass(frozen=True, slots=True)
class SampleText:
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class SampleRow:
    """A drawn entry. `commitments`: field=HMAC-SHA256 under a salt that stays in the mind; never a plain hash."""

    row: LogRow
    commitments: tuple[str, ...]
    texts: tuple[SampleText, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    population: int
    size: int
    seed: str
    method: str
    rows: tuple[SampleRow, ...]
    always: tuple[SampleRow, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Everything the report says. `omitted`: section id and why it is left out. `until` is a day that is in."""

    format: int
    id: str
    language: str
    generated: str
    generated_local: str
    since: str
    until: str
    covered: tuple[str, str] | None
    subject: Subject
    tool: Tool
    law: LawBasis
    statement: Statement
    duty: str
    overall: str
    checks: tuple[CheckResult, ...]
    findings: tuple[Finding, ...]
    paragraphs: tuple[Paragraph, ...]
    integrity: Integrity
    gaps: tuple[Gap, ...]
    models: tuple[ModelUse, ...]
    totals: Amount
    tools_used: tuple[str, ...]
    personas: tuple[str, ...]
    oversight: Oversight
    provenance: tuple[Provenance, ...]
    months: tuple[Bucket, ...]
    weeks: tuple[Bucket, ...]
    retention: Retention
    sample: Sample
    left_out: tuple[LeftOut, ...]
    omitted: tuple[LeftOut, ...]
    with_content: bool
    log: tuple[LogRow, ...]
