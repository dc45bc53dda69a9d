"""Evidence put in order: checks over the log, the report as data, its pages and the evidence package."""

from __future__ import annotations

from hivemind.compliance.assembly import OPTIONAL, Surroundings, Wanted, build_report, matter_of
from hivemind.compliance.checks import Matter, standing
from hivemind.compliance.decisions import read_oversight
from hivemind.compliance.document import to_json
from hivemind.compliance.facts import gather
from hivemind.compliance.gaps import retention
from hivemind.compliance.law import load_law
from hivemind.compliance.package import write_package
from hivemind.compliance.period import Period, period_of
from hivemind.compliance.preview import draw_pages
from hivemind.compliance.printing import Volume, print_report

__all__ = [
    "OPTIONAL",
    "Matter",
    "Period",
    "Surroundings",
    "Volume",
    "Wanted",
    "build_report",
    "draw_pages",
    "gather",
    "load_law",
    "matter_of",
    "period_of",
    "print_report",
    "read_oversight",
    "retention",
    "standing",
    "to_json",
    "write_package",
]
