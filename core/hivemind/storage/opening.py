"""From a path to a file that may be opened: made, refused, migrated or left exactly as it was."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import apsw

from hivemind.clock import Clock, stamp
from hivemind.errors import MindCorrupt, MindMissing, MindNewer, ReadOnlyPlace, StorageFault
from hivemind.storage import files, migrations, schema
from hivemind.storage.backup import backup
from hivemind.storage.connections import connected, examining, patiently
from hivemind.storage.creation import Seeder, create_file
from hivemind.storage.faults import may_write
from hivemind.storage.schema import SchemaKind, create_vector_table, has_object, require_known_version, require_shape
from hivemind.storage.vectors import load_vectors


def prepare(
    path: Path, *, create: bool, kind: SchemaKind, seeders: Sequence[Seeder], backups: Path | None, clock: Clock
) -> None:
    """Leave a whole file of this version at `path` (settled), in WAL mode, or raise and change nothing.

    Raises MindMissing, NotAMind, MindCorrupt, MindNewer; apsw errors and OSError for the caller to translate.
    """
    if not os.path.lexists(path):
        if not create:
            raise MindMissing(details=path.name)
        create_file(path, kind, seeders, clock)
    files.require_plain_file(path)
    header = files.read_header(path, kind)
    if header.user_version > schema.SCHEMA_VERSION:
        raise MindNewer(details=f"schema {header.user_version}")
    if not may_write(path):
        # Asked before SQLite opens it: a connection that can only read leaves -wal and -shm behind.
        raise ReadOnlyPlace(details=path.name)
    try:
        version = _version_inside(path)
        if version < schema.SCHEMA_VERSION:
            _back_up(path, kind, version, backups or path.parent, clock)
            migrations.migrate(path, kind, clock)
        _finish(path, kind)
    except apsw.NotADBError as fault:
        # The header is ours, so it is damage and not another kind of file.
        raise MindCorrupt(details="the header or the -wal is not readable") from fault


def _version_inside(path: Path) -> int:
    """The schema's number as the whole file tells it: a -wal may be newer than the header. Changes nothing."""
    with examining(path) as connection:
        return patiently(lambda: require_known_version(connection))


def _back_up(path: Path, kind: SchemaKind, version: int, backups: Path, clock: Clock) -> None:
    moment = stamp(clock()).replace(":", "").replace(".", "")
    backups.mkdir(mode=0o700, parents=True, exist_ok=True)
    backup(path, backups / f"{path.stem}.schema-{version}.{moment}{path.suffix}", kind=kind)


def _finish(path: Path, kind: SchemaKind) -> None:
    """Check the shape, switch to WAL, and make the vector table at the first opening that has its library."""
    with connected(path) as connection:
        if connection.readonly("main"):
            # On a read-only disk SQLite falls back by itself; say so now and not at the first save.
            raise ReadOnlyPlace(details=path.name)
        patiently(lambda: require_shape(connection, kind))
        mode = patiently(lambda: connection.pragma("journal_mode", "wal"))
        if mode != "wal":
            raise StorageFault(
                "This folder cannot hold a mind",
                "Network drives cannot be used. Choose a folder on a disk of this computer.",
                details=f"journal mode {mode}",
            )
        if kind is SchemaKind.MIND and not has_object(connection, "memory_frames_vec"):
            _add_vector_table(connection)


def _add_vector_table(connection: apsw.Connection) -> None:
    if not load_vectors(connection).loaded:
        return
    patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
    # Asked again inside the transaction: another process may have been faster.
    create_vector_table(connection)
    connection.execute("COMMIT")
