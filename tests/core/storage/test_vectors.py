"""sqlite-vec: by the variable, by the wheel, or a reason in words and a mind that works without it."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
import sqlite_vec
from tests.core.storage.conftest import fill

from hivemind.storage import Connection, Database, VectorSupport
from hivemind.storage.backup import backup, restore_into, verify_backup
from hivemind.storage.schema import has_object
from hivemind.storage.vectors import PATH_VARIABLE


def store_and_search(connection: Connection) -> int:
    blob = b"\x00\x00\x80\x3f" * 1024
    connection.execute("INSERT INTO memory_frames_vec (rowid, embedding) VALUES (1, ?)", (blob,))
    return int(
        connection.execute(
            "SELECT rowid FROM memory_frames_vec WHERE embedding MATCH ? ORDER BY distance LIMIT 1", (blob,)
        ).get
    )


def test_from_the_wheel(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PATH_VARIABLE, raising=False)
    database = Database.open(path, create=True)
    assert database.vector == VectorSupport(True, sqlite_vec.loadable_path(), "0.1.9", "")
    assert database.submit_write(store_and_search).result() == 1
    with pytest.raises(Exception, match="mistake"):
        database.submit_write(
            lambda c: c.execute("INSERT INTO memory_frames_vec (rowid, embedding) VALUES (2, '[1,2]')")
        ).result()
    database.close()


def test_from_the_variable(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = next(Path(sqlite_vec.loadable_path()).parent.glob("vec0.*"))
    own = tmp_path / "my build 7" / f"sqlite-vec{file.suffix}"
    own.parent.mkdir()
    own.write_bytes(file.read_bytes())
    monkeypatch.setenv(PATH_VARIABLE, str(own))
    database = Database.open(path, create=True)
    assert (database.vector.loaded, database.vector.path) == (True, str(own))
    assert database.submit_write(store_and_search).result() == 1
    database.close()


@pytest.mark.parametrize("what", ["missing", "text", "folder", "another library"])
def test_what_cannot_be_loaded(what: str, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "vec0.so"
    if what == "text":
        place.write_text("no library")
    elif what == "folder":
        place.mkdir()
    elif what == "another library":
        place.write_bytes(Path(apsw.__file__).read_bytes())
    monkeypatch.setenv(PATH_VARIABLE, str(place))
    database = Database.open(path, create=True)
    assert database.vector.loaded is False
    assert str(place) in database.vector.reason
    assert "keyword only" in database.vector.reason
    assert PATH_VARIABLE in database.vector.reason
    database.submit_write(lambda c: fill(c, 3)).result()
    found = "SELECT count(*) FROM memory_frames_fts WHERE memory_frames_fts MATCH 'ferry'"
    assert database.submit_read(lambda c: c.execute(found).get).result() == 3
    assert database.submit_read(lambda c: has_object(c, "memory_frames_vec")).result() is False
    database.close()


def test_without_the_package(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PATH_VARIABLE, raising=False)
    monkeypatch.setitem(__import__("sys").modules, "sqlite_vec", None)
    database = Database.open(path, create=True)
    assert database.vector.loaded is False
    assert "not installed" in database.vector.reason
    database.close()


def test_the_table_is_made_at_the_first_opening_with_the_library(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PATH_VARIABLE, "/no/such/file")
    without = Database.open(path, create=True)
    without.submit_write(lambda c: fill(c, 3)).result()
    without.close()
    monkeypatch.delenv(PATH_VARIABLE)
    with_library = Database.open(path)
    assert with_library.vector.loaded
    assert with_library.submit_write(store_and_search).result() == 1
    with_library.close()
    # And a mind that has the table opens without the library, is written and comes back.
    monkeypatch.setenv(PATH_VARIABLE, "/no/such/file")
    without = Database.open(path)
    without.submit_write(lambda c: fill(c, 3)).result()
    without.close()


def test_backups_cross_between_with_and_without(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PATH_VARIABLE, "/no/such/file")
    without = Database.open(path, create=True)
    without.submit_write(lambda c: fill(c, 3)).result()
    plain = backup(path, tmp_path / "plain.mind").path
    without.close()
    monkeypatch.delenv(PATH_VARIABLE)
    database = Database.open(path)
    database.submit_write(store_and_search).result()
    full = backup(path, tmp_path / "full.mind").path
    restore_into(database, plain)
    assert database.submit_write(store_and_search).result() == 1
    database.close()
    monkeypatch.setenv(PATH_VARIABLE, "/no/such/file")
    assert verify_backup(full).frames == 3
    without = Database.open(path)
    restore_into(without, full)
    assert without.submit_read(lambda c: c.execute("SELECT count(*) FROM memory_frames").get).result() == 3
    without.close()
