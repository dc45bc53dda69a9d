"""Makes logs for the tests: a fresh one on a plain connection, one with an entry of every sort, and ways to tamper."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from hivemind.clock import parse_stamp
from hivemind.domain.calls import Call, CallKind, CallOutcome, EntryState, HumanAction, LogEntry
from hivemind.gateway.chain import genesis
from hivemind.gateway.log import record_ended, record_event, record_started
from hivemind.storage.schema import SchemaKind

NOW = "2026-11-30T12:00:00.000Z"
MIND = "11111111-2222-4333-8444-555555555555"


def plain_log(path: str) -> apsw.Connection:
    """A fresh mind's file with its genesis entry and none of the storage room's guards."""
    connection = apsw.Connection(path)
    connection.execute(
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY"
    ).fetchall()  # Nobody cuts the power here.
    connection.execute(SchemaKind.MIND.script)
    connection.execute("INSERT INTO meta VALUES ('mind_uuid', ?)", (MIND,))
    with connection:
        genesis(lambda: parse_stamp(NOW))(connection)
    return connection


def call(uuid: str, **fields: object) -> Call:
    values: dict[str, object] = {
        "kind": CallKind.LLM_CALL,
        "model": "test-model-1",
        "provider": "test",
        "input_text": "what did I say about boats?",
    }
    return Call(uuid=uuid, **(values | fields))  # type: ignore[arg-type]


def start(connection: apsw.Connection, uuid: str, **fields: object) -> LogEntry:
    with connection:
        return record_started(connection, NOW, call(uuid, **fields))


def end(connection: apsw.Connection, uuid: str, state: EntryState = EntryState.FINISHED, **fields: object) -> LogEntry:
    with connection:
        return record_ended(connection, NOW, CallOutcome(uuid=uuid, **fields), state)  # type: ignore[arg-type]


def event(connection: apsw.Connection, kind: CallKind = CallKind.IMPORT, **detail: object) -> LogEntry:
    with connection:
        return record_event(connection, NOW, kind, detail)  # type: ignore[arg-type]


def erase(connection: apsw.Connection, interaction_id: int) -> LogEntry:
    """What an erasure leaves: its entry first, then the text and its salt are gone."""
    with connection:
        entry = record_event(connection, NOW, CallKind.ERASURE, {"reason": "request"})
        connection.execute(
            "UPDATE ai_log_payload SET state = 'erased', body = NULL, salt = NULL, erased_by_seq = ?"
            " WHERE interaction_id = ?",
            (entry.seq, interaction_id),
        )
    return entry


def fill(connection: apsw.Connection) -> None:
    """Entries of every sort: finished, failed and unfinished calls, events, an erased text and a restore."""
    start(connection, "c1", persona="Writer", tools=("search",), workspace_id="work", session_id="s1")
    end(connection, "c1", output_text="You like boats \U0001f6a2.", input_tokens=9, output_tokens=4, cost_usd=0.1)
    start(connection, "c2", human_action=HumanAction.APPROVED, risk_context="other mind")
    end(connection, "c2", EntryState.FAILED, error="HTTP 503")
    event(connection, source="chatgpt", counts={"new": 3, "failed": 0}, complete=True)
    erased = start(connection, "c3")
    erase(connection, erased.interaction_id)
    event(connection, CallKind.RESTORE, backup_head="ab12")
    start(connection, "c4", input_text="")


def without_guards(connection: apsw.Connection, act: Callable[[apsw.Connection], None]) -> None:
    """Do what another program with the file can: drop the log's triggers, act, put the triggers back as they were."""
    connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
    query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name LIKE 'ai_%'"
    triggers = connection.execute(query).fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    act(connection)
    for _, sql in triggers:
        connection.execute(sql)
