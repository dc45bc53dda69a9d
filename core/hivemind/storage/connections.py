"""The one place that opens SQLite: every connection gets the same hardening, then the authorizer locks it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TypeVar

import apsw

from hivemind.storage.authorizer import authorize

T = TypeVar("T")

#: SQLite waits this long inside one call; the rest of the patience is spent in `patiently`.
BUSY_TIMEOUT_MS = 250
#: In all, so long may another process hold the lock.
PATIENCE_SECONDS = 10.0
JOURNAL_SIZE_LIMIT = 64 * 1024 * 1024

_CACHE_KIB = 16_384
_READER_CACHE_KIB = 8_192


class Role(Enum):
    """WRITER and READER are locked by the authorizer. MAINTENANCE (creation, migration, VACUUM, backup) is not."""

    WRITER = "writer"
    READER = "reader"
    MAINTENANCE = "maintenance"


def connect(path: Path, role: Role) -> apsw.Connection:
    """Open an existing SQLite file with everything set. Never creates a file, never follows a link at the end.

    `path` must be absolute with its folder resolved. Raises apsw errors: callers translate them.
    """
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW
    connection = apsw.Connection(str(path), flags=flags)
    try:
        _harden(connection, role)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def connected(path: Path, role: Role = Role.MAINTENANCE) -> Iterator[apsw.Connection]:
    """`connect` for a block, closed at its end."""
    connection = connect(path, role)
    try:
        with noting_errno(connection):
            yield connection
    finally:
        connection.close()


@contextmanager
def noting_errno(connection: apsw.Connection) -> Iterator[None]:
    """Keep the system's reason on an error that leaves this block: only the connection knows it."""
    try:
        yield
    except apsw.Error as fault:
        if connection.system_errno:
            vars(fault).setdefault("system_errno", connection.system_errno)
        raise


@contextmanager
def examining(path: Path) -> Iterator[apsw.Connection]:
    """A connection that only looks: nothing is written, and a -wal that was left by a crash stays as it is."""
    wal = path.with_name(path.name + "-wal")
    leftover = wal.exists() and wal.stat().st_size > 0
    with connected(path) as connection:
        connection.pragma("query_only", 1)
        if leftover:
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        yield connection


def _harden(connection: apsw.Connection, role: Role) -> None:
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    cache = _READER_CACHE_KIB if role is Role.READER else _CACHE_KIB
    for name, value in (
        ("foreign_keys", 1),
        ("recursive_triggers", 1),
        ("synchronous", "FULL"),
        ("trusted_schema", 0),
        ("cell_size_check", 1),
        ("secure_delete", 1),
        ("mmap_size", 0),
        # A full folder for temporary files must not stop a sort or a statement journal.
        ("temp_store", "MEMORY"),
        ("journal_size_limit", JOURNAL_SIZE_LIMIT),
        ("cache_size", -cache),
    ):
        patiently(lambda name=name, value=value: connection.pragma(name, value))  # type: ignore[misc]
    if role is Role.READER:
        connection.pragma("query_only", 1)
    if role is not Role.MAINTENANCE:
        connection.authorizer = authorize


def patiently(action: Callable[[], T], seconds: Callable[[], float] = lambda: PATIENCE_SECONDS) -> T:
    """Repeat what failed on another process's lock, with growing jittered pauses, until `seconds()` have passed.

    `seconds` is asked anew each time, so that closing can shorten it. Raises the last apsw.BusyError.
    """
    began, pause_ms = time.monotonic(), 8
    while True:
        try:
            return action()
        except (apsw.BusyError, apsw.LockedError):
            if time.monotonic() - began >= seconds():
                raise
        # Two waiting processes must not knock in step.
        time.sleep((1 + secrets.randbelow(pause_ms)) / 1000)
        pause_ms = min(pause_ms * 2, 100)
