"""Backups of a living mind, verified copies, and putting one back under readers that keep working."""

from __future__ import annotations

import hashlib
import shutil
import threading
import time
from pathlib import Path

import apsw
import pytest
from tests.core.storage.conftest import fill
from tests.core.storage.test_opening import snapshot

from hivemind.clock import system_clock
from hivemind.errors import (
    BackupFailed,
    FileInTheWay,
    MindCorrupt,
    MindMissing,
    MindNewer,
    NotAMind,
    ReadOnlyPlace,
    StorageFault,
)
from hivemind.storage import Connection, Database, Priority, SchemaKind, schema
from hivemind.storage.backup import backup, restore_into, verify_backup
from hivemind.storage.integrity import check
from hivemind.storage.migrations import Migration


def count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM memory_frames").get)


def test_a_backup_is_one_whole_file(database: Database, tmp_path: Path) -> None:
    database.submit_write(lambda c: fill(c, 30)).result()
    target = tmp_path / "copy.mind"
    facts = backup(database.path, target)
    data = target.read_bytes()
    uuid = database.submit_read(lambda c: c.execute("SELECT value FROM meta WHERE key = 'mind_uuid'").get).result()
    assert (facts.path, facts.bytes, facts.sha256) == (target, len(data), hashlib.sha256(data).hexdigest())
    assert (facts.frames, facts.sessions, facts.messages, facts.schema, facts.uuid) == (30, 1, 0, 1, uuid)
    assert facts.newest is not None
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(one.name for one in tmp_path.iterdir()) == ["copy.mind", "minds"]
    assert verify_backup(target) == facts
    opened = Database.open(target)
    assert opened.submit_read(count).result() == 30
    opened.close()


def test_a_backup_from_a_reader(database: Database, tmp_path: Path) -> None:
    database.submit_write(lambda c: fill(c, 5)).result()
    facts = database.submit_read(lambda c: backup(c, tmp_path / "copy.mind")).result()
    assert facts.frames == 5


def test_a_backup_under_constant_writing_is_one_moment(database: Database, tmp_path: Path) -> None:
    """Each write adds a session and its 20 frames; a copy of two moments would hold other numbers."""
    database.submit_write(lambda c: fill(c, 3000)).result()
    stop = threading.Event()

    def keep_writing() -> None:
        while not stop.is_set():
            database.submit_write(lambda c: fill(c, 20), Priority.IMPORT).result()

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        all_facts = []
        for number in range(3):
            time.sleep(0.05)
            all_facts.append(backup(database.path, tmp_path / f"copy {number}.mind"))
    finally:
        stop.set()
        writer.join()
    for facts in all_facts:
        assert facts.frames == 3000 + 20 * (facts.sessions - 1)
        copy = Database.open(facts.path)
        assert copy.submit_read(check).result() == []
        copy.close()
    assert all_facts[0].frames < all_facts[-1].frames


def test_an_existing_target_is_refused(database: Database, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("there", "dangling"):
        with pytest.raises(FileInTheWay):
            backup(database.path, tmp_path / name)
    assert (tmp_path / "there").read_text() == "mine"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["dangling", "minds", "there"]


def test_a_target_that_appears_meanwhile_is_refused(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hivemind.storage import files

    place = files.place

    def late(finished: Path, target: Path) -> None:
        target.write_text("mine")
        place(finished, target)

    monkeypatch.setattr(files, "place", late)
    with pytest.raises(FileInTheWay):
        backup(database.path, tmp_path / "copy.mind")
    assert (tmp_path / "copy.mind").read_text() == "mine"


def test_a_damaged_source_gives_no_backup(database: Database, tmp_path: Path) -> None:
    database.submit_write(lambda c: fill(c, 2000)).result()
    database.close()
    with database.path.open("r+b") as file:
        file.seek(database.path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xa5" * 8192)
    with pytest.raises(MindCorrupt):
        backup(database.path, tmp_path / "copy.mind")
    assert [one.name for one in tmp_path.iterdir()] == ["minds"]


def test_sources_and_targets_that_cannot_be(database: Database, tmp_path: Path) -> None:
    with pytest.raises(MindMissing):
        backup(tmp_path / "none.mind", tmp_path / "a")
    (tmp_path / "text").write_text("hello" * 100)
    with pytest.raises(NotAMind):
        backup(tmp_path / "text", tmp_path / "a")
    with pytest.raises(StorageFault):
        backup(database.path, tmp_path / "no such folder" / "a")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["minds", "text"]


def test_a_fault_of_ours_becomes_a_failed_backup(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise apsw.SQLError("no such column")

    monkeypatch.setattr("hivemind.storage.backup.verify_backup", broken)
    with pytest.raises(BackupFailed):
        backup(database.path, tmp_path / "copy.mind")
    monkeypatch.setattr("hivemind.storage.files.sync_file", lambda _: (_ for _ in ()).throw(PermissionError(13, "no")))
    monkeypatch.setattr("hivemind.storage.backup.verify_backup", verify_backup)
    with pytest.raises(ReadOnlyPlace):
        backup(database.path, tmp_path / "copy.mind")
    assert [one.name for one in tmp_path.iterdir()] == ["minds"]


def test_verifying_changes_nothing_and_sees_damage(database: Database, tmp_path: Path) -> None:
    database.submit_write(lambda c: fill(c, 500)).result()
    target = tmp_path / "kept" / "copy.mind"
    target.parent.mkdir()
    backup(database.path, target)
    before = snapshot(target.parent)
    verify_backup(target)
    assert snapshot(target.parent) == before
    good = target.read_bytes()
    for start in (0, 4096 * 3, len(good) // 2):
        target.write_bytes(good[:start] + b"\x5a" * 4096 + good[start + 4096 :])
        with pytest.raises((MindCorrupt, NotAMind)):
            verify_backup(target)
    target.write_bytes(good[: len(good) // 2])
    with pytest.raises(MindCorrupt):
        verify_backup(target)


def test_restore_puts_back_what_was(database: Database, tmp_path: Path) -> None:
    database.submit_write(lambda c: fill(c, 40)).result()
    facts = backup(database.path, tmp_path / "copy.mind")
    database.submit_write(lambda c: fill(c, 60)).result()
    database.submit_write(lambda c: c.execute("DELETE FROM memory_frames WHERE patch_kind IS NOT NULL")).result()
    assert restore_into(database, facts.path) == facts
    assert database.submit_read(count).result() == 40
    found = "SELECT count(*) FROM memory_frames_fts WHERE memory_frames_fts MATCH 'ferry'"
    assert database.submit_read(lambda c: c.execute(found).get).result() == 40
    database.submit_write(lambda c: fill(c, 3)).result()
    assert database.submit_read(check).result() == []
    assert facts.path.read_bytes()[:16] == b"SQLite format 3\x00"
    assert verify_backup(facts.path) == facts


def test_restore_keeps_readers_working(database: Database, tmp_path: Path) -> None:
    """A read that began before sees the old state to its end; reads meanwhile see one state or the other."""
    database.submit_write(lambda c: fill(c, 2000)).result()
    facts = backup(database.path, tmp_path / "copy.mind")
    database.submit_write(lambda c: fill(c, 500)).result()
    begun, go_on, stop = threading.Event(), threading.Event(), threading.Event()

    def slow(connection: Connection) -> tuple[int, int]:
        first = count(connection)
        begun.set()
        assert go_on.wait(20)
        return first, count(connection)

    seen: list[int] = []

    def keep_reading() -> None:
        while not stop.is_set():
            seen.append(database.submit_read(count).result())

    old = database.submit_read(slow)
    assert begun.wait(10)
    reader = threading.Thread(target=keep_reading)
    reader.start()
    try:
        restore_into(database, facts.path)
    finally:
        stop.set()
        reader.join()
        go_on.set()
    assert old.result(20) == (2500, 2500)
    assert set(seen) <= {2500, 2000}
    assert database.submit_read(count).result() == 2000


def test_restore_is_seen_by_another_database_on_the_same_file(database: Database, tmp_path: Path) -> None:
    database.submit_write(lambda c: fill(c, 10)).result()
    facts = backup(database.path, tmp_path / "copy.mind")
    other = Database.open(database.path)
    other.submit_write(lambda c: fill(c, 10)).result()
    restore_into(database, facts.path)
    assert other.submit_read(count).result() == 10
    other.submit_write(lambda c: fill(c, 5)).result()
    assert database.submit_read(count).result() == 15
    assert database.submit_read(check).result() == []
    other.close()


def test_a_bad_backup_changes_nothing(database: Database, tmp_path: Path) -> None:
    database.submit_write(lambda c: fill(c, 10)).result()
    good = backup(database.path, tmp_path / "copy.mind").path
    newer = apsw.Connection(str(shutil.copy(good, tmp_path / "newer.mind")))
    newer.execute("UPDATE meta SET value = '9' WHERE key = 'schema_version'")
    newer.close()
    half = tmp_path / "half.mind"
    half.write_bytes(good.read_bytes()[:200_000])
    text = tmp_path / "text.mind"
    text.write_text("not a mind at all")
    for path, wanted in (
        (tmp_path / "newer.mind", MindNewer),
        (half, MindCorrupt),
        (text, NotAMind),
        (tmp_path / "none.mind", MindMissing),
    ):
        with pytest.raises(wanted):
            restore_into(database, path)
    database.submit_write(lambda c: fill(c, 2)).result()
    assert database.submit_read(count).result() == 12


def test_an_older_backup_is_migrated_as_a_copy(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.submit_write(lambda c: fill(c, 10)).result()
    facts = backup(database.path, tmp_path / "old.mind")
    before = facts.path.read_bytes()
    step = Migration(2, "More", {SchemaKind.MIND: lambda c: c.execute("CREATE TABLE more (a)") and None})
    monkeypatch.setattr(schema, "SCHEMA_VERSION", 2)
    monkeypatch.setattr("hivemind.storage.migrations.MIGRATIONS", (step,))
    restore_into(database, facts.path, clock=system_clock)
    assert facts.path.read_bytes() == before
    assert database.submit_read(lambda c: c.execute("SELECT count(*) FROM more").get).result() == 0
    assert database.submit_read(lambda c: c.pragma("user_version")).result() == 2
    assert [one.name for one in database.path.parent.iterdir() if ".new-" in one.name] == []


def test_the_installation_file_too(tmp_path: Path) -> None:
    kind = SchemaKind.INSTALL
    database = Database.open(tmp_path / "install.db", create=True, kind=kind)
    facts = backup(database.path, tmp_path / "copy.db", kind=kind)
    assert facts.uuid
    with pytest.raises(NotAMind):
        restore_into(database, backup_of_mind(tmp_path))
    restore_into(database, facts.path)
    database.close()


def backup_of_mind(folder: Path) -> Path:
    Database.open(folder / "a.mind", create=True).close()
    return backup(folder / "a.mind", folder / "b.mind").path
