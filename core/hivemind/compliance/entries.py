"""The log's entries as the report shows them, and the sample that anybody can draw again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from hivemind.compliance.period import Period
from hivemind.domain.audit_report import LogRow, Sample, SampleRow, SampleText
from hivemind.storage import Connection

#: Entries drawn.
SAMPLE_SIZE = 25
METHOD = (
    "The entries of the period are put in the order of SHA-256(seed, a colon, the entry's number, as ASCII text); the"
    " first of them are the sample. The seed is the log head, so nobody chooses it."
)

_ROWS = (
    "SELECT seq, timestamp, kind, json_extract(detail_json, '$.state') AS state, model, provider, actor,"
    " coalesce(json_extract(detail_json, '$.channel'), ''), input_tokens, output_tokens, cost_usd,"
    " coalesce(json_extract(detail_json, '$.unknown'), '[]'),"
    " coalesce(json_extract(detail_json, '$.decision'), human_action, ''), lower(hex(row_hash))"
    " FROM ai_log_chain JOIN ai_interactions ON id = interaction_id"
    " WHERE timestamp >= ? AND timestamp < ? ORDER BY seq"
)
_COMMITS = "SELECT commits_json FROM ai_log_chain WHERE seq = ?"
_TEXTS = (
    "SELECT field, body FROM ai_log_payload JOIN ai_log_chain USING (interaction_id)"
    " WHERE seq = ? AND state = 'present' ORDER BY field"
)


def log_rows(connection: Connection, period: Period) -> tuple[LogRow, ...]:
    """Every entry of the period, oldest first. Figures only where an entry ends a call."""
    return tuple(_row(values) for values in connection.execute(_ROWS, (period.first, period.end)))


def draw(connection: Connection, rows: Sequence[LogRow], seed: str, *, texts: bool, size: int = SAMPLE_SIZE) -> Sample:
    """A sample of the entries, and beside it every entry that was denied, changed, stopped or failed."""
    order = sorted(rows, key=lambda row: hashlib.sha256(f"{seed}:{row.seq}".encode("ascii")).digest())
    chosen = sorted(order[:size], key=lambda row: row.seq)
    always = [row for row in rows if row.action in ("denied", "modified", "stopped") or row.state == "failed"]
    return Sample(
        population=len(rows),
        size=len(chosen),
        seed=seed,
        method=METHOD,
        rows=tuple(_sampled(connection, row, texts) for row in chosen),
        always=tuple(_sampled(connection, row, False) for row in always),
    )


def _row(values: Sequence[Any]) -> LogRow:
    seq, time, kind, state, model, provider, actor, channel, tin, tout, cost, unknown, action, digest = values
    ends = state in ("finished", "failed") and model not in ("-", "")
    missing = set(json.loads(unknown))
    return LogRow(
        int(seq), time, kind, state or "", model, provider, actor, channel,
        int(tin) if ends and "input_tokens" not in missing else None,
        int(tout) if ends and "output_tokens" not in missing else None,
        float(cost) if ends and "cost_usd" not in missing else None,
        "" if action == "none" else action, digest,
    )  # fmt: skip


def _sampled(connection: Connection, row: LogRow, texts: bool) -> SampleRow:
    stored = json.loads(str(connection.execute(_COMMITS, (row.seq,)).get))
    said = connection.execute(_TEXTS, (row.seq,)).fetchall() if texts else []
    return SampleRow(
        row,
        tuple(f"{field}={commitment}" for field, commitment in sorted(stored.items())),
        tuple(SampleText(str(field), str(body)) for field, body in said),
    )
