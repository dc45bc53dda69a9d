"""Recomputes the whole interaction log from what is stored and names every entry that does not add up.

Contiguity, hashes, texts against their commitments, counters against rows, guards against their fingerprint. It
needs no key and no other file, so it cannot see entries cut off at the end or a log written anew from the start.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from hivemind.domain.calls import LogCheck, LogFinding
from hivemind.gateway.chain import MIND_UUID, ROWS_WRITTEN, STATE_COUNTERS, read_counters
from hivemind.gateway.known_schemas import KNOWN_SCHEMAS
from hivemind.gateway.walk import UNREADABLE, ChainWalk
from hivemind.storage import Connection, schema_hash

#: First line of a checkpoint's note, before the mind's id.
CHECKPOINT_ORIGIN = "hivemind.local/"


def verify_log(connection: Connection) -> LogCheck:
    """Recompute everything within the caller's read transaction. Damage becomes findings, never an error."""
    walk = ChainWalk(connection)
    walk.run()
    findings = [*walk.findings]
    for check in (_guards, _origin, _rows_without_entry, _counters, _checkpoints):
        try:
            findings += check(connection, walk)
        except UNREADABLE as fault:
            place = check.__name__.strip("_")
            findings.append(LogFinding(place, None, f"Part of the log cannot be read ({type(fault).__name__})."))
    return LogCheck(walk.entries, walk.head.hex() if walk.entries else "", walk.erased, tuple(findings))


def _guards(connection: Connection, walk: ChainWalk) -> Iterator[LogFinding]:
    actual = schema_hash(connection)
    if actual != walk.bound_schema or actual not in KNOWN_SCHEMAS.values():
        yield LogFinding("schema", None, "The log's tables or their guards are not those it was made with.")


def _origin(connection: Connection, walk: ChainWalk) -> Iterator[LogFinding]:
    if not walk.entries:
        yield LogFinding("genesis", None, "The log has no entry, not even its first.")
    elif walk.bound_mind != _mind_uuid(connection):
        yield LogFinding("genesis", 1, "this log belongs to another mind")


def _rows_without_entry(connection: Connection, walk: ChainWalk) -> Iterator[LogFinding]:
    for table, key in (("ai_interactions", "id"), ("ai_log_payload", "interaction_id")):
        rows = connection.execute(
            f"SELECT DISTINCT {key} FROM {table} WHERE {key} NOT IN (SELECT interaction_id FROM ai_log_chain)"  # noqa: S608
        )
        for (row_id,) in rows:
            yield LogFinding("rows", None, f"Row {row_id} of {table} has no entry in the chain.")


def _counters(connection: Connection, walk: ChainWalk) -> Iterator[LogFinding]:
    expected = {STATE_COUNTERS[state]: walk.states[state] for state in STATE_COUNTERS if walk.states[state]}
    expected[ROWS_WRITTEN] = walk.entries
    counted = read_counters(connection)
    for name in sorted(expected.keys() | counted.keys()):
        if expected.get(name) != counted.get(name):
            problem = f"The counter {name} says {counted.get(name)}, the entries say {expected.get(name)}."
            yield LogFinding("counters", None, problem)


def _checkpoints(connection: Connection, walk: ChainWalk) -> Iterator[LogFinding]:
    """A checkpoint's note must name this mind, its own size and the head the chain has there."""
    origin = f"{CHECKPOINT_ORIGIN}{_mind_uuid(connection)}"
    rows = connection.execute(
        "SELECT size, note, row_hash FROM ai_log_checkpoints LEFT JOIN ai_log_chain ON seq = size ORDER BY size"
    )
    for size, note, head in rows:
        if head is None:
            yield LogFinding("checkpoints", size, "a checkpoint names this entry, and the log ends before it")
        elif str(note).split("\n")[:3] != [origin, str(size), base64.b64encode(head).decode("ascii")]:
            yield LogFinding("checkpoints", size, "the checkpoint made here does not agree with the chain")


def _mind_uuid(connection: Connection) -> Any:
    return connection.execute("SELECT value FROM meta WHERE key = ?", (MIND_UUID,)).get
