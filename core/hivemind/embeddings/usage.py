"""Counts the calls of an embedder inside this computer, instead of a log entry for each."""

from __future__ import annotations

import threading

from hivemind.domain.calls import Call, CallOutcome, CallRecorder


class UsageRecorder(CallRecorder):
    """The recorder of the built-in embedder: nothing leaves the computer, so calls are added up and not logged.

    The texts are counted by mind in `embedding_usage`, where the vectors go: documents by the queue that stores
    them, queries by who searches.
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
    def calls(self) -> int:
        """Calls that ended well since this was made."""
        return self._finished

    @property
    def failures(self) -> int:
        """Calls that failed since this was made."""
        return self._failed
