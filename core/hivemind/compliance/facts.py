"""What the log says, counted by SQL: the figures every check stands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hivemind.compliance.period import Period, whole_months
from hivemind.domain.calls import CallKind, LogCheck
from hivemind.storage import Connection

# In calls of these two kinds a model answers. Lists of models and a program's tools are calls too, but no model's.
_CALLS = (
    "SELECT count(*), coalesce(sum(state = 'started'), 0),"
    " coalesce(sum(kind IN ('llm_call','embedding')), 0),"
    " coalesce(sum(kind IN ('llm_call','embedding') AND (model IN ('-', '') OR provider IN ('-', ''))), 0),"
    " coalesce(sum(kind IN ('llm_call','embedding') AND cost_usd IS NULL), 0),"
    " coalesce(sum(kind IN ('llm_call','embedding') AND (input_tokens IS NULL OR output_tokens IS NULL)), 0),"
    " coalesce(sum(kind IN ('llm_call','embedding') AND persona IS NOT NULL), 0),"
    " coalesce(sum(kind IN ('llm_call','embedding') AND tools_called <> '[]'), 0),"
    " coalesce(sum(kind IN ('llm_call','embedding') AND lower(model || provider) LIKE '%mock%'), 0)"
    " FROM interactions WHERE timestamp >= ? AND timestamp < ?"
)
_OWN_CALLS = (
    "SELECT count(*) FROM interactions JOIN ai_log_chain ON interaction_id = first_id"
    " WHERE interactions.kind = 'llm_call' AND json_extract(detail_json, '$.channel') = 'app'"
    " AND timestamp >= ? AND timestamp < ?"
)
_EVENTS = (
    "SELECT kind, count(*) FROM ai_log_chain JOIN ai_interactions ON id = interaction_id"
    " WHERE timestamp >= ? AND timestamp < ? GROUP BY kind"
)
_MISSED = (
    "SELECT coalesce(sum(json_extract(detail_json, '$.missed')), 0) FROM ai_log_chain"
    " JOIN ai_interactions ON id = interaction_id WHERE kind = 'log_gap' AND timestamp >= ? AND timestamp < ?"
)
_PAGES = (
    "SELECT coalesce(sum(json_extract(detail_json, '$.ai_pages')), 0),"
    " coalesce(sum(json_extract(detail_json, '$.ai_pages_marked')), 0) FROM ai_log_chain"
    " JOIN ai_interactions ON id = interaction_id WHERE kind = 'export' AND timestamp >= ? AND timestamp < ?"
)
#: A step back of the clock of more than a minute; smaller ones are corrections every computer makes.
_CLOCK = (
    "SELECT count(*) FROM (SELECT timestamp, lag(timestamp) OVER (ORDER BY seq) AS before FROM ai_log_chain"
    " JOIN ai_interactions ON id = interaction_id)"
    " WHERE julianday(timestamp) < julianday(before) - 60.0 / 86400 AND timestamp >= ? AND timestamp < ?"
)


@dataclass(frozen=True, slots=True)
class Facts:
    """Counts over the period; `restores`, `oldest` and the counters are of the whole log.

    `unlogged`: requests that left this computer and whose call no mind's log knows, None = not looked.
    """

    today: str
    entries: int
    calls: int
    open_calls: int
    model_calls: int
    own_calls: int
    unnamed: int
    cost_unknown: int
    tokens_unknown: int
    with_persona: int
    with_tools: int
    mock_calls: int
    missed: int
    restores: int
    clock_steps: int
    notices: int
    ai_pages: int
    ai_pages_marked: int
    rows: int
    counted_rows: int
    started_rows: int
    counted_started: int
    oldest: str
    unlogged: int | None
    log: LogCheck

    @property
    def counters_agree(self) -> bool:
        """Calls that the counters say were started are in the rows, and every row was counted."""
        return self.rows == self.counted_rows and self.started_rows == self.counted_started

    @property
    def months_kept(self) -> int:
        """Calendar months since the oldest entry that are over; 0 without an entry."""
        return whole_months(self.oldest[:10], self.today) if self.oldest else 0


def gather(connection: Connection, period: Period, log: LogCheck, today: str, unlogged: int | None = None) -> Facts:
    """Count within the caller's read transaction. `today`: a day."""
    span = (period.first, period.end)

    def one(query: str, bindings: tuple[str, ...] = ()) -> int:
        return int(connection.execute(query, bindings).get or 0)

    counts: tuple[Any, ...] = connection.execute(_CALLS, span).fetchall()[0]
    calls, running, models, unnamed, no_cost, no_tokens, persona, tools, mock = (int(one) for one in counts)
    by_kind = {str(kind): int(count) for kind, count in connection.execute(_EVENTS, span)}
    exported: tuple[Any, ...] = connection.execute(_PAGES, span).fetchall()[0]
    pages, marked = (int(value) for value in exported)
    counters = {str(name): int(value) for name, value in connection.execute("SELECT k, v FROM ai_log_counters")}
    started = "SELECT count(*) FROM ai_log_chain WHERE json_extract(detail_json, '$.state') = 'started'"
    oldest = connection.execute("SELECT timestamp FROM ai_interactions ORDER BY id LIMIT 1").get
    return Facts(
        today=today,
        entries=sum(by_kind.values()),
        calls=calls,
        open_calls=running,
        model_calls=models,
        own_calls=one(_OWN_CALLS, span),
        unnamed=unnamed,
        cost_unknown=no_cost,
        tokens_unknown=no_tokens,
        with_persona=persona,
        with_tools=tools,
        mock_calls=mock,
        missed=one(_MISSED, span),
        restores=one("SELECT count(*) FROM ai_log_chain WHERE kind = 'restore'"),
        clock_steps=one(_CLOCK, span),
        notices=by_kind.get(CallKind.NOTICE, 0),
        ai_pages=pages,
        ai_pages_marked=marked,
        rows=one("SELECT count(*) FROM ai_log_chain"),
        counted_rows=counters.get("rows_written", 0),
        started_rows=one(started),
        counted_started=counters.get("calls_started", 0),
        oldest="" if oldest is None else str(oldest),
        unlogged=unlogged,
        log=log,
    )
