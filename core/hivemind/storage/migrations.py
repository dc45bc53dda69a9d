"""Numbered steps from schema to schema. Each commits together with its record (`opening` makes the backup)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import apsw

from hivemind.clock import Clock, stamp
from hivemind.errors import MindCorrupt
from hivemind.storage.connections import connected, patiently
from hivemind.storage.creation import stamp_version
from hivemind.storage.schema import SCHEMA_VERSION as SCHEMA_VERSION
from hivemind.storage.schema import SchemaKind, has_object
from hivemind.storage.vectors import load_vectors

Step = Callable[[apsw.Connection], None]


@dataclass(frozen=True, slots=True)
class Migration:
    """Leads to schema `number`. A kind without a step has nothing to change and only takes the number."""

    number: int
    label: str
    steps: Mapping[SchemaKind, Step]


def _first_schema(kind: SchemaKind) -> Step:
    def step(connection: apsw.Connection) -> None:
        connection.execute(kind.script)

    return step


#: In order, without gaps. While 1 is the newest, its step is the schema script itself; whoever writes 2 freezes
#: today's scripts under their own names and lets 1 read those, and the test compares the sum with the new script.
MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "The first schema", {kind: _first_schema(kind) for kind in SchemaKind}),
)


def migrate(path: Path, kind: SchemaKind, clock: Clock) -> None:
    """Bring a file to the newest schema. Whoever calls has made a verified backup (`opening`) or works on a copy.

    A step that fails leaves the file at the step before it; the next call goes on from there. Raises apsw errors,
    MindCorrupt.
    """
    with connected(path) as connection:
        if kind is SchemaKind.MIND:
            load_vectors(connection)
        # A step may rebuild a table that others refer to; what it leaves is checked before it commits.
        connection.pragma("foreign_keys", 0)
        for migration in MIGRATIONS:
            apply(connection, kind, migration, clock)


def apply(connection: apsw.Connection, kind: SchemaKind, migration: Migration, clock: Clock) -> None:
    """One step and its record in one transaction; nothing happens when the file is already there or further."""
    patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
    try:
        # Asked inside the transaction: another process may have migrated meanwhile.
        if current_version(connection) < migration.number:
            step = migration.steps.get(kind)
            if step is not None:
                step(connection)
            _require_whole_references(connection, migration)
            stamp_version(connection, migration.number)
            connection.pragma("application_id", kind.application_id)
            connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
                (f"migrated_{migration.number:04d}", stamp(clock())),
            )
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _require_whole_references(connection: apsw.Connection, migration: Migration) -> None:
    if connection.execute("PRAGMA foreign_key_check").get is not None:
        raise MindCorrupt(details=f"step {migration.number} found rows that refer to nothing")


def current_version(connection: apsw.Connection) -> int:
    """The schema's number, 0 for a file without one."""
    if not has_object(connection, "meta"):
        return 0
    return int(str(connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").get or 0))
