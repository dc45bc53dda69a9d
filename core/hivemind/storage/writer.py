"""The writer thread: the only connection that writes, fed by a queue with priorities, one transaction per piece."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import apsw

from hivemind.errors import InternalFault
from hivemind.storage.connections import PATIENCE_SECONDS, patiently
from hivemind.storage.work import Priority, Work, closed

T = TypeVar("T")

#: A lock held by another process may hold up closing for so long.
_PATIENCE_WHEN_CLOSING = 2.0


class Writer:
    """Owns its connection and its thread. Thread-safe; futures are settled on the writer thread."""

    def __init__(
        self, path: Path, connection: apsw.Connection, after_commit: Callable[[apsw.Connection], None] | None = None
    ) -> None:
        self._path = path
        self._connection = connection
        self._after_commit = after_commit
        self._queue: list[tuple[Priority, int, Work[Any]]] = []
        self._number = 0
        self._closing = False
        self._wakeup = threading.Condition()
        self._thread = threading.Thread(target=self._run, name=f"writer {path.name}", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[[apsw.Connection], T], priority: Priority, *, transaction: bool = True) -> Future[T]:
        """Queue a function. Without `transaction` it runs outside of one (restoring into the live file)."""
        work = Work(fn, interruptible=False, transaction=transaction)
        with self._wakeup:
            if self._closing:
                raise closed()
            self._number += 1
            heapq.heappush(self._queue, (priority, self._number, work))
            self._wakeup.notify()
        return work

    @property
    def threads(self) -> Sequence[threading.Thread]:
        return (self._thread,)

    def close(self) -> None:
        """Finish what runs and what is interactive, refuse the rest, checkpoint, close, join. May be called twice."""
        with self._wakeup:
            self._closing = True
            kept = [entry for entry in self._queue if entry[0] is Priority.INTERACTIVE]
            refused = [entry[2] for entry in self._queue if entry[0] is not Priority.INTERACTIVE]
            heapq.heapify(kept)
            self._queue = kept
            self._wakeup.notify()
        for work in refused:
            work.refuse()
        self._thread.join()

    def _run(self) -> None:
        while self._perform_next():
            pass
        with suppress(apsw.Error):
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        with suppress(apsw.Error):
            self._connection.close()

    def _perform_next(self) -> bool:
        """Wait for one piece of work and do it. False when closing and nothing is left.

        A method of its own, so that an idle thread keeps neither the last function nor its result alive.
        """
        with self._wakeup:
            self._wakeup.wait_for(lambda: self._queue or self._closing)
            if not self._queue:
                return False
            _, _, work = heapq.heappop(self._queue)
        if work.transaction:
            work.run(self._connection, self._path, lambda: self._in_transaction(work.fn))
        else:
            work.run(self._connection, self._path, lambda: work.fn(self._connection))
        return True

    def _in_transaction(self, fn: Callable[[apsw.Connection], T]) -> T:
        connection = self._connection
        self._roll_back()
        patiently(lambda: connection.execute("BEGIN IMMEDIATE"), self._patience)
        try:
            result = fn(connection)
            _require_open_transaction(connection)
            patiently(lambda: connection.execute("COMMIT"), self._patience)
        except BaseException:
            self._roll_back()
            raise
        self._tell()
        return result

    def _tell(self) -> None:
        # What was committed stays: whoever looks at it afterwards can neither undo nor fail it.
        if self._after_commit is not None:
            with suppress(apsw.Error):
                self._after_commit(self._connection)

    def _patience(self) -> float:
        return _PATIENCE_WHEN_CLOSING if self._closing else PATIENCE_SECONDS

    def _roll_back(self) -> None:
        # SQLite has already rolled back after some errors (a full disk); then there is nothing to do.
        if self._connection.in_transaction:
            with suppress(apsw.Error):
                self._connection.execute("ROLLBACK")


def _require_open_transaction(connection: apsw.Connection) -> None:
    if not connection.in_transaction:
        raise InternalFault(details="a write ended its own transaction")
