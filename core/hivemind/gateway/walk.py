"""Walks the chain entry by entry, recomputing each from its stored rows and its texts from their commitments."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

import apsw

from hivemind.clock import parse_stamp
from hivemind.domain.calls import CallKind, LogFinding
from hivemind.gateway.canonical import (
    ALGORITHM,
    CHAIN_COLUMNS,
    INTERACTION_COLUMNS,
    NO_HASH,
    SALT_BYTES,
    SqlValue,
    commitment,
    row_hash,
)
from hivemind.gateway.chain import read_row
from hivemind.storage import Connection

#: What a damaged value makes SQLite or us raise while reading it: a broken page, bad UTF-8, JSON that is none.
UNREADABLE = (apsw.Error, ValueError, TypeError, KeyError, AttributeError)
#: Seconds that an entry may seem earlier than the one before it.
_CLOCK_SLACK = 2.0


class ChainWalk:
    """One pass over the entries in order. What was found and counted stays in its attributes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.findings: list[LogFinding] = []
        self.states: Counter[str] = Counter()
        self.erased = 0
        #: From the genesis entry, or a later migration's: the fingerprint the log's tables must have now.
        self.bound_schema = ""
        self.bound_mind = ""
        self.entries = 0
        self.head = NO_HASH
        #: What is missing without anything being wrong: restores, entries that could not be written, a clock set back.
        self.gaps: list[LogFinding] = []
        #: Public keys the log names (hex), each with its entry and its predecessor's signature (hex or None).
        self.keys: list[tuple[int, str, str | None]] = []
        #: Restores: their entry, up to which size the entries before them were replaced, and the first entry that may
        #: have been made in the copy: erasing in a backup adds entries of that kind to the copy alone.
        self.restores: list[tuple[int, int, int]] = []
        self._erasures_in_a_row = 0
        self._previous_seq = 0
        self._previous_interaction = 0
        self._epoch = 0
        self._time = ""
        self._erasures: set[int] = set()
        self._erased_by: list[tuple[int, int]] = []

    def run(self) -> None:
        for seq in self._sequence():
            self.entries += 1
            try:
                self._entry(seq)
            except UNREADABLE as fault:
                self.found(seq, f"this entry cannot be read ({type(fault).__name__})")
            self._previous_seq = seq
        for seq, by in self._erased_by:
            if by not in self._erasures or by <= seq:
                self.found(seq, "its text was erased, and no erasure entry says so")

    def found(self, seq: int | None, problem: str) -> None:
        self.findings.append(LogFinding("chain", seq, problem))

    def _sequence(self) -> list[int]:
        try:
            return [int(seq) for (seq,) in self._connection.execute("SELECT seq FROM ai_log_chain ORDER BY seq")]
        except UNREADABLE as fault:
            self.found(None, f"The chain cannot be read to its end ({type(fault).__name__}).")
            return []

    def _entry(self, seq: int) -> None:
        if seq != self._previous_seq + 1:
            self.found(self._previous_seq + 1, f"it is missing, with every entry before {seq}")
        row = read_row(self._connection, "ai_log_chain", "seq", seq) or {}
        stored = row.pop("row_hash")
        previous, self.head = self.head, cast(bytes, stored)
        if tuple(row) != CHAIN_COLUMNS:
            self.found(seq, "the chain has other columns than those that are hashed")
            return
        if row["prev_hash"] != previous:
            self.found(seq, "it does not follow on the entry before it")
        self._check_hash(seq, row, stored)
        self._check_order(seq, row)
        detail = json.loads(cast(str, row["detail_json"]))
        self.states[str(detail["state"])] += 1
        self._keep_bonds(seq, str(row["kind"]), detail)
        self._check_texts(seq, cast(int, row["interaction_id"]), json.loads(cast(str, row["commits_json"])))

    def _check_hash(self, seq: int, row: Mapping[str, SqlValue], stored: SqlValue) -> None:
        if row["alg"] != ALGORITHM:
            self.found(seq, "it is hashed in a way this version does not know")
        interaction = read_row(self._connection, "ai_interactions", "id", cast(int, row["interaction_id"]))
        if interaction is None:
            self.found(seq, "its row in the interaction table is missing")
        elif tuple(interaction) != INTERACTION_COLUMNS:
            self.found(seq, "the interaction table has other columns than those that are hashed")
        elif row_hash(interaction, row) != stored:
            self.found(seq, "it was changed after it was written")
        else:
            self._check_time(seq, str(interaction["timestamp"]))

    def _check_time(self, seq: int, time: str) -> None:
        # Stamps compare as text. A second process may be a moment behind; a clock set back is more than that.
        if self._time and time < self._time:
            back = (parse_stamp(self._time) - parse_stamp(time)).total_seconds()
            if back > _CLOCK_SLACK:
                self.gaps.append(LogFinding("clock", seq, f"the clock went back by {back:.0f} seconds before it"))
        self._time = max(self._time, time)

    def _check_order(self, seq: int, row: Mapping[str, SqlValue]) -> None:
        interaction_id, epoch = cast(int, row["interaction_id"]), cast(int, row["epoch"])
        if interaction_id <= self._previous_interaction:
            self.found(seq, "its row was written before the row of the entry before it")
        if epoch != self._epoch + (row["kind"] == CallKind.RESTORE):
            self.found(seq, "its epoch does not follow from the entry before it")
        self._previous_interaction, self._epoch = interaction_id, epoch

    def _keep_bonds(self, seq: int, kind: str, detail: Mapping[str, Any]) -> None:
        if (seq == 1) != (kind == CallKind.GENESIS):
            self.found(seq, "the log must begin with one genesis entry and have no other")
        if kind == CallKind.GENESIS:
            self.bound_mind = str(detail["mind_uuid"])
        if kind in (CallKind.GENESIS, CallKind.MIGRATION) and "schema_hash" in detail:
            self.bound_schema = str(detail["schema_hash"])
        if kind == CallKind.ERASURE:
            self._erasures.add(seq)
        if kind == CallKind.KEY_ROTATION:
            self.keys.append((seq, str(detail["key"]), detail.get("by_previous")))
        if kind == CallKind.RESTORE:
            first = seq - self._erasures_in_a_row
            self.restores.append((seq, int(detail.get("replaced_size") or 0), first))
            self.gaps.append(LogFinding("restore", seq, "a backup was restored here"))
        self._erasures_in_a_row = self._erasures_in_a_row + 1 if kind == CallKind.ERASURE else 0
        if kind == CallKind.LOG_GAP:
            self.gaps.append(
                LogFinding("log_gap", seq, f"{detail.get('missed')} entries could not be written before it")
            )

    def _check_texts(self, seq: int, interaction_id: int, commits: dict[str, str]) -> None:
        rows = self._connection.execute(
            # Through the row itself: SQLite takes what it can from an index, where a changed row does not show.
            "SELECT row.field, row.salt, row.body, row.state, row.erased_by_seq FROM ai_log_payload AS found"
            " JOIN ai_log_payload AS row ON row.rowid = found.rowid WHERE found.interaction_id = ?"
            " ORDER BY found.field",
            (interaction_id,),
        )
        for name, salt, body, state, erased_by in rows:
            expected = commits.pop(name, None)
            if expected is None:
                self.found(seq, f"a text '{name}' was added to it later")
            elif state == "erased":
                self.erased += 1
                self._erased_by.append((seq, erased_by))
                if salt is not None or body is not None:
                    self.found(seq, f"its text '{name}' is called erased and is still there")
            elif state != "present" or erased_by is not None or not _matches(expected, name, salt, body):
                self.found(seq, f"its text '{name}' was changed after it was written")
        for name in commits:
            self.found(seq, f"its text '{name}' is missing")


def _matches(expected: str, name: str, salt: object, body: object) -> bool:
    if not isinstance(salt, bytes) or len(salt) != SALT_BYTES or not isinstance(body, str):
        return False
    return commitment(name, body, salt) == expected
