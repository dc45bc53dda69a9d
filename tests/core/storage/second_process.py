"""Another process on the same file, started by the tests: python second_process.py COMMAND PATH [ARGUMENT]."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from hivemind.errors import HiveMindError
from hivemind.storage import Database, SchemaKind
from hivemind.storage.bulk import bulk_delete
from hivemind.storage.schema import expected_objects

NOBODY = 65534


def say(**facts: object) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def hold(path: Path, seconds: str) -> None:
    """Take the write lock for so long."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.execute("BEGIN IMMEDIATE")
    say(locked=True)
    time.sleep(float(seconds))
    connection.execute("ROLLBACK")
    say(locked=False)


def seize(path: Path, _: str) -> None:
    """Keep everybody else out until killed."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.pragma("locking_mode", "exclusive")
    connection.execute("BEGIN EXCLUSIVE; UPDATE meta SET value = value; COMMIT")
    say(locked=True)
    time.sleep(60)


def write(path: Path, count: str) -> None:
    """So many writes, each its own transaction, through the writer thread."""
    database = Database.open(path)
    say(ready=True)
    sys.stdin.readline()
    for number in range(int(count)):
        key = f"{os.getpid()}-{number}"
        database.submit_write(lambda c, key=key: c.execute("INSERT INTO meta VALUES (?, 'x')", (key,))).result()
    database.close()
    say(written=int(count))


def limited(path: Path, size: str) -> None:
    """Write until the file-size limit stops it; then see what still works, and again without the limit."""
    database = Database.open(path, create=True)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), hard))
    written, fault = 0, ""
    while not fault and written < 10_000:
        try:
            database.submit_write(
                lambda c, n=written: c.execute("INSERT INTO meta VALUES (?, hex(randomblob(4000)))", (f"row {n}",))
            ).result()
            written += 1
        except HiveMindError as error:
            fault = error.code
    count = "SELECT count(*) FROM meta WHERE key LIKE 'row %'"
    seen = database.submit_read(lambda c: c.execute(count).get).result()
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    database.submit_write(lambda c: c.execute("INSERT INTO meta VALUES ('row after', '')")).result()
    database.close()
    say(fault=fault, written=written, seen=seen)


def create_limited(path: Path, size: str) -> None:
    """Create a mind where there is not enough room for one."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), hard))
    try:
        Database.open(path, create=True).close()
        say(fault="")
    except HiveMindError as error:
        say(fault=error.code)


def open_as_nobody(path: Path, create: str) -> None:
    """Open without root's rights."""
    expected_objects(SchemaKind.MIND)
    if os.getuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        Database.open(path, create=create == "create").close()
        say(fault="", hint="")
    except HiveMindError as error:
        say(fault=error.code, hint=error.hint)


def die_in_bulk(path: Path, _: str) -> None:
    """Begin a bulk removal and die before its merging is over."""
    database = Database.open(path)
    ids = database.submit_read(
        lambda c: [row[0] for row in c.execute("SELECT id FROM memory_frames WHERE frame_type = 'P'")]
    ).result()

    def dying(connection: apsw.Connection, part: object) -> None:
        if calls:
            os._exit(9)
        calls.append(part)
        connection.executemany("DELETE FROM memory_frames WHERE id = ?", [(one,) for one in part])  # type: ignore[attr-defined]

    calls: list[object] = []
    asyncio.run(bulk_delete(database, ids, dying))


COMMANDS: dict[str, Callable[[Path, str], None]] = {
    one.__name__: one for one in (hold, seize, write, limited, create_limited, open_as_nobody, die_in_bulk)
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](Path(sys.argv[2]), (sys.argv[3:] or [""])[0])
