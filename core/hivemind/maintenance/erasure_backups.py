"""Backups in the data folder that hold what is erased: found, and rewritten without it or removed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from hivemind.clock import Clock
from hivemind.domain.erasure import BackupChoice
from hivemind.errors import DiskFull, HiveMindError
from hivemind.maintenance.erasure import ErasureFacts, carry_out_at_once
from hivemind.maintenance.erasure_beside import rewrite_file
from hivemind.maintenance.erasure_needles import Needles
from hivemind.maintenance.erasure_plan import ErasurePlan, seek_again, work_out
from hivemind.mind import Mind, MindTransaction
from hivemind.paths import MIND_SUFFIX
from hivemind.storage import files
from hivemind.storage.backup import backup
from hivemind.storage.connections import connected, examining
from hivemind.storage.vectors import load_vectors


@dataclass(slots=True)
class BackupsFound:
    """Backups of one mind by what is known of them."""

    holding: list[Path] = field(default_factory=list)
    unreadable: list[Path] = field(default_factory=list)


def backups_of(folder: Path, workspace: str) -> list[Path]:
    """The backup files of a mind, whatever they were made for."""
    if not folder.is_dir():
        return []
    names = (f"{workspace} ", f"{workspace}.")
    found = [each for each in folder.iterdir() if each.name.startswith(names) and each.name.endswith(MIND_SUFFIX)]
    return sorted(each for each in found if each.is_file() and not each.is_symlink())


def find_holding(paths: list[Path], plan: ErasurePlan, needles: Needles, clock: Clock) -> BackupsFound:
    """Open each and look. Blocking; changes nothing."""
    found = BackupsFound()
    for path in paths:
        try:
            with examining(files.settled(path)) as connection:
                loaded = load_vectors(connection).loaded
                tx = MindTransaction(connection, clock, vectors=loaded)
                if work_out(tx, seek_again(tx, plan, needles)).size:
                    found.holding.append(path)
        except (HiveMindError, apsw.Error, OSError, ValueError):
            found.unreadable.append(path)
    return found


def treat(
    path: Path, choice: BackupChoice, plan: ErasurePlan, needles: Needles, facts: ErasureFacts, clock: Clock
) -> None:
    """Rewrite the file without it, under the same name and times, or remove it. Blocking.

    Until the new file is whole the old one stays as it is. Raises what opening a mind raises, and OSError.
    """
    if choice is BackupChoice.REMOVE:
        path.unlink(missing_ok=True)
        _note_of(path).unlink(missing_ok=True)
        return
    kept = path.stat()
    copy = path.with_name(f"{path.name}.rewriting")
    _discard(copy)
    try:
        backup(path, copy)
        _erase_in(copy, plan, needles, facts, clock)
        os.utime(copy, ns=(kept.st_atime_ns, kept.st_mtime_ns))
        files.sync_file(copy)
        # The note beside it tells of another file: its size and digest.
        _note_of(path).unlink(missing_ok=True)
        copy.replace(path)
    finally:
        _discard(copy)


def _erase_in(copy: Path, plan: ErasurePlan, needles: Needles, facts: ErasureFacts, clock: Clock) -> None:
    mind = Mind.open(copy, "backup", clock=clock, backups=copy.parent)
    try:
        more = mind.submit_read(lambda tx: work_out(tx, seek_again(tx, plan, needles))).result()
        carry_out_at_once(mind, plan.with_also(more), facts)
    finally:
        mind.close()
    if not rewrite_file(copy):
        raise DiskFull
    with connected(copy) as connection:
        # One file without companions, as every backup is.
        connection.pragma("journal_mode", "delete")


def discard_unfinished(folder: Path) -> None:
    """Remove what an interrupted rewriting left."""
    for left in folder.glob("*.rewriting*") if folder.is_dir() else ():
        left.unlink(missing_ok=True)


def _discard(copy: Path) -> None:
    for left in copy.parent.glob(f"{copy.name}*"):
        left.unlink(missing_ok=True)


def _note_of(path: Path) -> Path:
    return Path(f"{path}.json")
