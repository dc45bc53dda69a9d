"""Decisions by people, from the log. What a policy did, what ran out of time and what other programs claim is apart.

An entry is a decision when its row has a human action of approved, denied or modified, or its detail a `decision`
(approved, denied, modified, stopped, expired). It is a person's when it came from the window (`channel` app) and `by`
does not say policy or timeout: whatever reaches the log through a terminal may be a program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from hivemind.compliance.period import Period
from hivemind.domain.audit_report import Decision, Decisions, Grant, Oversight, Person
from hivemind.storage import Connection

KINDS = ("approved", "modified", "denied", "stopped")
#: Decided faster than this (seconds) nobody has read much.
FAST = 2.0
#: So many of the newest decisions are shown.
LATEST = 50

_QUERY = (
    "SELECT seq, timestamp, kind, coalesce(json_extract(detail_json, '$.decision'), human_action) AS decision,"
    " coalesce(json_extract(detail_json, '$.by'), '') AS by, json_extract(detail_json, '$.channel') AS channel,"
    " json_extract(detail_json, '$.waited_ms') AS waited,"
    " coalesce(json_extract(detail_json, '$.subject'), '') AS subject,"
    " actor, lower(hex(row_hash)) FROM ai_log_chain JOIN ai_interactions ON id = interaction_id"
    " WHERE timestamp >= ? AND timestamp < ? AND decision IN ('approved','modified','denied','stopped','expired')"
    # A call's second entry repeats the action of its first.
    " AND (json_extract(detail_json, '$.call_uuid') IS NULL OR NOT EXISTS (SELECT 1 FROM ai_log_chain AS later"
    " WHERE json_extract(later.detail_json, '$.call_uuid') = json_extract(ai_log_chain.detail_json, '$.call_uuid')"
    " AND later.seq > ai_log_chain.seq)) ORDER BY seq"
)


@dataclass(frozen=True, slots=True)
class _Entry:
    seq: int
    time: str
    kind: str
    decision: str
    by: str
    channel: str
    waited: int | None
    subject: str
    actor: str
    row_hash: str

    @property
    def seconds(self) -> float | None:
        return None if self.waited is None else self.waited / 1000

    @property
    def timed_out(self) -> bool:
        return self.decision == "expired" or self.by in ("timeout", "timed_out")


def read_oversight(connection: Connection, period: Period, grants: Sequence[Grant] = ()) -> Oversight:
    """Statistics over the period. Shares are of people's decisions, medians of those with a recorded time."""
    entries = [_Entry(*row) for row in connection.execute(_QUERY, (period.first, period.end))]
    expired = [one for one in entries if one.timed_out]
    policy = [one for one in entries if not one.timed_out and one.by == "policy"]
    rest = [one for one in entries if not one.timed_out and one.by != "policy"]
    human = [one for one in rest if one.channel == "app"]
    cross = "SELECT count(*) FROM ai_log_chain JOIN ai_interactions ON id = interaction_id"
    reads = connection.execute(
        f"{cross} WHERE kind = 'cross_mind_read' AND timestamp >= ? AND timestamp < ?",
        (period.first, period.end),
    ).get
    return Oversight(
        kinds=tuple(_of_kind(kind, human) for kind in KINDS),
        total=len(human),
        timed=sum(one.seconds is not None for one in human),
        approval_rate=_share(sum(one.decision == "approved" for one in human), len(human)),
        median=_median(human),
        fast=_fast(human),
        timed_out=len(expired),
        by_policy=len(policy),
        elsewhere=len(rest) - len(human),
        people=tuple(
            Person(name, len(own), _median(own))
            for name in sorted({one.actor for one in human})
            if (own := [one for one in human if one.actor == name])
        ),
        latest=tuple(
            Decision(
                one.seq, one.time, one.subject or one.kind.replace("_", " "), one.decision, one.actor, one.seconds,
                one.row_hash,
            )
            for one in human[: -LATEST - 1 : -1]
        ),
        grants=tuple(grants),
        cross_reads=int(reads or 0),
    )  # fmt: skip


def _of_kind(kind: str, human: Sequence[_Entry]) -> Decisions:
    own = [one for one in human if one.decision == kind]
    return Decisions(kind, len(own), _share(len(own), len(human)), _median(own), _fast(own))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _median(entries: Sequence[_Entry]) -> float | None:
    times = [one.seconds for one in entries if one.seconds is not None]
    return median(times) if times else None


def _fast(entries: Sequence[_Entry]) -> int:
    return sum(one.seconds is not None and one.seconds < FAST for one in entries)
