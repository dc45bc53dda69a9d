"""The full check sees each kind of damage and says it in words; rebuilding the word index mends it."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from tests.core.storage.conftest import fill

from hivemind.storage import Connection, Database
from hivemind.storage.integrity import check, rebuild_text_index


@pytest.fixture
def filled(database: Database) -> Database:
    def work(connection: Connection) -> None:
        ids = fill(connection, 20)
        connection.execute("INSERT INTO speakers VALUES (1, 'Nada Čolić', 'person')")
        connection.execute(
            "UPDATE memory_frames SET speaker_id = 1, captions = 'a map of the harbour' WHERE id = ?", (ids[3],)
        )
        connection.execute("INSERT INTO frame_notes (frame_id, summary, tags) VALUES (?, 'trip', 'sea')", (ids[4],))
        connection.execute(
            "INSERT INTO memory_frames_cjk (rowid, content, bigrams) VALUES (?, '用户', '用户 ')", (ids[5],)
        )
        connection.execute(
            "INSERT INTO memory_frames (frame_type, gop_id, t, base_frame_id, patch_kind, patch_target_id, content, "
            "uuid, content_hash, norm_hash) VALUES ('P', 'gop-0', 99, ?, 'retract', ?, '', 'r', zeroblob(16), "
            "zeroblob(8))",
            (ids[0], ids[6]),
        )

    database.submit_write(work).result()
    return database


def problems(database: Database) -> list[str]:
    return database.submit_read(check).result()


def words(database: Database) -> list[object]:
    return database.submit_read(
        lambda c: [
            c.execute("SELECT rowid, content FROM memory_frames_fts ORDER BY rowid").fetchall(),
            c.execute("SELECT rowid, content, summary, tags FROM semantic_fts").fetchall(),
            c.execute("SELECT rowid FROM memory_frames_fts WHERE memory_frames_fts MATCH 'nada harbour'").fetchall(),
            c.execute("SELECT rowid FROM memory_frames_cjk WHERE memory_frames_cjk MATCH '\"用户 \"'").fetchall(),
        ]
    ).result()


def test_a_sound_mind_has_no_problems(filled: Database) -> None:
    assert problems(filled) == []
    assert filled.submit_write(check).result() == []
    assert words(filled)[2] == [(4,)]


def test_rebuilding_gives_what_the_triggers_wrote(filled: Database) -> None:
    before = words(filled)
    structure = filled.submit_read(lambda c: set(c.execute("SELECT name, sql FROM sqlite_schema"))).result()
    assert filled.submit_write(rebuild_text_index).result() == 20
    assert words(filled) == before
    assert filled.submit_read(lambda c: set(c.execute("SELECT name, sql FROM sqlite_schema"))).result() == structure
    assert problems(filled) == []
    filled.close()
    Database.open(filled.path).close()


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("DELETE FROM memory_frames_fts WHERE rowid = 3", "1 memories are missing from the word index"),
        ("INSERT INTO memory_frames_fts (rowid, content) VALUES (999, 'ghost')", "1 entries of the word index belong"),
        ("UPDATE memory_frames_fts SET content = 'other' WHERE rowid IN (1, 2)", "2 entries of the word index differ"),
        ("INSERT INTO memory_frames_cjk (rowid, content) VALUES (999, '鬼')", "1 entries of the index for scripts"),
        ("DELETE FROM semantic_fts", "1 notes and entries"),
    ],
)
def test_a_word_index_that_differs_is_seen_and_mended(damage: str, says: str, filled: Database) -> None:
    before = words(filled)
    filled.submit_write(lambda c: c.execute(damage)).result()
    found = problems(filled)
    assert any(line.startswith(says) for line in found), found
    filled.submit_write(rebuild_text_index).result()
    assert problems(filled) == []
    assert words(filled) == before


def outside(path: Path, *statements: str) -> None:
    connection = apsw.Connection(str(path))
    for one in statements:
        connection.execute(one)
    connection.close()


def test_a_damaged_word_index_is_seen_and_mended(filled: Database) -> None:
    filled.close()
    outside(filled.path, "UPDATE memory_frames_fts_content SET c0 = 'something else entirely'")
    database = Database.open(filled.path)
    assert any("memory_frames_fts" in line for line in problems(database))
    database.submit_write(rebuild_text_index).result()
    assert problems(database) == []
    database.close()
    outside(filled.path, "DELETE FROM memory_frames_fts_data")
    database = Database.open(filled.path)
    assert problems(database) != []
    database.submit_write(rebuild_text_index).result()
    assert problems(database) == []
    database.close()


def test_dangling_references_are_counted(filled: Database) -> None:
    filled.close()
    outside(
        filled.path,
        "PRAGMA foreign_keys = 0",
        "UPDATE memory_frames SET speaker_id = 77 WHERE id IN (7, 8)",
        "INSERT INTO accesses (frame_id, at, kind) VALUES (12345, '', 'open')",
    )
    database = Database.open(filled.path)
    found = problems(database)
    database.close()
    assert "2 rows of memory_frames refer to rows of speakers that are not there" in found
    assert "1 rows of accesses refer to rows of memory_frames that are not there" in found


def test_a_damaged_page_is_seen(filled: Database) -> None:
    filled.submit_write(lambda c: fill(c, 2000)).result()
    filled.close()
    with filled.path.open("r+b") as file:
        file.seek(filled.path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xa5" * 4096)
    database = Database.open(filled.path)
    assert any(line.startswith("The file is damaged: ") for line in problems(database))
    database.close()
