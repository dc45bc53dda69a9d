"""Logs with a random life of calls, decisions and events, on a plain connection; times run forward from a day."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import apsw
from tests.core.gateway.plain_log import plain_log

from hivemind.clock import stamp
from hivemind.domain.calls import CallKind, EntryState
from hivemind.gateway.chain import append_entry
from hivemind.gateway.entries import NO_MODEL, Entry

MODELS = (("north-large-2026-02", "North"), ("heron-12b", "ollama"), ("embed-wren-2", "ollama"))
BEGAN = datetime(2026, 11, 30, 12, 0, 1, tzinfo=UTC)


class BusyLog:
    """Adds entries at its own moment."""

    def __init__(self, path: str = ":memory:") -> None:
        self.connection: apsw.Connection = plain_log(path)
        self.now = BEGAN
        self._number = 0

    def pass_time(self, **span: float) -> None:
        self.now += timedelta(**span)

    def add(self, entry: Entry) -> int:
        with self.connection:
            return append_entry(self.connection, stamp(self.now), entry).seq

    def event(self, kind: str, channel: str = "app", actor: str = "owner", **detail: object) -> int:
        return self.add(Entry(kind=kind, channel=channel, actor=actor, detail=detail))  # type: ignore[arg-type]

    def decision(self, decision: str, waited: int | None = 5000, by: str = "person", **fields: str) -> int:
        action = decision if decision in ("approved", "denied", "modified") else "none"
        detail = {"decision": decision, "by": by, "subject": "write-memory"}
        if waited is not None:
            detail["waited_ms"] = waited  # type: ignore[assignment]
        return self.add(Entry(kind=CallKind.OVERSIGHT, human_action=action, detail=detail, **fields))  # type: ignore[arg-type]

    def call(
        self, model: int | None = 0, *, ends: str = "finished", kind: str = CallKind.LLM_CALL, cost: float | None = 0.1,
        tokens: tuple[int | None, int | None] = (100, 20), texts: tuple[str, str] = ("asked", "answered"),
        **fields: object,
    ) -> int:  # fmt: skip
        self._number += 1
        name, provider = (NO_MODEL, NO_MODEL) if model is None else MODELS[model]
        common = {"kind": kind, "call_uuid": f"call-{self._number}", "model": name, "provider": provider, **fields}
        self.add(Entry(state=EntryState.STARTED, texts={"input": texts[0]}, **common))  # type: ignore[arg-type]
        if ends == "open":
            return self._number
        self.pass_time(seconds=2)
        figures = {"input_tokens": tokens[0], "output_tokens": tokens[1], "cost_usd": cost}
        self.add(Entry(state=EntryState(ends), texts={"output": texts[1]}, **common, **figures))  # type: ignore[arg-type]
        return self._number


def busy_log(seed: int, steps: int = 60) -> BusyLog:
    """A log with everything in it, the same for the same seed."""
    chance = random.Random(seed)
    log = BusyLog()
    for _ in range(steps):
        log.pass_time(seconds=chance.choice([1, 60, 4000, 90_000, 500_000]))
        step = chance.choice(("call",) * 6 + ("decision", "decision", "event"))
        if step == "call":
            log.call(
                chance.randrange(3),
                ends=chance.choice(["finished", "finished", "finished", "failed", "open"]),
                cost=chance.choice([None, 0.0, 0.0031, 1.25, 1e-9]),
                tokens=chance.choice([(None, None), (chance.randrange(9_000_000), chance.randrange(4000))]),
                persona=chance.choice([None, "writer"]),
                tools=chance.choice([(), ("search", "save")]),
                channel=chance.choice(["app", "cli"]),
            )
        elif step == "decision":
            kind = chance.choice(["approved", "approved", "denied", "modified", "stopped", "expired"])
            waited = chance.choice([None, chance.randrange(20_000)])
            log.decision(
                kind, waited, chance.choice(["person", "person", "policy"]), channel=chance.choice(["app", "tty"])
            )
        else:
            log.event(chance.choice(["import", "export", "restore", "notice", "cross_mind_read"]))
    return log
