"""One open file: a writer thread, two reader threads, and what callers see of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import apsw

from hivemind.clock import Clock, system_clock
from hivemind.errors import InternalFault
from hivemind.storage import files
from hivemind.storage.bulk import finish_left_over, is_left_over
from hivemind.storage.connections import Role, connect
from hivemind.storage.creation import Seeder
from hivemind.storage.faults import translate
from hivemind.storage.opening import prepare
from hivemind.storage.readers import Readers
from hivemind.storage.schema import SchemaKind
from hivemind.storage.vectors import VectorSupport, load_vectors
from hivemind.storage.work import Priority
from hivemind.storage.writer import Writer

T = TypeVar("T")

_READERS = 2


class Database:
    """An open mind or installation file. Every method may be called from any thread.

    Functions given to `write` and `read` get an apsw connection and run on a database thread; they must not keep
    the connection or a cursor. Foreign errors arrive as `hivemind.errors`; what a function raises itself arrives
    as it is.
    """

    def __init__(
        self, path: Path, kind: SchemaKind, after_commit: Callable[[apsw.Connection], None] | None = None
    ) -> None:
        """Use `open`."""
        self.path = path
        self.kind = kind
        opened: list[apsw.Connection] = []
        try:
            for role in (Role.WRITER, *[Role.READER] * (_READERS + 1)):
                opened.append(connect(path, role))
            self.vector = self._load_vectors(opened)
            left_over = kind is SchemaKind.MIND and is_left_over(opened[0])
        except BaseException:
            for connection in opened:
                connection.close()
            raise
        writing, self._watching, *reading = opened
        self._writer = Writer(path, writing, after_commit)
        self._readers = Readers(path, reading)
        if left_over:
            finish_left_over(self)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        create: bool = False,
        kind: SchemaKind = SchemaKind.MIND,
        seeders: Sequence[Seeder] = (),
        backups: Path | None = None,
        clock: Clock = system_clock,
        after_commit: Callable[[apsw.Connection], None] | None = None,
    ) -> Database:
        """Open a file; blocking, so call it off the event loop.

        With `create` a fresh file is made where nothing is: schema and seeders in one transaction. An existing
        file is opened and never overwritten; an older one is backed up into `backups` (else its own folder) and
        migrated. `after_commit` sees the writing connection after each commit, on the writer thread; it must be
        quick and cannot fail what was written. Raises MindMissing, NotAMind, MindCorrupt, MindNewer, MindBusy,
        DiskFull, ReadOnlyPlace.
        """
        try:
            path = files.settled(path)
            prepare(path, create=create, kind=kind, seeders=seeders, backups=backups, clock=clock)
            return cls(path, kind, after_commit)
        except (apsw.Error, OSError) as fault:
            raise translate(fault, path) from fault

    def submit_write(self, fn: Callable[[apsw.Connection], T], priority: Priority = Priority.INTERACTIVE) -> Future[T]:
        """Run `fn` inside one BEGIN IMMEDIATE … COMMIT; its exception rolls back. For callers without a loop.

        Cancelling the future drops the write while it waits; a write that has begun is finished.
        """
        return self._writer.submit(fn, priority)

    def submit_read(self, fn: Callable[[apsw.Connection], T]) -> Future[T]:
        """Run `fn` on one snapshot that cannot be written. Cancelling the future interrupts it at any time."""
        return self._readers.submit(fn)

    def submit_unwrapped(
        self, fn: Callable[[apsw.Connection], T], priority: Priority = Priority.INTERACTIVE
    ) -> Future[T]:
        """Run `fn` on the writer thread outside a transaction: for restoring into the live file and checkpoints."""
        return self._writer.submit(fn, priority, transaction=False)

    async def write(self, fn: Callable[[apsw.Connection], T], priority: Priority = Priority.INTERACTIVE) -> T:
        """`submit_write`, awaited."""
        return await asyncio.wrap_future(self.submit_write(fn, priority))

    async def read(self, fn: Callable[[apsw.Connection], T]) -> T:
        """`submit_read`, awaited. Cancelling the awaiting task drops or interrupts the read."""
        return await asyncio.wrap_future(self.submit_read(fn))

    async def data_version(self) -> int:
        """A number that changes with every commit by anyone, this process included. Comparable only to itself."""
        return await asyncio.wrap_future(self._readers.submit(lambda _: self._version_seen()))

    def close(self) -> None:
        """Finish the running write and interactive ones that wait, refuse the rest, stop reads, join the threads.

        Blocking. May be called twice and while work is queued; refused work raises Cancelled.
        """
        if threading.current_thread() in {*self._readers.threads, *self._writer.threads}:
            raise InternalFault(details="a database was closed from inside its own work")
        self._readers.close()
        self._watching.close()
        self._writer.close()

    async def aclose(self) -> None:
        """`close` without holding up the loop."""
        await asyncio.to_thread(self.close)

    def _version_seen(self) -> int:
        # Its own connection: the number counts the commits of all others, so it may not belong to a writer,
        # and it is comparable only to what the same connection said before.
        return int(self._watching.pragma("data_version"))

    def _load_vectors(self, connections: Sequence[apsw.Connection]) -> VectorSupport:
        if self.kind is not SchemaKind.MIND:
            return VectorSupport(False, "", "", "Only minds hold vectors.")
        for connection in connections:
            support = load_vectors(connection)
            if not support.loaded:
                break
        return support
