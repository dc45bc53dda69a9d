"""Removing very many frames at once: index cleaning is put off, done in small steps, and never forgotten."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING

import apsw

from hivemind.errors import Cancelled
from hivemind.storage.integrity import set_secure_delete
from hivemind.storage.work import Priority

if TYPE_CHECKING:
    from hivemind.storage.database import Database

#: Fewer than this are simply deleted.
BULK_FROM = 500
#: Frames per transaction.
SLICE = 200

_PENDING = "text_index_pending"
_TABLES = ("memory_frames_fts", "memory_frames_cjk", "semantic_fts")
#: One transaction of merging; an interactive write waits no longer than this.
_MERGE_SECONDS = 0.03
_MERGE_PAGES = 16

#: Removes the given frames (at most SLICE, highest id first) inside an open transaction.
DeleteFrames = Callable[[apsw.Connection, Sequence[int]], None]


def delete_frames(connection: apsw.Connection, ids: Sequence[int]) -> None:
    """The plain way: nothing but the rows and what cascades. Patches must come before what they change."""
    keys = [(one,) for one in ids]
    connection.executemany("UPDATE memory_frames SET superseded_by = NULL WHERE superseded_by = ?", keys)
    connection.executemany("DELETE FROM memory_frames WHERE id = ?", keys)


async def bulk_delete(
    database: Database,
    ids: Sequence[int],
    delete: DeleteFrames = delete_frames,
    priority: Priority = Priority.HOUSEKEEPING,
) -> None:
    """Remove frames in transactions of at most SLICE, so that other writes get in between.

    Above BULK_FROM frames the word tables' secure-delete is off meanwhile and the index is merged afterwards, which
    drops the removed words; the next opening finishes what a crash left. Never for erasing: that has to be complete
    when it returns. A fault leaves the slices before it removed.
    """
    ordered = sorted(set(ids), reverse=True)
    bulk = len(ordered) > BULK_FROM
    for start in range(0, len(ordered), SLICE):
        part = ordered[start : start + SLICE]
        first = bulk and start == 0
        await database.write(lambda connection, p=part, f=first: _delete_slice(connection, p, delete, f), priority)  # type: ignore[misc]
    while bulk and not await database.write(_merge_some, priority):
        pass


def is_left_over(connection: apsw.Connection) -> bool:
    """Whether a crash interrupted a bulk removal before the index was clean."""
    return _state(connection) is not None


async def finish_merging(database: Database) -> None:
    """Go on with a merging that was interrupted until the index is clean, and wait for it."""
    while not await database.write(_merge_if_pending, Priority.HOUSEKEEPING):
        pass


def finish_left_over(database: Database) -> None:
    """At opening: go on with the merging that a crash interrupted, as housekeeping. Returns at once."""
    with suppress(Cancelled):
        database.submit_write(_merge_if_pending, Priority.HOUSEKEEPING).add_done_callback(
            lambda done: _go_on(database, done)
        )


def _go_on(database: Database, done: Future[bool]) -> None:
    if not done.cancelled() and done.exception() is None and not done.result():
        finish_left_over(database)


def _delete_slice(connection: apsw.Connection, ids: Sequence[int], delete: DeleteFrames, first: bool) -> None:
    if first:
        set_secure_delete(connection, on=False)
        connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, 'start')", (_PENDING,))
    delete(connection, ids)


def _merge_if_pending(connection: apsw.Connection) -> bool:
    return _state(connection) is None or _merge_some(connection)


def _merge_some(connection: apsw.Connection) -> bool:
    """Merge for a moment. True when nothing was left to do and secure-delete is on again."""
    if _state(connection) == "start":
        for table in _TABLES:
            _merge(connection, table, -_MERGE_PAGES)
        connection.execute("UPDATE meta SET value = 'merging' WHERE key = ?", (_PENDING,))
    until = time.monotonic() + _MERGE_SECONDS
    for table in _TABLES:
        while _merge(connection, table, _MERGE_PAGES):
            if time.monotonic() >= until:
                return False
    set_secure_delete(connection, on=True)
    connection.execute("DELETE FROM meta WHERE key = ?", (_PENDING,))
    return True


def _merge(connection: apsw.Connection, table: str, pages: int) -> bool:
    """One step; whether anything moved (SQLite's own sign for it: at least two changed rows)."""
    before = connection.total_changes()
    connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", (pages,))  # noqa: S608
    return connection.total_changes() - before >= 2


def _state(connection: apsw.Connection) -> str | None:
    value = connection.execute("SELECT value FROM meta WHERE key = ?", (_PENDING,)).get
    return None if value is None else str(value)
