"""Copies that can be trusted: made from a living file, checked before they get their name, put back in place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from hivemind.clock import Clock, system_clock
from hivemind.errors import BackupFailed, FileInTheWay, HiveMindError, InternalFault, MindCorrupt
from hivemind.storage import files, migrations, schema
from hivemind.storage.connections import connected, examining, noting_errno, patiently
from hivemind.storage.faults import translate
from hivemind.storage.schema import SchemaKind, create_vector_table, require_known_version
from hivemind.storage.vectors import load_vectors

if TYPE_CHECKING:
    from hivemind.storage.database import Database

#: Pages per step: other threads get the interpreter between two steps.
_PAGES = 2048


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """A verified copy. Counts are 0 and `newest` is None for a file that is not a mind."""

    path: Path
    bytes: int
    sha256: str
    schema: int
    uuid: str
    frames: int
    sessions: int
    messages: int
    newest: str | None


def backup(source: Path | apsw.Connection, target: Path, *, kind: SchemaKind = SchemaKind.MIND) -> BackupFacts:
    """Copy a file that may be open and written at this moment: one snapshot, one file, 0600. Blocking.

    The copy is checked, flushed and then named; a target that exists is refused. Raises FileInTheWay, DiskFull,
    ReadOnlyPlace, BackupFailed; of the source MindMissing, NotAMind, MindCorrupt, MindNewer, MindBusy.
    """
    target = files.settled(target)
    try:
        if target.exists() or target.is_symlink():
            raise FileInTheWay(details=target.name)
        unfinished = files.new_file_beside(target)
        try:
            _copy_into(source, unfinished, kind)
            facts = verify_backup(unfinished, kind=kind)
            files.sync_file(unfinished)
            files.place(unfinished, target)
        finally:
            files.discard(unfinished)
    except (apsw.Error, OSError, InternalFault) as fault:
        raise _as_backup_fault(fault, target) from fault
    return replace(facts, path=target)


def verify_backup(path: Path, *, kind: SchemaKind = SchemaKind.MIND) -> BackupFacts:
    """Read a copy from end to end, without changing it. Blocking.

    Raises MindMissing, NotAMind, MindCorrupt, MindNewer.
    """
    path = files.settled(path)
    try:
        files.require_plain_file(path)
        files.read_header(path, kind)
        with examining(path) as connection:
            version = patiently(lambda: require_known_version(connection))
            if kind is SchemaKind.MIND:
                load_vectors(connection)
            _require_sound(connection)
            size, sha256 = files.sha256_of(path)
            return BackupFacts(path, size, sha256, version, _uuid(connection, kind), *_counts(connection, kind))
    except apsw.NotADBError as fault:
        raise MindCorrupt(details="the header is not readable") from fault
    except (apsw.Error, OSError) as fault:
        raise translate(fault, path) from fault


def restore_into(database: Database, backup: Path, *, clock: Clock = system_clock) -> BackupFacts:
    """Put a backup into the open file, as one transaction of the writer; readers keep working. Blocking.

    The backup is verified first, and one of an older schema is migrated as a copy; if anything fails the file stays
    as it was. Other processes see the restored file at their next read. Raises as `verify_backup`, and MindBusy,
    DiskFull.
    """
    facts = verify_backup(backup, kind=database.kind)
    source, made = facts.path, None
    try:
        if facts.schema < schema.SCHEMA_VERSION:
            source = made = _migrated_copy(facts.path, database, clock)
        database.submit_unwrapped(lambda connection: _put_back(connection, source, database)).result()
    except (apsw.Error, OSError) as fault:
        raise translate(fault, database.path) from fault
    finally:
        if made is not None:
            files.discard(made)
    return facts


def _copy_into(source: Path | apsw.Connection, unfinished: Path, kind: SchemaKind) -> None:
    with connected(unfinished) as copy:
        # Flushed once when it is whole; until then it has no name that anybody opens.
        copy.pragma("synchronous", "OFF")
        if isinstance(source, Path):
            path = files.settled(source)
            files.require_plain_file(path)
            files.read_header(path, kind)
            with examining(path) as living:
                _copy(living, copy)
        else:
            _copy(source, copy)
        # One file without companions: it can be carried around and read from a folder that cannot be written.
        copy.pragma("journal_mode", "delete")


def _copy(source: apsw.Connection, target: apsw.Connection) -> None:
    """All pages as of one moment. A source without an open transaction gets one: otherwise each commit by others
    would start the copy anew."""
    own = not source.in_transaction
    if own:
        source.execute("BEGIN")
    try:
        patiently(lambda: source.execute("SELECT 1 FROM sqlite_schema LIMIT 1").get)
        with noting_errno(target), target.backup("main", source, "main") as running:
            while not running.done:
                patiently(lambda: running.step(_PAGES))
    finally:
        if own and source.in_transaction:
            source.execute("ROLLBACK")


def _put_back(connection: apsw.Connection, source: Path, database: Database) -> None:
    with examining(source) as copy:
        _copy(copy, connection)
    if database.vector.loaded:
        patiently(lambda: create_vector_table(connection))


def _migrated_copy(path: Path, database: Database, clock: Clock) -> Path:
    # A passing copy: if it is lost in a crash it is made anew from the backup.
    made = files.new_file_beside(database.path)
    try:
        _copy_into(path, made, database.kind)
        migrations.migrate(made, database.kind, clock)
    except BaseException:
        files.discard(made)
        raise
    return made


def _require_sound(connection: apsw.Connection) -> None:
    found = connection.execute("PRAGMA quick_check(5)").fetchall()
    if found != [("ok",)]:
        raise MindCorrupt(details="; ".join(str(row[0]) for row in found))


def _uuid(connection: apsw.Connection, kind: SchemaKind) -> str:
    return str(connection.execute("SELECT value FROM meta WHERE key = ?", (kind.uuid_key,)).get or "")


def _counts(connection: apsw.Connection, kind: SchemaKind) -> tuple[int, int, int, str | None]:
    if kind is not SchemaKind.MIND:
        return 0, 0, 0, None

    def one(question: str) -> Any:
        return connection.execute(question).get

    frames, sessions, messages = (
        int(one(f"SELECT count(*) FROM {table}"))  # noqa: S608
        for table in ("memory_frames", "sessions", "messages")
    )
    return frames, sessions, messages, one("SELECT max(recorded_at) FROM memory_frames")


def _as_backup_fault(fault: Exception, target: Path) -> BaseException:
    """Disk full, no right to write and the like keep their names; what says nothing to a person does not."""
    ours = translate(fault, target)
    if isinstance(ours, HiveMindError) and not isinstance(ours, InternalFault):
        return ours
    return BackupFailed(details=str(getattr(ours, "details", "")))
