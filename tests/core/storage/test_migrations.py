"""An older file: backup first, one step at a time, each with its record; a failing step loses nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest
from tests.core.storage.conftest import fill

from hivemind.errors import BackupFailed, DiskFull, MindCorrupt
from hivemind.storage import Connection, Database, SchemaKind, schema
from hivemind.storage.backup import verify_backup
from hivemind.storage.migrations import MIGRATIONS, Migration, migrate
from hivemind.storage.schema import expected_objects

MOMENT = datetime(2026, 12, 1, 8, 30, tzinfo=UTC)
SECOND = "CREATE TABLE harvest_notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL);"
THIRD = "CREATE INDEX harvest_notes_body ON harvest_notes (body);"


def step(script: str) -> dict[SchemaKind, object]:
    return {SchemaKind.MIND: lambda connection: connection.execute(script) and None}


class Future:
    """A program of a later version: two more migrations, and the schema script that goes with them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._script = SchemaKind.MIND.script

    def arrive(self, *migrations: Migration) -> None:
        added = migrations or (Migration(2, "Notes", step(SECOND)), Migration(3, "Faster notes", step(THIRD)))
        script = self._script + SECOND + THIRD
        self._patch.setattr(schema, "SCHEMA_VERSION", 1 + len(added))
        self._patch.setattr("hivemind.storage.migrations.MIGRATIONS", MIGRATIONS + added)
        self._patch.setattr(SchemaKind, "script", property(lambda _: script))
        expected_objects.cache_clear()


@pytest.fixture
def future(monkeypatch: pytest.MonkeyPatch) -> Future:
    monkeypatch.setattr(schema, "expected_objects", expected_objects)
    yield Future(monkeypatch)  # type: ignore[misc]
    monkeypatch.undo()
    expected_objects.cache_clear()


@pytest.fixture
def old(path: Path) -> Path:
    database = Database.open(path, create=True)
    database.submit_write(lambda c: fill(c, 25)).result()
    database.close()
    return path


def facts(database: Database) -> dict[str, str]:
    return database.submit_read(lambda c: dict(c.execute("SELECT key, value FROM meta"))).result()  # type: ignore[return-value]


def test_an_older_mind_is_backed_up_and_migrated(old: Path, future: Future, tmp_path: Path) -> None:
    future.arrive()
    backups = tmp_path / "backups"
    database = Database.open(old, backups=backups, clock=lambda: MOMENT)
    meta = facts(database)
    assert meta["schema_version"] == "3"
    assert meta["migrated_0002"] == meta["migrated_0003"] == "2026-12-01T08:30:00.000Z"
    assert database.submit_read(lambda c: c.pragma("user_version")).result() == 3
    assert database.submit_read(lambda c: c.execute("SELECT count(*) FROM memory_frames").get).result() == 25
    database.close()
    (kept,) = backups.iterdir()
    assert kept.name == "test.schema-1.2026-12-01T083000000Z.mind"
    assert (verify_backup(kept).schema, verify_backup(kept).frames) == (1, 25)


def test_opening_again_does_nothing_more(old: Path, future: Future) -> None:
    future.arrive()
    Database.open(old).close()
    names, data = sorted(one.name for one in old.parent.iterdir()), old.read_bytes()
    Database.open(old).close()
    assert sorted(one.name for one in old.parent.iterdir()) == names
    assert old.read_bytes() == data
    assert len(names) == 2


def test_a_failing_step_stays_at_the_one_before_and_goes_on_later(old: Path, future: Future, tmp_path: Path) -> None:
    def breaks(connection: Connection) -> None:
        connection.execute(THIRD)
        raise apsw.FullError

    future.arrive(Migration(2, "Notes", step(SECOND)), Migration(3, "Breaks", {SchemaKind.MIND: breaks}))
    with pytest.raises(DiskFull):
        Database.open(old, backups=tmp_path / "one")
    raw = apsw.Connection(str(old))
    assert raw.execute("SELECT value FROM meta WHERE key = 'schema_version'").get == "2"
    assert raw.pragma("user_version") == 2
    assert raw.execute("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'harvest_notes%'").get == 1
    raw.close()
    future.arrive()
    database = Database.open(old, backups=tmp_path / "two")
    assert facts(database)["schema_version"] == "3"
    database.close()
    assert [one.name.split(".")[1] for one in (tmp_path / "two").iterdir()] == ["schema-2"]


def test_a_step_that_leaves_dangling_references_does_not_commit(old: Path, future: Future, tmp_path: Path) -> None:
    future.arrive(
        Migration(2, "Drops what others need", step("DELETE FROM memory_frames WHERE frame_type = 'I'")),
    )
    with pytest.raises(MindCorrupt):
        Database.open(old, backups=tmp_path / "b")
    raw = apsw.Connection(str(old))
    assert raw.execute("SELECT count(*) FROM memory_frames").get == 25
    raw.close()


def test_without_a_backup_nothing_is_migrated(old: Path, future: Future, monkeypatch: pytest.MonkeyPatch) -> None:
    future.arrive()

    def refuses(*_: object, **__: object) -> None:
        raise BackupFailed

    monkeypatch.setattr("hivemind.storage.opening.backup", refuses)
    before = old.read_bytes()
    with pytest.raises(BackupFailed):
        Database.open(old)
    assert old.read_bytes() == before


def test_a_fresh_file_of_the_future_needs_no_migration(path: Path, future: Future) -> None:
    future.arrive()
    database = Database.open(path, create=True)
    assert facts(database)["schema_version"] == "3"
    assert "migrated_0002" not in facts(database)
    database.close()


def test_a_kind_without_a_step_takes_the_number(tmp_path: Path, future: Future) -> None:
    path = tmp_path / "install.db"
    Database.open(path, create=True, kind=SchemaKind.INSTALL).close()
    future.arrive()
    migrate(path, SchemaKind.INSTALL, lambda: MOMENT)
    raw = apsw.Connection(str(path))
    assert raw.pragma("user_version") == 3
    assert raw.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'harvest_notes'").get == 0
    raw.close()
