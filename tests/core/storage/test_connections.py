"""Every connection is hardened alike, and a lock is waited out."""

from __future__ import annotations

import time
from pathlib import Path

import apsw
import pytest

from hivemind.storage import Database
from hivemind.storage.connections import Role, connect, examining, patiently

WANTED = {
    "journal_mode": "wal",
    "foreign_keys": 1,
    "recursive_triggers": 1,
    "synchronous": 2,
    "trusted_schema": 0,
    "cell_size_check": 1,
    "secure_delete": 1,
    "journal_size_limit": 64 * 1024 * 1024,
    "mmap_size": 0,
    "busy_timeout": 250,
}


@pytest.mark.parametrize("role", Role)
def test_hardening(role: Role, database: Database) -> None:
    connection = connect(database.path, role)
    assert {name: connection.pragma(name) for name in WANTED} == WANTED
    assert connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, -1) == 1
    assert connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, -1) == 0
    assert connection.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, -1) == 0
    assert connection.pragma("query_only") == (1 if role is Role.READER else 0)
    assert (connection.authorizer is None) == (role is Role.MAINTENANCE)
    connection.close()


def test_the_threads_connections_are_hardened(database: Database) -> None:
    for submit in (database.submit_write, database.submit_read):
        assert submit(lambda c: {name: c.pragma(name) for name in WANTED}).result() == WANTED
    with pytest.raises(Exception, match="mistake"):
        database.submit_read(lambda c: c.execute("SELECT load_extension('vec0')").get).result()


def test_connect_never_creates_a_file(tmp_path: Path) -> None:
    with pytest.raises(apsw.CantOpenError):
        connect(tmp_path / "none.mind", Role.MAINTENANCE)
    assert list(tmp_path.iterdir()) == []


def test_examining_keeps_a_left_over_wal(database: Database) -> None:
    database.submit_write(lambda c: c.execute("INSERT INTO meta VALUES ('a', 'b')")).result()
    wal = database.path.with_name(database.path.name + "-wal")
    crashed = database.path.with_name("crashed.mind")
    left = crashed.with_name("crashed.mind-wal")
    crashed.write_bytes(database.path.read_bytes())
    left.write_bytes(wal.read_bytes())
    before = crashed.read_bytes(), left.read_bytes()
    with examining(crashed) as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'a'").get == "b"
    assert (crashed.read_bytes(), left.read_bytes()) == before


def test_patience_ends() -> None:
    began, calls = time.monotonic(), []

    def busy() -> None:
        calls.append(1)
        raise apsw.BusyError

    with pytest.raises(apsw.BusyError):
        patiently(busy, lambda: 0.3)
    assert 0.3 <= time.monotonic() - began < 1.0
    assert len(calls) > 3


def test_patience_is_for_locks_only() -> None:
    calls = []

    def broken() -> None:
        calls.append(1)
        raise apsw.FullError

    with pytest.raises(apsw.FullError):
        patiently(broken)
    assert calls == [1]
