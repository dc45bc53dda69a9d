"""What stands beside a mind: requests in the installation's file, reports of faults, and copies outside our folder."""

from __future__ import annotations

from pathlib import Path

import apsw

from hivemind.domain.calls import CallKind
from hivemind.domain.erasure import OutsideCopy
from hivemind.maintenance.erasure_needles import Needles
from hivemind.maintenance.erasure_places import Sought
from hivemind.mind import MindTransaction
from hivemind.storage import Connection, Database
from hivemind.storage.connections import connected, patiently

#: Where reports of faults lie in the data folder.
_CRASHES = "crashes"
#: What every receipt says: codes and their words.
BEYOND_REACH = (
    "Copies outside the data folder: exports, reports, backups and files that were imported.",
    "Services and programs that were sent it, or that it came from.",
    "What a disk keeps below its files: worn blocks, snapshots of the file system, swap, copies in a cloud.",
)


def truncated(database: Database) -> bool:
    """Write everything into the file itself and empty its log. False while somebody reads an older state. Blocking."""

    def checkpoint(connection: Connection) -> bool:
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except (apsw.BusyError, apsw.LockedError):
            return False
        return True

    log = database.path.with_name(database.path.name + "-wal")
    return database.submit_unwrapped(checkpoint).result() and (not log.exists() or log.stat().st_size == 0)


def rewritten(database: Database) -> bool:
    """Write every page of the file anew. False when there is no room, or another program writes all the time. Blocking.

    SQLite overwrites a row that is deleted where it stands, but not the copy that is left in the gap of a page when
    rows were moved to its neighbour before. In a page that is written anew there are no such gaps. The time grows with
    the file, and every other write to it waits.
    """

    def rewrite(_writer: Connection) -> bool:
        # On the writer's thread, so that nothing of ours is written meanwhile; its own connection may not.
        return rewrite_file(database.path)

    return database.submit_unwrapped(rewrite).result()


def rewrite_file(path: Path) -> bool:
    """`rewritten` for a file that nobody has open."""
    try:
        with connected(path) as connection:
            patiently(lambda: connection.execute("VACUUM"))
    except (apsw.BusyError, apsw.LockedError, apsw.FullError, apsw.IOError):
        return False
    return True


def erase_requests(connection: Connection, needles: Needles) -> int:
    """The words of requests to look into another mind. The row with its outcome stays."""
    rows = list(connection.execute("SELECT id, query, reason FROM approvals"))
    doomed = [(i,) for i, query, reason in rows if needles.spoken(query) or needles.spoken(reason)]
    connection.executemany("UPDATE approvals SET query = '', reason = '' WHERE id = ?", doomed)
    return len(doomed)


def remove_crash_reports(root: Path, needles: Needles) -> int:
    """Reports of faults that hold the words. They should not: this is for libraries that say more than they ought."""
    removed = 0
    folder = root / _CRASHES
    for file in folder.iterdir() if folder.is_dir() else ():
        if file.is_file() and needles.spoken(file.read_text("utf-8", "replace")):
            file.unlink()
            removed += 1
    return removed


def outside_copies(tx: MindTransaction, sought: Sought) -> tuple[OutsideCopy, ...]:
    """Where else copies may be, as far as this mind knows: listed, never touched."""
    found = [OutsideCopy("imported file", path) for path in sorted(_imported_files(tx, sought))]
    query = "SELECT count(*) FROM ai_log_chain WHERE kind = ?"
    if tx.connection.execute(query, (CallKind.EXPORT,)).get:
        found.append(OutsideCopy("export"))
    query = "SELECT DISTINCT provider FROM ai_interactions WHERE provider <> '-' ORDER BY provider"
    found += [OutsideCopy("service", str(provider)) for (provider,) in tx.connection.execute(query)]
    return (*found, OutsideCopy("backup elsewhere"), OutsideCopy("tool it came from"), OutsideCopy("disk"))


def _imported_files(tx: MindTransaction, sought: Sought) -> set[str]:
    query = (
        "SELECT DISTINCT r.path FROM import_runs AS r JOIN import_claims AS c ON c.run_id = r.id"
        " WHERE c.message_id = ? AND r.path <> ''"
    )
    return {str(path) for i in sought.message_ids for (path,) in tx.connection.execute(query, (i,))}
