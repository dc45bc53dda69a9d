"""A fresh file: schema, facts and first log entry in one transaction under another name, then put in place."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import apsw

from hivemind.clock import Clock, stamp
from hivemind.errors import FileInTheWay
from hivemind.storage import files, schema
from hivemind.storage.connections import connected
from hivemind.storage.schema import SchemaKind, create_vector_table
from hivemind.storage.vectors import load_vectors

#: Writes first facts inside the transaction that creates the file.
Seeder = Callable[[apsw.Connection], None]


def create_file(path: Path, kind: SchemaKind, seeders: Sequence[Seeder], clock: Clock) -> None:
    """Make a fresh file at a free path, readable by its owner only, in a folder made 0700 if it is not there.

    The file appears under its name only when it is whole and on the disk. If another process made one at the same
    moment, that one stays and ours is dropped. Raises apsw errors, OSError and whatever a seeder raises.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = files.new_file_beside(path)
    try:
        with connected(unfinished) as connection:
            # Until it has its name nobody opens it, so one flush at the end is enough.
            connection.pragma("synchronous", "OFF")
            connection.pragma("journal_mode", "memory")
            _fill(connection, kind, seeders, clock)
            connection.pragma("journal_mode", "wal")
        files.sync_file(unfinished)
        with suppress(FileInTheWay):
            files.place(unfinished, path)
    finally:
        files.discard(unfinished)


def _fill(connection: apsw.Connection, kind: SchemaKind, seeders: Sequence[Seeder], clock: Clock) -> None:
    vectors = kind is SchemaKind.MIND and load_vectors(connection).loaded
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(kind.script)
    if vectors:
        create_vector_table(connection)
    stamp_version(connection, schema.SCHEMA_VERSION)
    connection.pragma("application_id", kind.application_id)
    connection.execute(
        "INSERT INTO meta (key, value) VALUES ('first_run_at', ?), (?, ?)",
        (stamp(clock()), kind.uuid_key, str(uuid.uuid4())),
    )
    for seeder in seeders:
        seeder(connection)
    connection.execute("COMMIT")


def stamp_version(connection: apsw.Connection, version: int) -> None:
    """Write the schema's number where SQL finds it and where the bare header shows it."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES ('schema_version', ?) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (str(version),),
    )
    connection.pragma("user_version", version)
