"""What the log does not hold, or holds with a break; where memories came from; what was erased and how long is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hivemind.compliance.facts import Facts
from hivemind.compliance.period import Period, add_months
from hivemind.domain.audit_report import ErasureLine, Gap, LogRow, Provenance, Retention
from hivemind.domain.checks import LEAST_MONTHS, Statement
from hivemind.storage import Connection

#: So many entry numbers are named; the data file has them all.
_NAMED = 8
_ERASED = "SELECT count(*) FROM ai_log_payload WHERE state = 'erased'"
_IMPORTED = "SELECT count(*) FROM ai_interactions WHERE imported_from IS NOT NULL"
_HOLES = "SELECT coalesce(max(seq), 0) - count(*) FROM ai_log_chain"
_SIGNED = "SELECT coalesce(max(size), 0) FROM ai_log_checkpoints WHERE instr(note, char(8212))"
_LAST = "SELECT coalesce(max(seq), 0) FROM ai_log_chain"
_RESTORED = "SELECT seq FROM ai_log_chain WHERE kind = 'restore' ORDER BY seq"
_RUNS = (
    "SELECT id, source, name, coalesce(finished_at, started_at), state, counts,"
    " (SELECT count(DISTINCT session) FROM import_items WHERE run_id = r.id AND session IS NOT NULL),"
    " (SELECT count(*) FROM import_items WHERE run_id = r.id AND state IN ('skipped','failed'))"
    " FROM import_runs AS r WHERE started_at < ?"
    " AND NOT EXISTS (SELECT 1 FROM import_runs AS part WHERE part.parent_id = r.id) ORDER BY id"
)
_ERASURES = (
    "SELECT seq, timestamp, coalesce(json_extract(detail_json, '$.reason'), ''),"
    " (SELECT count(*) FROM ai_log_payload WHERE erased_by_seq = seq) FROM ai_log_chain"
    " JOIN ai_interactions ON id = interaction_id WHERE kind = 'erasure' AND timestamp >= ? AND timestamp < ?"
    " ORDER BY seq"
)
_PRESENT = "SELECT count(*) FROM ai_log_payload WHERE state = 'present'"
_DUE = (
    "SELECT count(*) FROM ai_log_payload JOIN ai_interactions ON id = interaction_id"
    " WHERE state = 'present' AND timestamp < ?"
)


def gaps(connection: Connection, facts: Facts, rows: Sequence[LogRow], days: int) -> tuple[Gap, ...]:
    """Every kind that was looked for, those that were not found with 0. `days`: of the period that could have any."""

    def one(query: str) -> int:
        return int(connection.execute(query).get or 0)

    restored = [int(seq) for (seq,) in connection.execute(_RESTORED)]
    unsigned = one(_LAST) - signed_to(connection)
    empty = max(0, days - len({row.time[:10] for row in rows}))
    unlogged = "the list of sent requests was not compared" if facts.unlogged is None else "in any mind"
    return (
        Gap("Missing entry numbers", one(_HOLES), "in the whole log"),
        Gap("Findings of the verifier", len(facts.log.findings), "see Log integrity"),
        Gap("Restores from a backup", len(restored), _named("entry", restored)),
        Gap("Erased message texts", one(_ERASED), "see Retention and erasures"),
        Gap("Steps back of the clock", facts.clock_steps, "by more than a minute between two entries"),
        Gap("Failed log writes", facts.missed, "counted by the program and told by its next entry"),
        Gap("Sent requests without an entry", facts.unlogged or 0, unlogged),
        Gap("Entries brought from another log", one(_IMPORTED), "never counted as recorded here"),
        Gap("Entries without a signed checkpoint", unsigned, "the newest ones" if unsigned else "none"),
        Gap("Calls without an end", facts.open_calls, "still running, or the program stopped in between"),
        Gap("Model calls without a model or provider", facts.unnamed, "the exact model is not known"),
        Gap("Model calls without a known cost", facts.cost_unknown, "left out of sums, which then read “at least”"),
        Gap("Model calls without known tokens", facts.tokens_unknown, "left out of sums, which then read “at least”"),
        Gap("Calls of a mock model", facts.mock_calls, "answers that no model gave"),
        Gap("Days without any entry", empty, "the program may not have run, or nothing was asked"),
    )  # fmt: skip


def signed_to(connection: Connection) -> int:
    """The last entry that a signed checkpoint covers; 0 without one."""
    return int(connection.execute(_SIGNED).get or 0)


def provenance(connection: Connection, period: Period, *, names: bool) -> tuple[Provenance, ...]:
    """Every import up to the end of the period. `names`: with the names of files, which may tell of people."""
    found = []
    for run, source, name, at, state, counts, sessions, skipped in connection.execute(_RUNS, (period.end,)):
        told: dict[str, Any] = json.loads(str(counts))
        frames = int(told.get("i", 0)) + int(told.get("p", 0))
        found.append(
            Provenance(
                int(run), str(source), str(name) if names else "", str(at), str(state), int(sessions), frames,
                int(skipped),
            )
        )  # fmt: skip
    return tuple(found)


def retention(connection: Connection, period: Period, facts: Facts, statement: Statement) -> Retention:
    """How long entries and texts are kept, against six calendar months and the operator's policy."""
    oldest = facts.oldest
    erasures = tuple(
        ErasureLine(int(seq), str(time), str(reason), int(texts))
        for seq, time, reason, texts in connection.execute(_ERASURES, (period.first, period.end))
    )
    return Retention(
        oldest=oldest,
        months_kept=facts.months_kept,
        six_months=_six_months(oldest, facts),
        keep_texts_months=statement.keep_texts_months,
        texts_present=int(connection.execute(_PRESENT).get or 0),
        texts_due=due_texts(connection, facts.today, statement),
        erasures=erasures,
    )


def due_texts(connection: Connection, today: str, statement: Statement) -> int:
    """Texts older than the operator's policy; 0 without one."""
    if not statement.keep_texts_months:
        return 0
    before = f"{add_months(today, -statement.keep_texts_months)}T00:00:00.000Z"
    return int(connection.execute(_DUE, (before,)).get or 0)


def _six_months(oldest: str, facts: Facts) -> str:
    if not oldest:
        return "The log has no entry."
    end = add_months(oldest[:10], LEAST_MONTHS)
    if facts.months_kept < LEAST_MONTHS:
        return f"The log began on {oldest[:10]}; six calendar months end on {end}, so it is too early to say."
    cut = "No entry was removed" if facts.log.intact else "The log does not add up, see Log integrity"
    return f"The log began on {oldest[:10]}; six calendar months ended on {end}. {cut}."


def _named(word: str, numbers: Sequence[int]) -> str:
    if not numbers:
        return "none"
    more = f" and {len(numbers) - _NAMED} more" if len(numbers) > _NAMED else ""
    return f"{word} {', '.join(f'{number:,}' for number in numbers[:_NAMED])}{more}"
