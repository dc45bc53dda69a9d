"""Which models answered, how often, and what it cost: sums by SQL, with what is unknown counted apart."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from hivemind.compliance.period import Period
from hivemind.domain.audit_report import Amount, Bucket, ModelUse
from hivemind.storage import Connection

#: More weeks than this are not drawn: the months say it.
MOST_WEEKS = 60
NOTHING = Amount(0, 0, 0, 0.0, 0, 0)

_SUMS = (
    "count(*), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0), coalesce(sum(cost_usd), 0.0),"
    " coalesce(sum(input_tokens IS NULL OR output_tokens IS NULL), 0), coalesce(sum(cost_usd IS NULL), 0)"
)
_OF_PERIOD = (
    " FROM interactions WHERE kind IN ('llm_call','embedding') AND timestamp >= ?1 AND timestamp < ?2"
)  # fmt: skip


def total(connection: Connection, period: Period) -> Amount:
    """All model calls of the period."""
    rows = connection.execute(f"SELECT {_SUMS}{_OF_PERIOD}", (period.first, period.end))
    row: tuple[Any, ...] = rows.fetchall()[0]
    return _amount(row)


def models(connection: Connection, period: Period) -> tuple[ModelUse, ...]:
    """By the exact identifier that came back, the most used first."""
    query = (
        f"SELECT model, provider, min(timestamp), max(timestamp), {_SUMS}{_OF_PERIOD}"
        " GROUP BY model, provider ORDER BY count(*) DESC, model, provider"
    )
    rows = connection.execute(query, (period.first, period.end))
    return tuple(ModelUse(str(m), str(p), str(a), str(z), _amount(sums)) for m, p, a, z, *sums in rows)


def months(connection: Connection, period: Period) -> tuple[Bucket, ...]:
    """Every calendar month of the period, those without a call too."""
    query = f"SELECT substr(timestamp, 1, 7) AS month, {_SUMS}{_OF_PERIOD} GROUP BY month"
    found = {str(label): _amount(sums) for label, *sums in connection.execute(query, (period.first, period.end))}
    return tuple(Bucket(label, found.get(label, NOTHING)) for label in period.months())


def weeks(connection: Connection, period: Period) -> tuple[Bucket, ...]:
    """Every week, counted from the first day; none when there are too many to be drawn."""
    if (period.until - period.since).days >= MOST_WEEKS * 7:
        return ()
    week = "CAST((julianday(substr(timestamp, 1, 10)) - julianday(substr(?1, 1, 10))) / 7 AS INTEGER)"
    query = f"SELECT {week} AS week, {_SUMS}{_OF_PERIOD} GROUP BY week"
    found = {int(number): _amount(sums) for number, *sums in connection.execute(query, (period.first, period.end))}
    return tuple(Bucket(label, found.get(number, NOTHING)) for number, label in enumerate(period.weeks()))


def tools_used(connection: Connection, period: Period) -> tuple[str, ...]:
    """Names of the tools that calls used."""
    query = f"SELECT DISTINCT tools_called{_OF_PERIOD} AND tools_called <> '[]'"
    rows = connection.execute(query, (period.first, period.end))
    return tuple(sorted({str(tool) for (tools,) in rows for tool in json.loads(str(tools))}))


def personas(connection: Connection, period: Period) -> tuple[str, ...]:
    query = f"SELECT DISTINCT persona{_OF_PERIOD} AND persona IS NOT NULL ORDER BY persona"
    return tuple(str(name) for (name,) in connection.execute(query, (period.first, period.end)))


def drawn(period: Period, oldest: str, today: str) -> Period:
    """The part of a period in which the log can have had entries: for months and weeks, not for sums."""
    first = max(period.since, date.fromisoformat(oldest[:10])) if oldest else period.since
    last = min(period.until, max(date.fromisoformat(today), first))
    return Period(first, last) if first <= last else Period(period.since, period.since)


def _amount(sums: Sequence[Any]) -> Amount:
    calls, tokens_in, tokens_out, cost, unknown_tokens, unknown_cost = sums
    return Amount(int(calls), int(tokens_in), int(tokens_out), float(cost), int(unknown_tokens), int(unknown_cost))
