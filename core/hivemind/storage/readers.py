"""The reader threads: connections that cannot write, one snapshot per piece of work, interruptible at any time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import apsw

from hivemind.errors import InternalFault
from hivemind.storage.connections import PATIENCE_SECONDS, patiently
from hivemind.storage.work import Work, closed

T = TypeVar("T")

#: Steps of SQLite's machine between two looks at the stop flag (well under a millisecond).
_STEPS_BETWEEN_LOOKS = 20_000


class Readers:
    """Owns one thread per connection and one queue for all. Thread-safe; first come, first served."""

    def __init__(self, path: Path, connections: Sequence[apsw.Connection]) -> None:
        self._path = path
        self._queue: deque[Work[Any]] = deque()
        self._running: dict[apsw.Connection, Work[Any]] = {}
        self._closing = False
        self._wakeup = threading.Condition()
        self._threads = [
            threading.Thread(target=self._run, args=(one,), name=f"reader {number} {path.name}", daemon=True)
            for number, one in enumerate(connections, start=1)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[[apsw.Connection], T]) -> Future[T]:
        work = Work(fn, interruptible=True)
        with self._wakeup:
            if self._closing:
                raise closed()
            self._queue.append(work)
            self._wakeup.notify()
        return work

    @property
    def threads(self) -> Sequence[threading.Thread]:
        return self._threads

    def close(self) -> None:
        """Refuse what waits, interrupt what runs, close the connections, join. May be called twice."""
        with self._wakeup:
            self._closing = True
            refused, running = list(self._queue), list(self._running.values())
            self._queue.clear()
            self._wakeup.notify_all()
        for work in refused:
            work.refuse()
        for work in running:
            work.cancel()
        for thread in self._threads:
            thread.join()

    def _run(self, connection: apsw.Connection) -> None:
        def stopped() -> bool:
            work = self._running.get(connection)
            return work is not None and work.stopped

        # interrupt() reaches the statement that runs; this reaches those that the same function starts later.
        connection.set_progress_handler(stopped, _STEPS_BETWEEN_LOOKS)
        while self._perform_next(connection):
            pass
        with suppress(apsw.Error):
            connection.close()

    def _perform_next(self, connection: apsw.Connection) -> bool:
        with self._wakeup:
            self._wakeup.wait_for(lambda: self._queue or self._closing)
            if not self._queue:
                return False
            work = self._queue.popleft()
            self._running[connection] = work
        try:
            work.run(connection, self._path, lambda: _in_snapshot(connection, work))
        finally:
            with self._wakeup:
                del self._running[connection]
        return True


def _in_snapshot(connection: apsw.Connection, work: Work[T]) -> T:
    def begin() -> None:
        connection.execute("BEGIN")
        try:
            # The snapshot is taken by the first read; taking it here lets a lock of another process be waited out.
            connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").get  # noqa: B018
        except apsw.Error:
            connection.execute("ROLLBACK")
            raise

    patiently(begin, lambda: 0.0 if work.stopped else PATIENCE_SECONDS)
    try:
        return work.fn(connection)
    except apsw.ReadOnlyError as fault:
        raise InternalFault(details="a read tried to write") from fault
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
