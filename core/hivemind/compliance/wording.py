"""How figures, days and names are written on the report's pages: en-US numbers, UTC, "unknown" and never a false 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

NOT_KNOWN = "unknown"
#: One-line rows on a page of the log table. Looked at after layout, so that page numbers can be known before.
ROWS_PER_PAGE = 48
SECTIONS = (
    ("checks", "Check results"),
    ("integrity", "Log integrity and how to verify it"),
    ("models", "Models and system"),
    ("gaps", "Gaps"),
    ("harvest", "Where memories came from"),
    ("oversight", "Human oversight"),
    ("usage", "Interactions and cost"),
    ("retention", "Retention and erasures"),
    ("sample", "Seeded sample"),
    ("meaning", "What this report shows and does not show"),
    ("left-out", "Content left out"),
)
_KINDS = {"llm_call": "model call", "log_gap": "failed write", "cross_mind_read": "cross-mind read"}
_RISKS = {
    "not_assessed": "Not assessed",
    "not_high_risk": "Not high-risk",
    "high_risk_annex_iii": "High-risk, Annex III",
    "high_risk_annex_i": "High-risk, Annex I",
}
_LOG_STATES = {"intact": "pass", "intact with gaps": "attention", "tampered": "fail"}
Facts = Mapping[str, Any]


def frame(document: Facts) -> dict[str, Any]:
    """What the templates need beside the document itself."""
    subject, integrity = document["subject"], document["integrity"]
    signer = f" --pubkey {integrity['signer']}" if integrity["signer"] else ""
    risk = document["statement"]["risk"]
    area = f", area {document['statement']['area']}" if risk == "high_risk_annex_iii" else ""
    return {
        "toc": SECTIONS,
        "titles": dict(SECTIONS),
        "no": {key: number for number, (key, _) in enumerate(SECTIONS, start=1)},
        "omitted": {one["name"]: one["why"] for one in document["omitted"]},
        "risk": f"{_RISKS[risk]}{area}",
        # A log without any call has nothing to be proud of.
        "log_state": "not assessed" if _untouched(document) else _LOG_STATES[integrity["verdict"]],
        "commands": (
            ("Let the program check the log against its anchors, which lie outside the mind.",
             f"hive-mind-sidecar --workspace {subject['workspace']} verify-log"),
            ("Repeat with the stand-alone script, which needs Python only and not this application.",
             f"python3 -I verify_log.py {subject['workspace']}.mind --anchor {subject['uuid']}.log{signer}"),
            ("Take out the attached data file and compare its figures with the pages.",
             f"pdfdetach -saveall {document['id']}.pdf"),
        ),
    }  # fmt: skip


def number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


def money(value: float | None) -> str:
    """Four decimals, for single entries."""
    return "–" if value is None else f"{value:,.4f}"


def tokens_in(amount: Facts) -> str:
    return _at_least(f"{amount['tokens_in']:,}", amount["unknown_tokens"], amount["calls"])


def tokens_out(amount: Facts) -> str:
    return _at_least(f"{amount['tokens_out']:,}", amount["unknown_tokens"], amount["calls"])


def cost(amount: Facts) -> str:
    return _at_least(f"{amount['cost']:,.2f}", amount["unknown_cost"], amount["calls"])


def day(text: str) -> str:
    """`2026-10-05…` as 5 October 2026."""
    moment = datetime.fromisoformat(text[:10])
    return f"{moment.day}\u00a0{moment:%B}\u00a0{moment.year}"


def short_day(text: str) -> str:
    moment = datetime.fromisoformat(text[:10])
    return f"{moment.day}\u00a0{moment:%b}\u00a0{moment.year}"


def day_and_time(stamp: str) -> str:
    return f"{day(stamp)}, {stamp[11:16]}"


def log_time(stamp: str) -> str:
    return f"{stamp[:10]} {stamp[11:19]}"


def tick(label: str) -> str:
    """Below a bar: a week by its first day, a month by its number."""
    if len(label) == len("2026-10"):
        return label
    moment = datetime.fromisoformat(label)
    return f"{moment.day} {moment:%b}"


def axis_step(top: int) -> int:
    """A round step of which four reach `top`."""
    steps: tuple[int, ...] = tuple(step * int(10**power) for power in range(12) for step in (1, 2, 5))
    return next(step for step in steps if 4 * step >= top)


def entry_kind(row: Facts) -> str:
    """A call by its kind and how it ended, anything else by what was decided or what it is."""
    kind = _KINDS.get(row["kind"], str(row["kind"]).replace("_", " "))
    if row["state"] in ("started", "failed"):
        return f"{'call' if row['kind'] == 'llm_call' else kind} {row['state']}"
    return str(row["action"]) if row["kind"] == "oversight" and row["action"] else kind


def entry_subject(row: Facts) -> str:
    return "–" if row["model"] in ("-", "") else str(row["model"])


def commitment(values: Sequence[str]) -> str:
    """The first digits of the first commitment, and how many more there are."""
    if not values:
        return "–"
    field, _, digest = values[0].partition("=")
    return f"{field[:6]} {digest[:8]}" + (f" +{len(values) - 1}" if len(values) > 1 else "")


def cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… (cut; whole in the data file)"


def yes_or_no(value: bool | None) -> str:
    return "not stated" if value is None else "yes" if value else "no"


def _at_least(shown: str, unknown: int, calls: int) -> str:
    if not unknown:
        return shown
    return NOT_KNOWN if unknown >= calls else f"≥\u00a0{shown}"


def _untouched(document: Facts) -> bool:
    verdict, checks = document["integrity"]["verdict"], document["checks"]
    return verdict != "tampered" and all(one["status"] in ("not assessed", "not applicable") for one in checks)


FILTERS: dict[str, Callable[..., Any]] = {
    "num": number,
    "pct": percent,
    "sec": seconds,
    "money4": money,
    "tokens_in": tokens_in,
    "tokens_out": tokens_out,
    "cost": cost,
    "day": day,
    "short": short_day,
    "daytime": day_and_time,
    "stamp": log_time,
    "tick": tick,
    "axis_step": axis_step,
    "entry_kind": entry_kind,
    "entry_subject": entry_subject,
    "commitment": commitment,
    "cut": cut,
    "yesno": yes_or_no,
}
