"""New files get their name only when finished; looking at a file does not disturb who has it open."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hivemind.errors import FileInTheWay, NotAMind
from hivemind.storage import Connection, Database, SchemaKind, Seeder, files


def test_place_refuses_an_existing_name(tmp_path: Path) -> None:
    target = tmp_path / "a.mind"
    target.write_text("old")
    new = files.new_file_beside(target)
    with pytest.raises(FileInTheWay):
        files.place(new, target)
    assert target.read_text() == "old"


def test_place_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    target = tmp_path / "a.mind"
    files.place(files.new_file_beside(target), target)
    assert [one.name for one in tmp_path.iterdir()] == ["a.mind"]
    with pytest.raises(FileInTheWay):
        files.place(files.new_file_beside(target), target)


@pytest.mark.skipif(sys.platform == "win32", reason="no hard links are used there")
def test_a_crash_while_placing_is_finished_at_the_next_opening(path: Path) -> None:
    Database.open(path, create=True).close()
    path.with_name(f".{path.name}.new-0123456789abcdef").hardlink_to(path)
    Database.open(path).close()
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_two_creators_at_once_agree_on_one_mind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = files.place

    def sign(name: str) -> Seeder:
        def seed(connection: Connection) -> None:
            connection.execute("INSERT INTO meta VALUES ('who', ?)", (name,))

        return seed

    def after_another(finished: Path, target: Path) -> None:
        monkeypatch.setattr(files, "place", place)
        Database.open(path, create=True, seeders=[sign("other")]).close()
        place(finished, target)

    monkeypatch.setattr(files, "place", after_another)
    database = Database.open(path, create=True, seeders=[sign("me")])
    assert database.submit_read(lambda c: c.execute("SELECT value FROM meta WHERE key = 'who'").get).result() == "other"
    database.close()
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_header_and_digest_of_a_file(path: Path) -> None:
    import hashlib

    Database.open(path, create=True).close()
    header = files.read_header(path, SchemaKind.MIND)
    assert (header.application_id, header.user_version) == (SchemaKind.MIND.application_id, 1)
    data = path.read_bytes()
    assert files.sha256_of(path) == (len(data), hashlib.sha256(data).hexdigest())
    assert files.read_bytes(path, len(data) - 5, 100) == data[-5:]
    assert files.read_bytes(path, len(data) + 5, 100) == b""
    with pytest.raises(NotAMind):
        files.read_header(path, SchemaKind.INSTALL)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the kernel's list of locks")
def test_looking_does_not_drop_the_locks_of_an_open_database(database: Database) -> None:
    """Closing an ordinary descriptor would drop every lock that this process holds on the file."""

    def locks() -> list[str]:
        mark = f":{database.path.stat().st_ino} "
        return [line.split(":", 1)[1] for line in Path("/proc/locks").read_text().splitlines() if mark in line]

    before = locks()
    assert before
    files.read_header(database.path, SchemaKind.MIND)
    files.sha256_of(database.path)
    assert locks() == before
    database.path.open("rb").close()
    assert locks() == [], "this kernel does not show the trap, so the test above proves nothing"
