"""What is opened, what is made, what is refused and left byte for byte as it was."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest
from tests.core.storage.conftest import Start, fill

from hivemind.errors import (
    HiveMindError,
    MindBusy,
    MindCorrupt,
    MindMissing,
    MindNewer,
    NotAMind,
    ReadOnlyPlace,
    StorageFault,
)
from hivemind.storage import Connection, Database, SchemaKind

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes and links")


def snapshot(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in sorted(folder.iterdir()) if one.is_file()}


def make(path: Path, change: str = "", kind: SchemaKind = SchemaKind.MIND) -> None:
    """A closed file, changed by another program."""
    Database.open(path, create=True, kind=kind).close()
    if change:
        connection = apsw.Connection(str(path))
        connection.execute(change)
        connection.close()


def refused(path: Path, kind: SchemaKind = SchemaKind.MIND) -> HiveMindError:
    """The error of opening, with and without `create`; the folder stays as it was both times."""
    before = snapshot(path.parent)
    for create in (False, True):
        with pytest.raises(StorageFault) as caught:
            Database.open(path, create=create, kind=kind)
        assert snapshot(path.parent) == before
    assert caught.value.hint
    return caught.value


@POSIX
def test_a_fresh_mind(path: Path) -> None:
    moment = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
    database = Database.open(path, create=True, clock=lambda: moment)
    facts = database.submit_read(lambda c: dict(c.execute("SELECT key, value FROM meta"))).result()
    database.close()
    assert facts["schema_version"] == "1"
    assert facts["first_run_at"] == "2026-11-30T09:00:00.000Z"
    assert str(uuid.UUID(facts["mind_uuid"])) == facts["mind_uuid"]
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert path.read_bytes()[:16] == b"SQLite format 3\x00"


@POSIX
def test_side_files_are_for_the_owner_only(database: Database) -> None:
    names = {one.name: one.stat().st_mode & 0o777 for one in database.path.parent.iterdir()}
    assert set(names) == {"test.mind", "test.mind-wal", "test.mind-shm"}
    assert set(names.values()) == {0o600}


def test_create_opens_what_is_there(path: Path) -> None:
    with_row = Database.open(path, create=True)
    with_row.submit_write(lambda c: c.execute("INSERT INTO meta VALUES ('kept', 'yes')")).result()
    with_row.close()

    def never(_: Connection) -> None:
        raise AssertionError

    again = Database.open(path, create=True, seeders=[never])
    assert again.submit_read(lambda c: c.execute("SELECT value FROM meta WHERE key = 'kept'").get).result() == "yes"
    again.close()


def test_nothing_there(path: Path) -> None:
    with pytest.raises(MindMissing):
        Database.open(path)
    assert not path.parent.exists()


def test_seeders_share_the_transaction_that_creates(path: Path) -> None:
    seen: list[object] = []

    def first(connection: Connection) -> None:
        seen.append(connection.in_transaction)
        seen.append(connection.execute("SELECT count(*) FROM meta").get)
        connection.execute("INSERT INTO meta VALUES ('name', 'Personal')")

    Database.open(path, create=True, seeders=[first]).close()
    assert seen == [True, 3]


def test_a_failing_seeder_leaves_nothing(path: Path) -> None:
    def fails(connection: Connection) -> None:
        connection.execute("INSERT INTO meta VALUES ('half', 'done')")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Database.open(path, create=True, seeders=[fails])
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00", b"hello, this is a diary\n" * 400, b"PK\x03\x04" + b"\x00" * 9000, b"\x00" * 8192, b"SQLite format"],
    ids=["zero bytes", "one byte", "text", "zip", "zeros", "part of the magic"],
)
def test_a_foreign_file_is_never_touched(content: bytes, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert isinstance(refused(path), NotAMind)


def test_a_foreign_database_is_never_touched(path: Path) -> None:
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE meta (key, value); INSERT INTO meta VALUES ('schema_version', '1')")
    connection.close()
    assert isinstance(refused(path), NotAMind)


def test_an_installation_file_is_not_a_mind(path: Path) -> None:
    make(path, kind=SchemaKind.INSTALL)
    assert isinstance(refused(path), NotAMind)
    Database.open(path, kind=SchemaKind.INSTALL).close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE meta SET value = '2' WHERE key = 'schema_version'",
        "UPDATE meta SET value = '999' WHERE key = 'schema_version'; ALTER TABLE meta ADD COLUMN more",
        "PRAGMA user_version = 2",
        "DROP TABLE ai_log_counters; PRAGMA user_version = 2",
    ],
)
def test_a_newer_mind_is_left_as_it_is(change: str, path: Path) -> None:
    make(path, change)
    assert isinstance(refused(path), MindNewer)


def test_a_newer_mind_that_crashed_keeps_its_wal(path: Path, tmp_path: Path) -> None:
    make(path)
    newer = apsw.Connection(str(path))
    newer.execute("UPDATE meta SET value = '2' WHERE key = 'schema_version'")
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for name in ("test.mind", "test.mind-wal"):
        shutil.copy(path.with_name(name), crashed / name)
    newer.close()
    before = snapshot(crashed)
    for create in (False, True):
        with pytest.raises(MindNewer):
            Database.open(crashed / "test.mind", create=create)
    after = snapshot(crashed)
    after.pop("test.mind-shm", None)  # the index of the -wal, made anew by whoever opens
    assert after == before


def overwrite_magic(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\x00" * 16)


def truncate(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def truncate_to_header(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(60)


def truncate_to_first_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(4096)


def garble_schema(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(100)
        file.write(os.urandom(3900))


def garble_page_size(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(16)
        file.write(b"\xff\xff\xff\xff")


def zero_the_second_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x00" * 4096)


@pytest.mark.parametrize(
    "damage",
    [
        overwrite_magic,
        truncate,
        truncate_to_header,
        truncate_to_first_page,
        garble_schema,
        garble_page_size,
        zero_the_second_page,
    ],
)
def test_a_damaged_mind_is_left_as_it_is(damage: Callable[[Path], None], path: Path) -> None:
    make(path)
    damage(path)
    assert isinstance(refused(path), MindCorrupt)


@pytest.mark.parametrize(
    "change",
    [
        "DROP TRIGGER ai_interactions_no_delete",
        "DROP TABLE memory_frames_fts",
        "DELETE FROM meta WHERE key = 'schema_version'",
        "UPDATE meta SET value = 'one'",
        "DROP TABLE meta",
    ],
)
def test_a_changed_mind_is_damaged(change: str, path: Path) -> None:
    make(path, change)
    assert isinstance(refused(path), MindCorrupt)


@POSIX
def test_links_are_refused(path: Path) -> None:
    make(path)
    link = path.with_name("link.mind")
    link.symlink_to(path)
    assert isinstance(refused(link), NotAMind)
    link.unlink()
    link.symlink_to(path.with_name("nowhere.mind"))
    assert isinstance(refused(link), NotAMind)
    link.unlink()
    link.hardlink_to(path)
    assert isinstance(refused(link), NotAMind)
    assert isinstance(refused(path), NotAMind)
    link.unlink()
    Database.open(path).close()


@POSIX
def test_a_link_in_the_folder_part_is_fine(path: Path, tmp_path: Path) -> None:
    make(path)
    (tmp_path / "other").symlink_to(path.parent)
    Database.open(tmp_path / "other" / path.name).close()


@POSIX
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.mind").mkdir()
    os.mkfifo(tmp_path / "pipe.mind")
    for name in ("folder.mind", "pipe.mind"):
        with pytest.raises(NotAMind):
            Database.open(tmp_path / name, create=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFault):
        Database.open(tmp_path / "file" / "x.mind", create=True)


def test_a_mind_that_another_program_keeps_for_itself(
    path: Path, second_process: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(path)
    monkeypatch.setattr("hivemind.storage.connections.PATIENCE_SECONDS", 0.5)
    other = second_process("seize", path)
    assert other.stdout is not None
    other.stdout.readline()
    with pytest.raises(MindBusy):
        Database.open(path)
    other.kill()
    other.wait()
    Database.open(path).close()


def test_opening_does_not_read_the_whole_file(path: Path) -> None:
    """A damaged page deep inside is for the full check; opening stays fast on big files."""
    database = Database.open(path, create=True)
    database.submit_write(lambda c: fill(c, 3000)).result()
    database.close()
    with path.open("r+b") as file:
        file.seek(path.stat().st_size - 4096)
        file.write(b"\x00" * 4096)
    Database.open(path).close()


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that every account of this computer can reach."""
    folder = Path(tempfile.mkdtemp(prefix="hive-mind-public-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@POSIX
def test_read_only_places(public_folder: Path, second_process: Start) -> None:
    path = public_folder / "test.mind"
    path.parent.chmod(0o555)
    assert said(second_process("open_as_nobody", path, "create"))["fault"] == ReadOnlyPlace.code
    assert snapshot(public_folder) == {}
    path.parent.chmod(0o755)
    make(path)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    before = snapshot(public_folder)
    assert said(second_process("open_as_nobody", path))["fault"] == ReadOnlyPlace.code
    path.parent.chmod(0o777)
    assert said(second_process("open_as_nobody", path))["fault"] == ReadOnlyPlace.code
    path.chmod(0o000)
    assert said(second_process("open_as_nobody", path))["fault"] == ReadOnlyPlace.code
    path.chmod(0o600)
    assert snapshot(public_folder) == before


def said(process: object) -> dict[str, str]:
    import json
    import subprocess

    assert isinstance(process, subprocess.Popen)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    line: dict[str, str] = json.loads(out.splitlines()[-1])
    return line


def test_names_that_are_patterns_or_odd(tmp_path: Path) -> None:
    for name in ("[a]*?.mind", "100%.mind", "uri?mode=ro&x=#.mind", "Müller 用户.mind", "-rf.mind"):
        path = tmp_path / name
        Database.open(path, create=True).close()
        Database.open(path).close()
        assert path.is_file()
