"""One piece of work for a database thread: a function, and the future its caller holds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from pathlib import Path
from typing import TypeVar

import apsw

from hivemind.errors import Cancelled
from hivemind.storage.faults import translate

T = TypeVar("T")


class Priority(IntEnum):
    """Lower goes first. Work that has begun is never pushed aside."""

    INTERACTIVE = 0
    IMPORT = 1
    HOUSEKEEPING = 2


class Work(Future[T]):
    """A future that also knows how to interrupt the statement it is running, where that is allowed.

    `asyncio.wrap_future` passes a cancelled await on to `cancel`, so cancelling crosses into the thread.
    """

    def __init__(self, fn: Callable[[apsw.Connection], T], *, interruptible: bool, transaction: bool = True) -> None:
        super().__init__()
        self.fn = fn
        self.transaction = transaction
        self.stopped = False
        self._interruptible = interruptible
        self._connection: apsw.Connection | None = None
        self._guard = threading.Lock()

    def cancel(self) -> bool:
        """Drop it from the queue (True), or interrupt it if it runs and is a read (False)."""
        if super().cancel():
            return True
        if self._interruptible:
            with self._guard:
                self.stopped = True
                if self._connection is not None:
                    self._connection.interrupt()
        return False

    def run(self, connection: apsw.Connection, path: Path, action: Callable[[], T]) -> None:
        """Perform `action` and settle the future with its result or its translated error. Never raises."""
        if not self.set_running_or_notify_cancel():
            return
        try:
            self._begin(connection)
            try:
                result = action()
            finally:
                self._end()
        except BaseException as fault:
            self.set_exception(translate(fault, path, connection.system_errno))
        else:
            self.set_result(result)

    def _begin(self, connection: apsw.Connection) -> None:
        with self._guard:
            if self.stopped:
                raise Cancelled
            self._connection = connection

    def _end(self) -> None:
        # From here on an interrupt would hit somebody else's statement.
        with self._guard:
            self._connection = None

    def refuse(self) -> None:
        """Settle work that was never begun because the database closes."""
        if self.set_running_or_notify_cancel():
            self.set_exception(closed())


def closed() -> Cancelled:
    return Cancelled("This mind is closed", "Nothing was changed by this. Open it again to go on.")
