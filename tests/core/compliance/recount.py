"""A report of a random log, and the same figures counted once more from the rows by other code."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from datetime import date
from io import BytesIO
from statistics import median
from types import SimpleNamespace
from typing import Any, cast

import apsw
from pypdf import PdfReader
from tests.core.compliance.busy_log import BusyLog
from tests.test_words import PROMISES

from hivemind.clock import stamp
from hivemind.compliance import Period, Surroundings, Wanted, build_report, load_law, to_json
from hivemind.domain.audit_report import AuditReport, Subject, Tool
from hivemind.mind import MindTransaction

#: Beside the promises that no text of ours may make.
MORE_PROMISES = re.compile(
    r"\b(?:immutable|conforms|legally valid|complete record of all|audit passed)\b", re.IGNORECASE
)
WHERE = Subject("Claims desk", "11111111-2222-4333-8444-555555555555", "claims-desk", "workspace")
TOOL = Tool("Hive-Mind", "0.0.0", "", "3.54.1", "Linux")
FIRST = date(2026, 11, 1)


def report_of(log: BusyLog, until: date | None = None, **wanted: Any) -> AuditReport:
    tx = cast(MindTransaction, SimpleNamespace(connection=log.connection))
    around = Surroundings(stamp(log.now), "14:00 local time, UTC+01:00", WHERE, TOOL, unlogged=0)
    return build_report(tx, Wanted(Period(FIRST, until or log.now.date()), **wanted), around, load_law())


def calls(connection: apsw.Connection, end: str) -> list[dict[str, Any]]:
    """Model calls before a moment, put together from raw entries, not from the view."""
    rows = connection.execute(
        "SELECT seq, timestamp, detail_json, model, provider, input_tokens, output_tokens, cost_usd"
        " FROM ai_interactions JOIN ai_log_chain ON id = interaction_id ORDER BY seq"
    )
    found: dict[str, dict[str, Any]] = {}
    for _, time, detail, model, provider, tokens_in, tokens_out, cost in rows:
        told = json.loads(detail)
        uuid = told.get("call_uuid")
        if uuid is None:
            continue
        unknown = told.get("unknown", [])
        one = found.setdefault(uuid, {"time": time})
        one.update(model=model, provider=provider)
        one["in"] = None if "input_tokens" in unknown else tokens_in
        one["out"] = None if "output_tokens" in unknown else tokens_out
        one["cost"] = None if "cost_usd" in unknown else cost
    return [one for one in found.values() if one["time"] < end]


def at_least(shown: str, unknown: int, whole: int) -> str:
    return shown if not unknown else "unknown" if unknown == whole else f"≥ {shown}"


def sums(some: list[dict[str, Any]]) -> tuple[int, int, int, float, int, int]:
    return (
        len(some),
        sum(one["in"] or 0 for one in some),
        sum(one["out"] or 0 for one in some),
        sum(one["cost"] or 0.0 for one in some),
        sum(one["in"] is None or one["out"] is None for one in some),
        sum(one["cost"] is None for one in some),
    )


def line_of(some: list[dict[str, Any]]) -> str:
    """How sums read in a table's row."""
    number, tin, tout, cost, no_tokens, no_cost = sums(some)
    return " ".join(
        [
            f"{number:,}", at_least(f"{tin:,}", no_tokens, number), at_least(f"{tout:,}", no_tokens, number),
            at_least(f"{cost:,.2f}", no_cost, number),
        ]
    )  # fmt: skip


def decisions(connection: apsw.Connection, end: str) -> list[tuple[str, float | None]]:
    """Decisions by people: kind and seconds."""
    rows = connection.execute(
        "SELECT kind, detail_json FROM ai_interactions JOIN ai_log_chain ON id = interaction_id WHERE timestamp < ?",
        (end,),
    )
    found = []
    for kind, detail in rows:
        told = json.loads(detail)
        person = kind == "oversight" and told["channel"] == "app" and told["by"] == "person"
        if person and told["decision"] != "expired":
            found.append((told["decision"], told["waited_ms"] / 1000 if "waited_ms" in told else None))
    return found


def read_pages(pdfs: list[bytes]) -> str:
    pages = [page.extract_text() for pdf in pdfs for page in PdfReader(BytesIO(pdf)).pages]
    return re.sub(r"\s+", " ", " ".join(pages))


def faults(log: BusyLog, report: AuditReport, text: str) -> list[str]:
    """Everything in which the pages, the data and the rows do not say the same."""
    data = json.loads(to_json(report))
    end = Period(FIRST, date.fromisoformat(report.until)).end
    counted = calls(log.connection, end)
    found = [f"promise: {word}" for word in [*PROMISES.findall(text), *MORE_PROMISES.findall(text)]]
    totals = data["totals"]
    number, tin, tout, cost, no_tokens, no_cost = sums(counted)
    same = {"calls": number, "tokens_in": tin, "tokens_out": tout, "unknown_tokens": no_tokens, "unknown_cost": no_cost}
    found += [
        f"{key}: {totals[key]} in the data, {value} counted" for key, value in same.items() if totals[key] != value
    ]
    if abs(totals["cost"] - cost) > 1e-6:
        found.append(f"cost: {totals['cost']} in the data, {cost} counted")
    shown = [f"{'Total, '}{len(data['models'])} model"] if data["models"] else ["No model was called"]
    by_model: dict[str, list[dict[str, Any]]] = defaultdict(list)
    by_month: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in counted:
        by_model[one["model"]].append(one)
        by_month[one["time"][:7]].append(one)
    for model, some in by_model.items():
        shown.append(f"{model} {some[0]['provider']} {line_of(some)}")
    for month, some in by_month.items():
        shown.append(f"{month} {line_of(some)}")
    people = decisions(log.connection, end)
    kinds = Counter(kind for kind, _ in people)
    for kind in ("approved", "modified", "denied", "stopped"):
        times = [seconds for one, seconds in people if one == kind and seconds is not None]
        share = f"{kinds[kind] / len(people):.1%}" if people else "–"
        middle = f"{median(times):,.1f}" if times else "–"
        shown.append(f"{kind.capitalize()} {kinds[kind]:,} {share} {middle} {sum(time < 2 for time in times):,}")
    entries = log.connection.execute(
        "SELECT seq, lower(hex(row_hash)) FROM ai_log_chain JOIN ai_interactions ON id = interaction_id"
        " WHERE timestamp < ? ORDER BY seq", (end,),
    ).fetchall()  # fmt: skip
    if [(row["seq"], row["row_hash"]) for row in data["log"]] != entries:
        found.append("the log table has other entries")
    shown += [row["row_hash"][:10] for row in data["log"]]
    shown += [data["integrity"]["head"], data["id"], f"Population: {len(entries):,} entries"]
    return found + [f"not on the pages: {one}" for one in shown if one not in text]
