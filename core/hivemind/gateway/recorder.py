"""The recorder of one mind: a call is on disk before it is made, and its end before its answer is shown."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from hivemind.domain.calls import Call, CallKind, CallOutcome, CallRecorder, EntryState, LogEntry
from hivemind.errors import HiveMindError, RecorderFault
from hivemind.gateway.log import record_ended, record_event, record_started
from hivemind.mind import Mind, MindTransaction
from hivemind.storage import Connection

Step = Callable[[Connection, str], LogEntry]


class Recorder(CallRecorder):
    """Writes into one mind's log. Each method returns only when its entry is durable, else raises RecorderFault.

    A cancelled caller does not cancel the entry: evidence of a call must not depend on who still waits for it.
    Entries that could not be written are counted, and the next one that can be says how many there were.
    """

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._missed = 0
        self._lock = threading.Lock()

    @property
    def missed(self) -> int:
        """Entries that could not be written since the last one that could."""
        return self._missed

    async def started(self, call: Call) -> None:
        await self._write(lambda connection, now: record_started(connection, now, call))

    async def finished(self, outcome: CallOutcome) -> None:
        await self._write(lambda connection, now: record_ended(connection, now, outcome, EntryState.FINISHED))

    async def failed(self, outcome: CallOutcome) -> None:
        await self._write(lambda connection, now: record_ended(connection, now, outcome, EntryState.FAILED))

    async def _write(self, step: Step) -> None:
        await asyncio.shield(self._durably(step))

    async def _durably(self, step: Step) -> None:
        taken: list[int] = []

        def attempt(tx: MindTransaction) -> LogEntry:
            # Taken on the writer thread, so that two waiting calls never tell of the same gap.
            taken.append(self._exchange_missed(0))
            if sum(taken):
                record_event(tx.connection, tx.now, CallKind.LOG_GAP, {"missed": sum(taken)}, actor="app")
            return step(tx.connection, tx.now)

        try:
            await self._mind.write(attempt)
        except Exception as fault:  # Whatever it was: no entry, no call.
            self._add_missed(sum(taken) + 1)
            raise _fault_of(fault) from fault

    def _exchange_missed(self, value: int) -> int:
        with self._lock:
            before, self._missed = self._missed, value
        return before

    def _add_missed(self, count: int) -> None:
        with self._lock:
            self._missed += count


def _fault_of(fault: Exception) -> RecorderFault:
    if isinstance(fault, RecorderFault):
        return fault
    code = fault.code if isinstance(fault, HiveMindError) else type(fault).__name__
    hint = f"{fault.title}. {fault.hint}" if isinstance(fault, HiveMindError) else ""
    return RecorderFault(hint=hint, details=code)
