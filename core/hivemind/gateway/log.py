"""What is written into the interaction log and read back: calls that start and end, events, and the list of calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hivemind.domain.calls import Call, CallKind, CallOutcome, EntryState, Interaction, LogEntry
from hivemind.errors import InvalidValue
from hivemind.gateway.chain import append_entry
from hivemind.gateway.entries import Entry, Fact
from hivemind.storage import Connection

_CALL_ENTRIES = (
    "SELECT interaction_id, kind, actor, json_extract(detail_json, '$.channel') FROM ai_log_chain"
    " WHERE json_extract(detail_json, '$.call_uuid') = ? ORDER BY seq"
)
_STARTED_ROW = (
    "SELECT model, provider, workspace_id, session_id, persona, tools_called, human_action, risk_context"
    " FROM ai_interactions WHERE id = ?"
)
_LIST = (
    "SELECT call_uuid, first_id, timestamp, kind, state, model, provider, input_tokens, output_tokens, cost_usd,"
    " human_action, workspace_id FROM interactions"
    " WHERE (?1 IS NULL OR timestamp >= ?1) AND (?2 IS NULL OR timestamp < ?2) ORDER BY first_id"
)


def list_interactions(connection: Connection, since: str | None = None, until: str | None = None) -> list[Interaction]:
    """Calls that started at `since` or later and before `until` (stamps), oldest first, each once.

    State `started` means that no end was written: still running, or the program stopped in between.
    """
    return [Interaction(*row) for row in connection.execute(_LIST, (since, until))]


def log_size(connection: Connection) -> int:
    """Entries in the log."""
    return int(connection.execute("SELECT coalesce(max(seq), 0) FROM ai_log_chain").get)


def list_call_ids(connection: Connection) -> set[str]:
    """The ids of all calls that have an entry."""
    query = (
        "SELECT DISTINCT json_extract(detail_json, '$.call_uuid') FROM ai_log_chain"
        " WHERE json_extract(detail_json, '$.call_uuid') IS NOT NULL"
    )
    return {str(call) for (call,) in connection.execute(query)}


def list_texts(connection: Connection, call_uuid: str) -> list[tuple[str, str | None, int | None]]:
    """The texts of one call: field, text (None = erased), and the entry that erased it."""
    query = (
        "SELECT field, body, erased_by_seq FROM ai_log_payload JOIN ai_log_chain USING (interaction_id)"
        " WHERE json_extract(detail_json, '$.call_uuid') = ? ORDER BY seq, field"
    )
    return [(str(name), body, erased) for name, body, erased in connection.execute(query, (call_uuid,))]


def record_event(
    connection: Connection,
    now: str,
    kind: CallKind,
    detail: Mapping[str, Fact] | None = None,
    actor: str = "owner",
    channel: str = "app",
    *,
    workspace_id: str | None = None,
) -> LogEntry:
    """Write down something that called no model (an import, an export, a restore) in the caller's open transaction.

    `detail`: identifiers, numbers, truth values and mappings or lists of them; never words of a person, never a path.
    It is no call, so `interactions` does not count it. Raises InvalidValue when a fact cannot be written as it is.
    """
    return append_entry(
        connection,
        now,
        Entry(kind=kind, actor=actor, channel=channel, workspace_id=workspace_id, detail=detail or {}),
    )


def record_started(connection: Connection, now: str, call: Call) -> LogEntry:
    """Write down that a call is about to be made. Raises InvalidValue, also when the id was used before."""
    if connection.execute(_CALL_ENTRIES, (call.uuid,)).fetchone():
        raise InvalidValue("A call with this id was recorded before")
    entry = Entry(
        kind=call.kind,
        state=EntryState.STARTED,
        call_uuid=call.uuid,
        model=call.model,
        provider=call.provider,
        actor=call.actor,
        channel=call.channel,
        workspace_id=call.workspace_id,
        session_id=call.session_id,
        persona=call.persona,
        tools=call.tools,
        human_action=call.human_action,
        risk_context=call.risk_context,
        texts={} if call.input_text is None else {"input": call.input_text},
    )
    return append_entry(connection, now, entry)


def record_ended(connection: Connection, now: str, outcome: CallOutcome, state: EntryState) -> LogEntry:
    """Write down how a started call ended. Raises InvalidValue when it never started or has ended already."""
    entries: list[tuple[Any, ...]] = connection.execute(_CALL_ENTRIES, (outcome.uuid,)).fetchall()
    if not entries:
        raise InvalidValue("This call was never recorded as started")
    if len(entries) > 1:
        raise InvalidValue("This call has ended before")
    interaction_id, kind, actor, channel = entries[0]
    row: tuple[Any, ...] = connection.execute(_STARTED_ROW, (interaction_id,)).fetchall()[0]
    model, provider, workspace_id, session_id, persona, tools, human_action, risk_context = row
    texts = {"output": outcome.output_text, "error": outcome.error or None}
    entry = Entry(
        kind=kind,
        state=state,
        call_uuid=outcome.uuid,
        model=outcome.model or model,
        provider=provider,
        actor=actor,
        channel=channel,
        workspace_id=workspace_id,
        session_id=session_id,
        persona=persona,
        tools=outcome.tools or tuple(json.loads(tools)),
        human_action=outcome.human_action or human_action,
        risk_context=risk_context,
        input_tokens=outcome.input_tokens,
        output_tokens=outcome.output_tokens,
        cost_usd=outcome.cost_usd,
        texts={name: text for name, text in texts.items() if text is not None},
    )
    return append_entry(connection, now, entry)
