"""Is everything in the file what it should be: pages, references, and the word index against the frames."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from hivemind.storage.schema import SchemaKind, expected_objects

_LIMIT = 100
_DAMAGED = "The file is damaged: {}"

#: What the triggers of `schema.sql` write for a frame; proved equal by a test.
INDEXED_TEXT = (
    "coalesce((SELECT name FROM speakers WHERE id = frame.speaker_id) || ': ', '') || frame.content "
    "|| coalesce(' [' || frame.captions || ']', '')"
)
_INDEXED = "frame.frame_type <> 'B' AND coalesce(frame.patch_kind, '') <> 'retract'"

#: What should be empty, and what it means when it is not ({} is the number of rows).
_QUESTIONS: tuple[tuple[str, str], ...] = (
    (
        f"SELECT frame.id FROM memory_frames AS frame WHERE {_INDEXED} "  # noqa: S608
        "AND frame.id NOT IN (SELECT rowid FROM memory_frames_fts)",
        "{} memories are missing from the word index",
    ),
    (
        "SELECT rowid FROM memory_frames_fts WHERE rowid NOT IN "  # noqa: S608
        f"(SELECT frame.id FROM memory_frames AS frame WHERE {_INDEXED})",
        "{} entries of the word index belong to no memory",
    ),
    (
        "SELECT frame.id FROM memory_frames AS frame JOIN memory_frames_fts AS words ON words.rowid = frame.id "  # noqa: S608
        f"WHERE words.content <> {INDEXED_TEXT}",
        "{} entries of the word index differ from their memory",
    ),
    (
        "SELECT rowid FROM memory_frames_cjk WHERE rowid NOT IN "  # noqa: S608
        f"(SELECT frame.id FROM memory_frames AS frame WHERE {_INDEXED})",
        "{} entries of the index for scripts without spaces belong to no memory",
    ),
    (
        "SELECT frame_id FROM frame_notes WHERE frame_id NOT IN (SELECT rowid FROM semantic_fts) "
        "UNION ALL SELECT rowid FROM semantic_fts WHERE rowid NOT IN (SELECT frame_id FROM frame_notes)",
        "{} notes and entries of their word index do not belong together",
    ),
)

_WORD_TABLES = ("memory_frames_fts", "semantic_fts")
_REFILL = (
    f"INSERT INTO memory_frames_fts (rowid, content) SELECT frame.id, {INDEXED_TEXT} "  # noqa: S608
    f"FROM memory_frames AS frame WHERE {_INDEXED} ORDER BY frame.id",
    "INSERT INTO semantic_fts (rowid, content, summary, tags) "
    "SELECT note.frame_id, frame.content, note.summary, note.tags FROM frame_notes AS note "
    "JOIN memory_frames AS frame ON frame.id = note.frame_id ORDER BY note.frame_id",
)


def check(connection: apsw.Connection) -> list[str]:
    """Everything that is wrong, one line each; empty when all is well. Reads the whole file (seconds per 100 MB).

    SQLite's integrity check includes the FTS tables' own. Works on reader connections and writes nothing.
    """
    found: list[str] = []
    for part in (_pages, _references, _word_index):
        try:
            found.extend(part(connection))
        except apsw.CorruptError:
            # Some damage stops SQLite's own checks, too; the other parts may still have something to say.
            found.append(_DAMAGED.format("a part of it cannot be read"))
    return list(dict.fromkeys(found))


def rebuild_text_index(connection: apsw.Connection) -> int:
    """Make the word indexes anew from the frames, inside the caller's write. Returns the number of entries.

    The index for scripts without spaces is written by the frame store; here only what its table holds is indexed
    anew and what belongs to no frame is dropped.
    """
    scripts = {name: sql for _, name, _, sql in expected_objects(SchemaKind.MIND)}
    for name in _WORD_TABLES:
        # A damaged index may refuse to delete its rows; dropping asks it nothing.
        connection.execute(f'DROP TABLE IF EXISTS "{name}"')
        connection.execute(scripts[name] or "")
    for statement in _REFILL:
        connection.execute(statement)
    connection.execute("INSERT INTO memory_frames_cjk (memory_frames_cjk) VALUES ('rebuild')")
    connection.execute(
        f"DELETE FROM memory_frames_cjk WHERE rowid NOT IN "  # noqa: S608
        f"(SELECT frame.id FROM memory_frames AS frame WHERE {_INDEXED})"
    )
    set_secure_delete(connection, on=True)
    return int(connection.execute("SELECT count(*) FROM memory_frames_fts").get)


def set_secure_delete(connection: apsw.Connection, *, on: bool) -> None:
    """Whether a word leaves the index at once when its frame goes (slower), for all word tables."""
    for name in (*_WORD_TABLES, "memory_frames_cjk"):
        connection.execute(
            f"INSERT INTO {name} ({name}, rank) VALUES ('secure-delete', ?)",  # noqa: S608
            (int(on),),
        )


def _pages(connection: apsw.Connection) -> Iterator[str]:
    for name in (*_WORD_TABLES, "memory_frames_cjk"):
        # FTS5 keeps what it knew of its segments from an earlier query, and only opening a cursor makes it look
        # whether another connection has written since. Its own integrity check does not look: without this it
        # takes a segment that was merged away for damage.
        connection.execute(f"SELECT rowid FROM {name} LIMIT 1").fetchall()  # noqa: S608
    for (line,) in connection.execute(f"PRAGMA integrity_check({_LIMIT})"):
        if line != "ok":
            yield _DAMAGED.format(line)


def _references(connection: apsw.Connection) -> Iterator[str]:
    found: dict[tuple[object, object], int] = {}
    for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        found[table, parent] = found.get((table, parent), 0) + 1
    for (table, parent), count in sorted(found.items(), key=str):
        yield f"{count} rows of {table} refer to rows of {parent} that are not there"


def _word_index(connection: apsw.Connection) -> Iterator[str]:
    for question, words in _QUESTIONS:
        count = connection.execute(f"SELECT count(*) FROM ({question})").get  # noqa: S608
        if count:
            yield words.format(count)
