"""A mind: one file, opened once per process, written through one thread and read through two."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar, cast

from hivemind.clock import Clock, system_clock
from hivemind.domain.protocols import BeforeWrite
from hivemind.mind.transaction import MindTransaction
from hivemind.storage import Connection, Database, Priority

T = TypeVar("T")
Work = Callable[[MindTransaction], T]


class Mind:
    """Opens with `Mind.open`; every piece of work is one function over a MindTransaction."""

    def __init__(self, database: Database, workspace: str, clock: Clock, checks: tuple[BeforeWrite, ...] = ()) -> None:
        self.database = database
        self.workspace = workspace
        self.clock = clock
        self._checks = checks
        self._resident: dict[type[Any], object] = {}
        self._guard = threading.Lock()

    @classmethod
    def open(
        cls,
        path: Path,
        workspace: str,
        *,
        create: bool = False,
        seeders: Sequence[Callable[[Connection], None]] = (),
        backups: Path | None = None,
        clock: Clock = system_clock,
        checks: tuple[BeforeWrite, ...] = (),
        after_commit: Callable[[Connection], None] | None = None,
    ) -> Mind:
        """Open or, with `create`, make the mind at `path`. Blocks; call it off the event loop.

        Raises MindMissing, NotAMind, MindCorrupt, MindNewer, MindBusy, DiskFull or ReadOnlyPlace.
        """
        database = Database.open(
            path, create=create, seeders=seeders, backups=backups, clock=clock, after_commit=after_commit
        )
        return cls(database, workspace, clock, checks)

    @property
    def path(self) -> Path:
        return self.database.path

    async def write(self, work: Work[T], priority: Priority = Priority.INTERACTIVE) -> T:
        """Run `work` in one write transaction; an exception rolls all of it back."""
        return await self.database.write(lambda connection: work(self._bind(connection)), priority)

    async def read(self, work: Work[T]) -> T:
        """Run `work` over one snapshot. Cancelling the awaiting task interrupts it."""
        return await self.database.read(lambda connection: work(self._bind(connection)))

    def submit_write(self, work: Work[T], priority: Priority = Priority.INTERACTIVE) -> Future[T]:
        """`write` for callers without an event loop."""
        return self.database.submit_write(lambda connection: work(self._bind(connection)), priority)

    def submit_read(self, work: Work[T]) -> Future[T]:
        """`read` for callers without an event loop."""
        return self.database.submit_read(lambda connection: work(self._bind(connection)))

    def resident(self, kind: type[T], make: Callable[[], T]) -> T:
        """What a room above keeps in memory for this mind: made at its first use, dropped when the mind closes."""
        with self._guard:
            if kind not in self._resident:
                self._resident[kind] = make()
            return cast(T, self._resident[kind])

    def close(self) -> None:
        self.database.close()
        self.forget_resident()

    async def aclose(self) -> None:
        await self.database.aclose()
        self.forget_resident()

    def forget_resident(self) -> None:
        """Drop what is kept in memory: it is made anew at its next use."""
        with self._guard:
            self._resident.clear()

    def _bind(self, connection: Connection) -> MindTransaction:
        return MindTransaction(connection, self.clock, vectors=self.database.vector.loaded, checks=self._checks)
