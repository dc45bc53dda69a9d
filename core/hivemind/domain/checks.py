"""Results of technical checks on a mind's log, and what the operator states about its use. Never a legal verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """The result of one named technical check."""

    PASS = "pass"  # noqa: S105 (a result)
    ATTENTION = "attention"
    FAIL = "fail"
    NOT_ASSESSED = "not assessed"
    NOT_APPLICABLE = "not applicable"


class RiskClass(StrEnum):
    """What the operator says the use is. Nothing here finds it out."""

    NOT_ASSESSED = "not_assessed"
    NOT_HIGH_RISK = "not_high_risk"
    ANNEX_III = "high_risk_annex_iii"
    ANNEX_I = "high_risk_annex_i"

    @property
    def high(self) -> bool:
        return self in (RiskClass.ANNEX_III, RiskClass.ANNEX_I)


#: Paragraphs of Article 26 that are acts on paper: the operator declares them, nobody checks them.
DECLARABLE = ("26(1)", "26(2)", "26(4)", "26(7)", "26(8)", "26(9)", "26(11)", "26(12)", "4")
#: Least time that entries are kept, calendar months; no policy can go below it.
LEAST_MONTHS = 6


@dataclass(frozen=True, slots=True)
class Statement:
    """What the operator states about this mind's use. `set_at` '' = nothing was stated.

    `area`: number of the Annex III area, 0 = none. `as_provider`, `as_deployer`: None = not said. `declared`:
    paragraphs of DECLARABLE. `keep_texts_months`: after so many calendar months texts are due to be erased, 0 = kept.
    """

    risk: RiskClass = RiskClass.NOT_ASSESSED
    area: int = 0
    set_by: str = ""
    set_at: str = ""
    operator: str = ""
    purpose: str = ""
    instructions: str = ""
    as_provider: bool | None = None
    as_deployer: bool | None = None
    personal_use: bool = False
    declared: tuple[str, ...] = ()
    keep_texts_months: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A figure behind a result. `value` None: not known."""

    label: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a person should look at."""

    status: Status
    title: str
    condition: str
    criterion: str
    evidence: str
    consequence: str
    step: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the status. `applies_from`: a day, from the dated law basis."""

    article: str
    title: str
    duty_of: str
    status: Status
    detail: str
    applies_from: str
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of Article 26: checked, checked in part, declared by operator, not covered or not applicable."""

    number: str
    subject: str
    how: str


@dataclass(frozen=True, slots=True)
class LawBasis:
    """What the checks refer to, as of a day. `old`: more than 180 days before the report."""

    text: str
    as_of: str
    source: str
    note: str
    old: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """All results at one moment. `overall` is no verdict on a person or a system."""

    overall: str
    duty: str
    law: LawBasis
    checks: tuple[CheckResult, ...]
    paragraphs: tuple[Paragraph, ...] = field(default=())
