"""The mind as a file: what lies at a path, its header without touching SQLite's locks, new files put in place."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import apsw

from hivemind.errors import FileInTheWay, MindCorrupt, MindMissing, NotAMind
from hivemind.storage.schema import SchemaKind

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
#: Names a file that is being made: `.<name>.new-<random>` beside its target.
_UNFINISHED = ".new-"
_SIDE_FILES = ("-journal", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Header:
    """From the file's first 100 bytes. May be older than the -wal beside it."""

    application_id: int
    user_version: int


def settled(path: Path) -> Path:
    """Absolute, with links in the folder's part resolved but not in the name itself."""
    return path.expanduser().parent.resolve() / path.name


def require_plain_file(path: Path) -> None:
    """Refuse what is not one regular file under one name: two names mean two -wal files, which loses data.

    Raises MindMissing, NotAMind.
    """
    try:
        facts = path.lstat()
    except FileNotFoundError:
        raise MindMissing(details=path.name) from None
    if stat.S_ISLNK(facts.st_mode):
        raise NotAMind("This is a link to another file", "Open the file that it points to instead.")
    if not stat.S_ISREG(facts.st_mode):
        raise NotAMind("This is not a file", "Choose a file that ends in .mind and was made by Hive-Mind.")
    if facts.st_nlink > 1 and not _finish_placing(path):
        raise NotAMind(
            "This file has a second name elsewhere",
            "It was left untouched. Make a real copy of it and open the copy, or remove the other name.",
        )


def read_header(path: Path, kind: SchemaKind) -> Header:
    """Say whether the bytes are ours, without opening a database. Raises NotAMind, MindCorrupt.

    The reading goes through SQLite's own file layer: closing an ordinary descriptor would drop the locks that
    this process may hold on the same file.
    """
    head = read_bytes(path, 0, _HEADER_BYTES)
    ours = {one.application_id for one in SchemaKind}
    application_id = int.from_bytes(head[68:72], "big")
    if not head:
        raise NotAMind("This file is empty")
    if not head.startswith(_MAGIC):
        if application_id in ours:
            raise MindCorrupt(details="the first bytes were overwritten")
        raise NotAMind()
    if len(head) < _HEADER_BYTES:
        raise MindCorrupt(details=f"only {len(head)} bytes are left")
    if application_id != kind.application_id:
        raise NotAMind("This is a database of another kind" if application_id not in ours else "")
    return Header(application_id, int.from_bytes(head[60:64], "big"))


def read_bytes(path: Path, offset: int, amount: int) -> bytes:
    """Bytes of a file that may be open as a database in this process. Shorter at its end. Raises apsw errors."""
    file = _open_through_sqlite(path)
    try:
        amount = max(0, min(amount, file.xFileSize() - offset))
        return bytes(file.xRead(amount, offset)) if amount else b""
    finally:
        file.xClose()


def sha256_of(path: Path) -> tuple[int, str]:
    """Size in bytes and SHA-256 (hex) of a file that may be open as a database in this process."""
    digest, offset, chunk = hashlib.sha256(), 0, 1 << 20
    file = _open_through_sqlite(path)
    try:
        size = file.xFileSize()
        while offset < size:
            data = file.xRead(min(chunk, size - offset), offset)
            digest.update(data)
            offset += len(data)
    finally:
        file.xClose()
    return size, digest.hexdigest()


def new_file_beside(target: Path) -> Path:
    """An empty 0600 file under a fresh name in the target's folder. Raises OSError."""
    path = target.with_name(f".{target.name}{_UNFINISHED}{os.urandom(8).hex()}")
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    return path


def place(finished: Path, target: Path) -> None:
    """Give a finished file its name, at once and only if the name is free. Raises FileInTheWay, OSError.

    A hard link refuses an existing name atomically, a rename would overwrite it. Where links do not exist (some
    USB sticks) and on Windows, whose rename refuses by itself, the rename is used.
    """
    try:
        if sys.platform == "win32":
            finished.rename(target)
        else:
            _link_or_rename(finished, target)
    except FileExistsError:
        raise FileInTheWay() from None
    sync_folder(target.parent)


def discard(path: Path) -> None:
    """Remove an unfinished file of ours and its side files; nothing happens when they are gone."""
    for name in (path.name, *(path.name + suffix for suffix in _SIDE_FILES)):
        with suppress(OSError):
            path.with_name(name).unlink()


def sync_file(path: Path) -> None:
    """Flush a closed file to the disk. Only for files that no connection of this process has open."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Flush a folder's list of names, where the system can."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _open_through_sqlite(path: Path) -> apsw.VFSFile:
    flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
    return apsw.VFSFile("", str(path), [flags, 0])


def _link_or_rename(finished: Path, target: Path) -> None:
    try:
        os.link(finished, target)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(target):
            raise FileExistsError from None
        finished.rename(target)
    else:
        finished.unlink()


def _finish_placing(path: Path) -> bool:
    """A crash between `link` and `unlink` leaves the unfinished name on the finished file: drop that name."""
    for other in path.parent.glob(f".{glob_escape(path.name)}{_UNFINISHED}*"):
        if other.samefile(path):
            other.unlink()
    return path.lstat().st_nlink == 1


def glob_escape(name: str) -> str:
    """The name as a pattern that matches only itself."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
