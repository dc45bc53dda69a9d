"""Counts the calls of an embedder inside this computer, instead of a log entry for each."""

from __future__ import annotations

import threading

from hivemind.domain.calls import Call, CallOutcome, CallRecorder


class UsageRecorder(CallRecorder):
    """The recorder of the built-in embedder: nothing leaves the computer, so calls are added up and not logged.

    `take` hands the sum over once; whoever takes it adds it to `embedding_usage`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._finished = 0
        self._failed = 0

    async def started(self, call: Call) -> None:
        """Nothing to keep yet: a call counts when it has ended."""

    async def finished(self, outcome: CallOutcome) -> None:
        with self._lock:
            self._finished += 1

    async def failed(self, outcome: CallOutcome) -> None:
        with self._lock:
            self._failed += 1

    @property
    def failures(self) -> int:
        """Calls that failed since this was made."""
        return self._failed

    def take(self) -> int:
        """Calls that ended well since the last `take`."""
        with self._lock:
            count, self._finished = self._finished, 0
        return count
