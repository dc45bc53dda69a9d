"""What is asked of a report and what comes back of it: the order, what was written, pictures of pages, the overview."""

from __future__ import annotations

from dataclasses import dataclass

from hivemind.domain.audit_report import Oversight, Retention
from hivemind.domain.calls import LogCheck
from hivemind.domain.checks import CheckResult, Standing, Statement


@dataclass(frozen=True, slots=True)
class Overview:
    """Checks, decisions, retention and the recomputed log of one moment, over the days `since` to `until`."""

    since: str
    until: str
    calls: int
    first_entry: str
    standing: Standing
    oversight: Oversight
    retention: Retention
    log: LogCheck
    statement: Statement


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """What somebody wants: days as typed (None = the last six months), sections to leave out, texts or not."""

    since: str | None = None
    until: str | None = None
    with_content: bool = False
    leave_out: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReportMade:
    """What was written. `files`: the report first, then volumes of its log table; `package` '' = none asked for."""

    report_id: str
    files: tuple[str, ...]
    pages: int
    package: str
    checks: tuple[CheckResult, ...]
    log_head: str
    signed: bool


@dataclass(frozen=True, slots=True)
class PagePicture:
    """One page, numbered from 0. `pixels`: rows of `stride` bytes, four a pixel: blue, green, red, unused."""

    number: int
    width: int
    height: int
    stride: int
    pixels: bytes
