"""Foreign errors get our names: made for real where that can be done, by their codes where it cannot."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import apsw
import pytest
from tests.core.storage.conftest import Start

from hivemind.errors import (
    DiskFull,
    FileInTheWay,
    HiveMindError,
    InternalFault,
    InvalidValue,
    MindBusy,
    MindCorrupt,
    MindMissing,
    NotAMind,
    ReadOnlyPlace,
    StorageFault,
)
from hivemind.storage import Database
from hivemind.storage.faults import translate


def io_error(extended: int) -> apsw.Error:
    fault = apsw.exception_for(extended)
    assert isinstance(fault, apsw.Error)
    return fault


def test_disk_full_while_writing(path: Path, second_process: Start) -> None:
    """The write fails by name, what was acknowledged is there, reading goes on, and with room so does writing."""
    out, err = second_process("limited", path, 2_000_000).communicate(timeout=60)
    said = json.loads(out.splitlines()[-1])
    assert said["fault"] == DiskFull.code, err
    assert said["written"] == said["seen"] > 10
    database = Database.open(path)
    rows = database.submit_read(lambda c: c.execute("SELECT count(*) FROM meta WHERE key LIKE 'row %'").get).result()
    assert rows == said["written"] + 1
    database.close()


@pytest.mark.parametrize("size", [0, 5_000, 100_000, 400_000])
def test_disk_full_while_creating(size: int, path: Path, second_process: Start) -> None:
    out, err = second_process("create_limited", path, size).communicate(timeout=60)
    assert json.loads(out.splitlines()[-1])["fault"] == DiskFull.code, err
    assert list(path.parent.iterdir()) == []


def test_a_file_without_room_for_pages(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "a"))
    connection.execute("CREATE TABLE t (a)")
    connection.pragma("max_page_count", 5)
    with pytest.raises(apsw.FullError) as caught:
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    assert isinstance(translate(caught.value, tmp_path / "a"), DiskFull)


@pytest.mark.parametrize(
    ("code", "system", "wanted"),
    [
        (apsw.SQLITE_IOERR_WRITE, errno.ENOSPC, DiskFull),
        (apsw.SQLITE_IOERR_WRITE, errno.EDQUOT, DiskFull),
        (apsw.SQLITE_IOERR_WRITE, errno.EFBIG, DiskFull),
        (apsw.SQLITE_IOERR_SHMSIZE, errno.ENOSPC, DiskFull),
        (apsw.SQLITE_IOERR_WRITE, errno.EROFS, ReadOnlyPlace),
        (apsw.SQLITE_IOERR_FSYNC, errno.EIO, StorageFault),
        (apsw.SQLITE_IOERR_READ, errno.EIO, StorageFault),
        (apsw.SQLITE_IOERR_SHORT_READ, 0, MindCorrupt),
        (apsw.SQLITE_IOERR_CORRUPTFS, 0, MindCorrupt),
        (apsw.SQLITE_BUSY, 0, MindBusy),
        (apsw.SQLITE_BUSY_RECOVERY, 0, MindBusy),
        (apsw.SQLITE_LOCKED, 0, MindBusy),
        (apsw.SQLITE_FULL, 0, DiskFull),
        (apsw.SQLITE_READONLY_DBMOVED, 0, ReadOnlyPlace),
        (apsw.SQLITE_CORRUPT_VTAB, 0, MindCorrupt),
        (apsw.SQLITE_NOTADB, 0, NotAMind),
        (apsw.SQLITE_TOOBIG, 0, InvalidValue),
        (apsw.SQLITE_NOMEM, 0, StorageFault),
        (apsw.SQLITE_SCHEMA, 0, InternalFault),
        (apsw.SQLITE_MISUSE, 0, InternalFault),
    ],
)
def test_by_code(code: int, system: int, wanted: type[HiveMindError], tmp_path: Path) -> None:
    (tmp_path / "a.mind").touch()
    fault = io_error(code)
    ours = translate(fault, tmp_path / "a.mind", system)
    assert type(ours) is wanted
    assert ours.__cause__ is fault
    assert ours.title and ours.hint


@pytest.mark.parametrize(
    ("number", "wanted"),
    [
        (errno.ENOSPC, DiskFull),
        (errno.EROFS, ReadOnlyPlace),
        (errno.EACCES, ReadOnlyPlace),
        (errno.ENOENT, MindMissing),
        (errno.EEXIST, FileInTheWay),
        (errno.ENAMETOOLONG, NotAMind),
        (errno.EIO, StorageFault),
    ],
)
def test_by_system_error(number: int, wanted: type[HiveMindError], tmp_path: Path) -> None:
    assert type(translate(OSError(number, "said by the system"), tmp_path / "a.mind")) is wanted


def test_what_is_ours_or_nobodys_stays(tmp_path: Path) -> None:
    for fault in (MindBusy(), ValueError("x"), KeyboardInterrupt()):
        assert translate(fault, tmp_path) is fault


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(NotAMind):
        Database.open(tmp_path / ("x" * 300 + ".mind"), create=True)


def test_details_never_hold_what_was_asked(database: Database) -> None:
    question = "SELECT * FROM memory_frames_fts WHERE memory_frames_fts MATCH 'my \"secret diary'"
    with pytest.raises(InternalFault) as caught:
        database.submit_read(lambda c: c.execute(question).fetchall()).result()
    assert "secret" not in caught.value.details + str(caught.value)
    with pytest.raises(InternalFault) as caught:
        database.submit_write(lambda c: c.execute("INSERT INTO identity (id, name) VALUES (7, 'secret')")).result()
    assert "secret" not in caught.value.details + str(caught.value)
