"""Carries an erasure out: the log entry first, then place by place in short transactions, each of them repeatable."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from hivemind.domain.calls import CallKind
from hivemind.errors import NotAllowed
from hivemind.gateway import record_event
from hivemind.gateway.entries import Fact
from hivemind.maintenance.erasure_places import Taking
from hivemind.maintenance.erasure_plan import ErasurePlan
from hivemind.maintenance.text_holders import TEXT_HOLDERS
from hivemind.mind import Mind, MindTransaction
from hivemind.storage import Priority
from hivemind.storage.bulk import finish_merging, is_left_over

#: Places per transaction: a save in between waits no longer than a blink or two.
SLICE = 100
#: Memories that the log names one by one; more are counted. The ledger names all.
_NAMED = 200
_ENTRY = (
    "SELECT seq FROM ai_log_chain WHERE kind = 'erasure' AND json_extract(detail_json, '$.erasure') = ?"
    " ORDER BY seq LIMIT 1"
)
#: Rooms whose rows stand on a session.
_STANDING = ("agent_sessions", "agent_debriefs", "agent_plans", "agent_experiences", "calibration", "episodes")

Step = Callable[[MindTransaction], Counter[str]]


@dataclass(frozen=True, slots=True)
class ErasureFacts:
    """What the log entry says besides the targets: codes only."""

    kind: str
    reason: str
    channel: str
    request: str | None = None


def find_entry(tx: MindTransaction, uuid: str) -> int | None:
    """The log entry of an erasure, None before it was begun here."""
    seq = tx.connection.execute(_ENTRY, (uuid,)).get
    return None if seq is None else int(seq)


async def carry_out(mind: Mind, plan: ErasurePlan, facts: ErasureFacts) -> tuple[int, Counter[str]]:
    """Returns the entry's number and what was taken out, by holder. May be repeated after any interruption.

    Raises NotAllowed where the vectors cannot be reached.
    """
    _require_vectors(mind)
    if await mind.read(lambda tx: is_left_over(tx.connection)):
        # Words of an earlier, larger removal may still stand in the index.
        await finish_merging(mind.database)
    while await mind.write(lambda tx: tx.rebuild.clear_retired(200), Priority.HOUSEKEEPING):
        pass
    done: Counter[str] = Counter()
    for step in steps(plan, facts):
        done += await mind.write(step)
    seq = await mind.read(lambda tx: find_entry(tx, plan.uuid))
    return seq or 0, done


def carry_out_at_once(mind: Mind, plan: ErasurePlan, facts: ErasureFacts) -> Counter[str]:
    """`carry_out` for a copy that nobody else has open. Blocking."""
    _require_vectors(mind)
    done: Counter[str] = Counter()
    for step in steps(plan, facts):
        done += mind.submit_write(step).result()
    return done


def steps(plan: ErasurePlan, facts: ErasureFacts) -> Iterator[Step]:
    """The transactions in their order. Each does nothing where it was done before."""
    yield lambda tx: _begin(tx, plan, facts)
    for holder in TEXT_HOLDERS:
        places = plan.places.get(holder.name, [])
        for start in range(0, len(places), SLICE):
            part = places[start : start + SLICE]
            yield lambda tx, h=holder, p=part: Counter({h.name: h.take_out(tx, p, _taking(tx, plan))})  # type: ignore[misc]
    yield lambda tx: _close(tx, plan)


def _taking(tx: MindTransaction, plan: ErasurePlan) -> Taking:
    @cache  # The whole log is read for it, and each text that goes asks.
    def seq() -> int:
        return find_entry(tx, plan.uuid) or 0

    return Taking(plan.uuid, seq)


def _begin(tx: MindTransaction, plan: ErasurePlan, facts: ErasureFacts) -> Counter[str]:
    """The entry, and what must stay out: from here on nothing of it can come back unseen."""
    if find_entry(tx, plan.uuid) is None:
        detail = _detail(plan, facts)
        record_event(tx.connection, tx.now, CallKind.ERASURE, detail, channel=facts.channel)
    for source, key in plan.suppress:
        tx.suppressions.add(source, bytes.fromhex(key))
    return Counter()


def _detail(plan: ErasurePlan, facts: ErasureFacts) -> Mapping[str, Fact]:
    frames: list[Fact] = [str(place[0]) for place in plan.places.get("frames", ())]
    counts: dict[str, Fact] = {name.replace(" ", "_"): len(places) for name, places in plan.places.items() if places}
    return {
        "erasure": plan.uuid,
        "target": facts.kind,
        "reason": facts.reason,
        "request": facts.request,
        "frames": frames[:_NAMED],
        "places": counts,
    }


def _close(tx: MindTransaction, plan: ErasurePlan) -> Counter[str]:
    """Sessions of which nothing is left. One that something else stands on stays as a row without words."""
    free = [
        session
        for session in plan.sessions
        if not any(
            tx.connection.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE gop_id = ?)", (session,)).get  # noqa: S608
            for table in _STANDING
        )
    ]
    return Counter({"sessions": len(tx.sessions.remove_empty(free))})


def _require_vectors(mind: Mind) -> None:
    def made(tx: MindTransaction) -> bool:
        query = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'memory_frames_vec')"
        return bool(tx.connection.execute(query).get)

    if not mind.database.vector.loaded and mind.submit_read(made).result():
        raise NotAllowed(
            "Nothing can be erased while sqlite-vec is missing",
            "Vectors can be turned back into words, and they cannot be reached without it. Install it, then try again.",
        )


def as_json(plan: ErasurePlan, facts: ErasureFacts) -> str:
    """For the ledger: the plan and the codes, no text."""
    told = plan.document() | {"kind": facts.kind, "channel": facts.channel, "request": facts.request}
    return json.dumps(told, separators=(",", ":"))
