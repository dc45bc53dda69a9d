"""Recomputes the whole interaction log from what is stored and names every entry that does not add up.

Contiguity, hashes, texts against their commitments, counters against rows, guards against their fingerprint,
checkpoints against the chain and their signatures. With the anchors, which lie outside the file, it also sees entries
cut off at the end, an older copy put back and a log written anew from the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hivemind.domain.calls import EntryState, LogCheck, LogFinding
from hivemind.gateway.anchors import Anchor
from hivemind.gateway.chain import MIND_UUID, ROWS_WRITTEN, STATE_COUNTERS, read_counters
from hivemind.gateway.known_schemas import KNOWN_SCHEMAS
from hivemind.gateway.seals import Seals, check_anchors
from hivemind.gateway.walk import UNREADABLE, ChainWalk
from hivemind.storage import Connection, schema_hash


def verify_log(connection: Connection, *, anchors: Sequence[Anchor] = (), public: bytes | None = None) -> LogCheck:
    """Recompute everything within the caller's read transaction. Damage becomes findings, never an error.

    `public`: the key (32 bytes) that must have signed the log, from somewhere else than this file.
    """
    walk = ChainWalk(connection)
    walk.run()
    findings = [*walk.findings]
    for check in (_guards, _origin, _rows_without_entry, _counters):
        try:
            findings += check(connection, walk)
        except UNREADABLE as fault:
            findings.append(_unreadable(check.__name__.strip("_"), fault))
    seals = Seals(connection, walk, _mind_uuid(connection), public)
    try:
        seals.run()
        findings += check_anchors(connection, walk, anchors)
    except UNREADABLE as fault:
        findings.append(_unreadable("checkpoints", fault))
    return LogCheck(
        entries=walk.entries,
        head=walk.head.hex() if walk.entries else "",
        erased=walk.erased,
        findings=(*findings, *seals.findings),
        gaps=(*walk.gaps, *seals.gaps, *_unfinished(walk)),
        signer=seals.signer,
        checkpoints=seals.count,
        anchors=len(anchors),
    )


def _unfinished(walk: ChainWalk) -> Iterator[LogFinding]:
    ended = walk.states[EntryState.FINISHED] + walk.states[EntryState.FAILED]
    if (open_calls := walk.states[EntryState.STARTED] - ended) > 0:
        yield LogFinding("calls", None, f"{open_calls} calls have no end: still running, or the program stopped.")


def _unreadable(place: str, fault: Exception) -> LogFinding:
    return LogFinding(place, None, f"Part of the log cannot be read ({type(fault).__name__}).")


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


def _mind_uuid(connection: Connection) -> Any:
    return connection.execute("SELECT value FROM meta WHERE key = ?", (MIND_UUID,)).get
