"""Evidence put in order: checks over the log, the report as data, its pages and the evidence package."""

from __future__ import annotations

from hivemind.compliance.checks import CHECKS, Matter, standing
from hivemind.compliance.decisions import read_oversight
from hivemind.compliance.facts import gather
from hivemind.compliance.law import load_law
from hivemind.compliance.period import Period, add_months, period_of

__all__ = [
    "CHECKS",
    "Matter",
    "Period",
    "add_months",
    "gather",
    "load_law",
    "period_of",
    "read_oversight",
    "standing",
]
