"""Appends to the interaction log: the row, its place in the hash chain, its texts and the counters, in one go."""

from __future__ import annotations

import json
import secrets
import uuid
from collections.abc import Mapping
from typing import cast

import hivemind
from hivemind.clock import Clock, stamp, system_clock
from hivemind.domain.calls import CallKind, EntryState, LogEntry
from hivemind.errors import InternalFault
from hivemind.gateway.boot import boot_id, monotonic_ns
from hivemind.gateway.canonical import (
    ALGORITHM,
    CHAIN_COLUMNS,
    INTERACTION_COLUMNS,
    NO_HASH,
    SALT_BYTES,
    SqlValue,
    canonical_json,
    commitment,
    row_hash,
)
from hivemind.gateway.entries import Entry, Fact, check_entry
from hivemind.storage import Connection, Seeder, schema_hash

#: Counters beside the rows: what the checker compares with what it counts.
ROWS_WRITTEN = "rows_written"
STATE_COUNTERS = {
    EntryState.STARTED: "calls_started",
    EntryState.FINISHED: "calls_finished",
    EntryState.FAILED: "calls_failed",
    EntryState.EVENT: "events",
}
MIND_UUID = "mind_uuid"

_INSERT_INTERACTION = (
    "INSERT INTO ai_interactions (timestamp, workspace_id, session_id, model, provider, input_tokens, output_tokens,"
    " cost_usd, tools_called, human_action, risk_context, persona) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " RETURNING id"
)
_INSERT_CHAIN = (
    f"INSERT INTO ai_log_chain ({', '.join(CHAIN_COLUMNS)}, row_hash)"  # noqa: S608 (our own column names)
    f" VALUES ({', '.join('?' * (len(CHAIN_COLUMNS) + 1))})"
)


def append_entry(connection: Connection, now: str, entry: Entry) -> LogEntry:
    """Append one entry. The caller's transaction must be open; the entry is durable when that commits.

    `now`: a stamp. Raises InvalidValue when a field cannot be written as it is, before anything is written.
    """
    check_entry(entry)
    if not connection.in_transaction:
        raise InternalFault(details="a log entry needs an open transaction")
    if _last(connection) is None and entry.kind != CallKind.GENESIS:
        raise InternalFault(details="this mind's log has no first entry")
    return _append(connection, now, entry)


def genesis(clock: Clock = system_clock) -> Seeder:
    """The storage seeder that begins a fresh mind's log: binds the mind's id and the fingerprint of the log's tables.

    The key is null: the log is unsigned until a `key_rotation` entry names one.
    """

    def seed(connection: Connection) -> None:
        if _last(connection) is not None:
            raise InternalFault(details="this mind's log has begun already")
        mind_uuid = connection.execute("SELECT value FROM meta WHERE key = ?", (MIND_UUID,)).get
        facts: dict[str, Fact] = {"mind_uuid": str(mind_uuid), "schema_hash": schema_hash(connection), "key": None}
        append_entry(connection, stamp(clock()), Entry(kind=CallKind.GENESIS, actor="app", detail=facts))

    return seed


def read_counters(connection: Connection) -> dict[str, int]:
    return {str(name): int(value) for name, value in connection.execute("SELECT k, v FROM ai_log_counters")}


def read_row(connection: Connection, table: str, key: str, value: int) -> dict[str, SqlValue] | None:
    """Every column of one row by name, in the table's own order. Table and key are ours, never a request's."""
    cursor = connection.execute(f"SELECT * FROM {table} WHERE {key} = ?", (value,))  # noqa: S608
    for row in cursor:
        names = [column[0] for column in cursor.getdescription()]
        return dict(zip(names, cast("tuple[SqlValue, ...]", row), strict=True))
    return None


def _append(connection: Connection, now: str, entry: Entry) -> LogEntry:
    interaction_id = _insert_interaction(connection, now, entry)
    salts = {name: secrets.token_bytes(SALT_BYTES) for name in entry.texts}
    commits = {name: commitment(name, text, salts[name]) for name, text in entry.texts.items()}
    for name, text in entry.texts.items():
        connection.execute(
            "INSERT INTO ai_log_payload (interaction_id, field, salt, body, state) VALUES (?, ?, ?, ?, 'present')",
            (interaction_id, name, salts[name], text),
        )
    chain = _chain_row(connection, entry, interaction_id, commits)
    interaction = read_row(connection, "ai_interactions", "id", interaction_id)
    if interaction is None or tuple(interaction) != INTERACTION_COLUMNS:
        raise InternalFault(details="the log's tables have other columns than those that are hashed")
    digest = row_hash(interaction, chain)
    connection.execute(_INSERT_CHAIN, (*chain.values(), digest))
    for counter in (ROWS_WRITTEN, STATE_COUNTERS[entry.state]):
        _count(connection, counter)
    return LogEntry(cast(int, chain["seq"]), interaction_id, cast(str, chain["entry_uuid"]), digest.hex())


def _insert_interaction(connection: Connection, now: str, entry: Entry) -> int:
    # An unknown figure is 0 in the seed's NOT NULL columns; detail.unknown keeps it apart from a real 0.
    values = (
        now,
        entry.workspace_id,
        entry.session_id,
        entry.model,
        entry.provider,
        entry.input_tokens or 0,
        entry.output_tokens or 0,
        entry.cost_usd or 0.0,
        json.dumps(entry.tools, ensure_ascii=False),
        entry.human_action,
        entry.risk_context,
        entry.persona,
    )
    return int(connection.execute(_INSERT_INTERACTION, values).get)


def _chain_row(
    connection: Connection, entry: Entry, interaction_id: int, commits: Mapping[str, str]
) -> dict[str, SqlValue]:
    seq, epoch, previous = _last(connection) or (0, 0, NO_HASH)
    return {
        "seq": seq + 1,
        "interaction_id": interaction_id,
        "entry_uuid": str(uuid.uuid4()),
        "kind": str(entry.kind),
        "actor": entry.actor,
        "epoch": epoch + 1 if entry.kind == CallKind.RESTORE else epoch,
        "boot_id": boot_id(),
        "mono_ns": monotonic_ns(),
        "app_version": hivemind.__version__,
        "detail_json": canonical_json(_detail(entry)),
        "commits_json": canonical_json(dict(commits)),
        "alg": ALGORITHM,
        "prev_hash": previous,
    }


def _detail(entry: Entry) -> dict[str, object]:
    detail: dict[str, object] = {**entry.detail, "state": str(entry.state), "channel": entry.channel}
    if entry.call_uuid is not None:
        detail["call_uuid"] = entry.call_uuid
    if entry.unknown:
        detail["unknown"] = list(entry.unknown)
    return detail


def _last(connection: Connection) -> tuple[int, int, bytes] | None:
    row = connection.execute("SELECT seq, epoch, row_hash FROM ai_log_chain ORDER BY seq DESC LIMIT 1").fetchone()
    return None if row is None else cast("tuple[int, int, bytes]", row)


def _count(connection: Connection, name: str) -> None:
    connection.execute("UPDATE ai_log_counters SET v = v + 1 WHERE k = ?", (name,))
    if not connection.changes():
        connection.execute("INSERT INTO ai_log_counters (k, v) VALUES (?, 1)", (name,))
