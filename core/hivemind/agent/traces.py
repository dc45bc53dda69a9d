"""Execution traces: what a turn was asked, had, did and answered, and how that turned out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from hivemind.storage import Connection


@dataclass(frozen=True, slots=True)
class TraceStart:
    """`session_id`: the conversation. `content`: JSON-ready facts of the turn; with texts, which erasing reaches."""

    session_id: str
    persona_id: str
    workspace_id: str
    model: str
    task_shape: str
    content: Mapping[str, object]


class TraceStore:
    """Owns `execution_traces`."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def begin(self, start: TraceStart) -> int:
        """A pending trace; returns its id."""
        self._connection.execute(
            "INSERT INTO execution_traces (session_id, persona_id, workspace_id, model, task_shape, trace_json,"
            " created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                start.session_id,
                start.persona_id,
                start.workspace_id,
                start.model,
                start.task_shape,
                _json(start.content),
                self._now,
            ),
        )
        return self._connection.last_insert_rowid()

    def finish(
        self, trace_id: int, outcome: str, content: Mapping[str, object], *, cost: float | None, milliseconds: int
    ) -> None:
        """How it ended: success or abandoned. An unknown cost stays 0 there and is unknown in `content`."""
        self._connection.execute(
            "UPDATE execution_traces SET outcome = ?, trace_json = ?, cost_usd = ?, duration_ms = ?, finalized_at = ?"
            " WHERE id = ?",
            (outcome, _json(content), cost or 0.0, milliseconds, self._now, trace_id),
        )

    def mark_corrected(self, trace_id: int) -> None:
        """The person corrected this answer. A trace that was not a success stays what it was."""
        self._turn(trace_id, "success", "corrected")

    def unmark_corrected(self, trace_id: int) -> None:
        self._turn(trace_id, "corrected", "success")

    def outcome(self, trace_id: int) -> str | None:
        row = self._connection.execute("SELECT outcome FROM execution_traces WHERE id = ?", (trace_id,)).fetchone()
        return None if row is None else str(row[0])

    def _turn(self, trace_id: int, before: str, after: str) -> None:
        self._connection.execute(
            "UPDATE execution_traces SET outcome = ? WHERE id = ? AND outcome = ?", (after, trace_id, before)
        )


def _json(content: Mapping[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False)
