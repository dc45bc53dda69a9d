"""What a person drops: a file, an unpacked folder or a ZIP, seen as parts that open as streams.

ZIPs inside a folder or inside a ZIP are opened too, one level deep: vendors split their exports like that.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from hivemind.domain.harvest import Peek
from hivemind.errors import ArchiveEncrypted, ImportFault, SourceUnreadable
from hivemind.readers.archives import NESTED, Archive, Member, is_archive

HEAD = 1 << 16
_MAX_FILES = 20_000
_MAX_DEPTH = 16
_SAMPLE = 1 << 20
#: Why something in a folder is not read.
LINK = "a link; links are not followed"
HIDDEN_FOLDER = "a hidden folder: settings, not notes"
HIDDEN_FILE = "a hidden file"
NO_FILE = "not an ordinary file"
TOO_DEEP = f"more than {_MAX_DEPTH} folders deep"
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file on disk. `name` is relative to what was dropped; `place` tells it apart from files elsewhere."""

    name: str
    size: int
    path: Path

    @property
    def place(self) -> str:
        return self.path.absolute().as_posix()

    @property
    def modified(self) -> datetime | None:
        """When the file was last written; None when that cannot be told."""
        try:
            return datetime.fromtimestamp(self.path.stat().st_mtime, UTC)
        except (OSError, OverflowError, ValueError):
            return None

    def open(self) -> BinaryIO:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise SourceUnreadable(details=type(error).__name__) from error

    def verify(self) -> None:
        """A plain file has no checksum of its own."""


@dataclass(frozen=True, slots=True)
class MemberPart:
    """A member of an open archive. `name` begins with the archive's own name where that lies inside the drop."""

    name: str
    size: int
    archive: Archive
    member: Member

    @property
    def place(self) -> str:
        return f"{self.archive.path.stem}/{self.name}"

    @property
    def modified(self) -> datetime | None:
        """As the archive has it: local time without a zone, read as this computer's."""
        try:
            moment = datetime(*self.member.info.date_time).astimezone(UTC)
        except (OSError, OverflowError, ValueError):
            return None
        # What an archiver writes that knows no time.
        return None if moment.year <= 1980 else moment

    def open(self) -> BinaryIO:
        return self.archive.open(self.member)

    def verify(self) -> None:
        """Read it once against its checksum. Raises SourceUnreadable naming the member."""
        self.archive.verify(self.member)


Part = FilePart | MemberPart


@dataclass(frozen=True, slots=True)
class Unopened:
    """An archive or a file of the drop that cannot be opened, and why."""

    name: str
    fault: ImportFault


class OpenedSource:
    """A dropped path with all its files as `parts`, in natural order of names. Close it after use.

    `passed_over`: (name, reason) of what lies in a folder and is no part, but for the system's litter.
    `closed`: archives and files inside it that stay shut, each with its reason; the other archives are open.
    `spool`: folder for the bytes of archives in an archive. Raises SourceUnreadable, ArchiveRefused,
    ArchiveEncrypted or DiskFull.
    """

    def __init__(self, path: Path, spool: str | None = None) -> None:
        self.path = path
        self.name = path.name or str(path)
        self._spool = spool
        self._archives: list[Archive] = []
        self._files: list[tuple[str, Path]] = []
        self.closed: list[Unopened] = []
        self.passed_over: list[tuple[str, str]] = []
        try:
            parts = list(self._folder()) if path.is_dir() else self._file()
        except OSError as error:
            self.close()
            raise SourceUnreadable(details=type(error).__name__) from error
        except BaseException:
            self.close()
            raise
        self.parts: tuple[Part, ...] = tuple(sorted(parts, key=lambda part: natural(part.name)))

    def _file(self) -> list[Part]:
        if not self.path.is_file():
            raise SourceUnreadable("There is no such file", "Check the path. Nothing was imported.")
        self._files.append(("", self.path))
        if not _is_packed(self.path):
            return [FilePart(self.name, self.path.stat().st_size, self.path)]
        return list(self._members(Archive(self.path), ""))

    def _members(self, archive: Archive, below: str, *, outer: bool = True) -> Iterator[Part]:
        """Files of an archive, and of the archives directly in it; deeper ones stay shut."""
        self._archives.append(archive)
        nested = frozenset(archive.nested)
        opened = 0
        for member in archive.members:
            name = below + member.name
            if member.name not in nested:
                yield MemberPart(name, member.size, archive, member)
            elif not outer or opened >= archive.limits.nested:
                title = _TOO_MANY if outer else _TOO_DEEP
                self.closed.append(Unopened(name, SourceUnreadable(title, _UNPACK)))
            else:
                opened += 1
                yield from self._inner(archive, member, name)

    def _inner(self, archive: Archive, member: Member, name: str) -> Iterator[Part]:
        try:
            inner = archive.inside(member, self._spool)
        except ImportFault as fault:
            self.closed.append(Unopened(name, _named(fault)))
            return
        yield from self._members(inner, f"{name}/", outer=False)

    def _folder(self) -> Iterator[Part]:
        """Files below the folder; links are not followed, hidden files and litter are left out."""
        for root, folders, files in os.walk(self.path, followlinks=False):
            below = Path(root).relative_to(self.path)
            folders[:] = [name for name in sorted(folders) if self._enters(below, name)]
            for name in sorted(files):
                file = Path(root, name)
                if self._passes(below / name, file):
                    continue
                if len(self._files) >= _MAX_FILES:
                    raise SourceUnreadable("This folder holds too many files", "Drop the export's own folder.")
                shown = (below / name).as_posix()
                self._files.append((shown, file))
                if name.lower().endswith(NESTED) and _is_packed(file):
                    yield from self._packed(file, shown)
                else:
                    yield FilePart(shown, file.stat().st_size, file)

    def _enters(self, below: Path, name: str) -> bool:
        """Whether to look into a folder; when not, why is noted, unless it is the system's litter."""
        if name == "__MACOSX":
            return False
        reason = TOO_DEEP if len(below.parts) >= _MAX_DEPTH else ""
        if name.startswith("."):
            reason = HIDDEN_FOLDER
        elif Path(self.path, below, name).is_symlink():
            reason = LINK
        if reason:
            self.passed_over.append(((below / name).as_posix() + "/", reason))
        return not reason

    def _passes(self, name: Path, file: Path) -> bool:
        if name.name.startswith("._") or name.name == ".DS_Store":
            return True
        kind = file.lstat().st_mode
        reason = LINK if stat.S_ISLNK(kind) else "" if stat.S_ISREG(kind) else NO_FILE
        reason = reason or (HIDDEN_FILE if name.name.startswith(".") else "")
        if reason:
            self.passed_over.append((name.as_posix(), reason))
        return bool(reason)

    def _packed(self, file: Path, shown: str) -> Iterator[Part]:
        try:
            archive = Archive(file)
        except ImportFault as fault:
            self.closed.append(Unopened(shown, _named(fault)))
            return
        yield from self._members(archive, f"{shown}/")

    def look_into(self, part: Part) -> Peek | None:
        """The first bytes of a part. None when it is damaged and not all there is; then `closed` tells of it."""
        try:
            return peek(part)
        except SourceUnreadable as fault:
            if len(self.parts) == 1:
                raise
            if all(shut.name != part.name for shut in self.closed):
                self.closed.append(Unopened(part.name, fault))
            return None

    def fingerprint(self) -> str:
        """Tells whether a later attempt meets the same source: sizes and hashes of heads, middles and tails."""
        digest = hashlib.sha256()
        for name, where in self._files:
            size = where.stat().st_size
            digest.update(f"{name}\0{size}\0".encode("utf-8", "surrogatepass"))
            with where.open("rb") as stream:
                _sample(stream, size, digest.update)
        return digest.hexdigest()

    def close(self) -> None:
        for archive in self._archives:
            archive.close()

    def __enter__(self) -> OpenedSource:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_TOO_DEEP = "An archive lies inside too many other archives"
_TOO_MANY = "Too many archives lie inside this one"
_UNPACK = "Unpack it, then drop the folder."


def _named(fault: ImportFault) -> ImportFault:
    """A locked archive among others says what to do with it alone."""
    if isinstance(fault, ArchiveEncrypted):
        return ArchiveEncrypted(hint="Unpack it with its password, then drop the folder that comes out.")
    return fault


def _is_packed(path: Path) -> bool:
    with path.open("rb") as stream:
        return is_archive(stream.read(4))


def peek(part: Part) -> Peek:
    """The first bytes of a part, for detection by content."""
    with part.open() as stream:
        return Peek(part.name, stream.read(HEAD), part.size)


def natural(name: str) -> list[tuple[bool, int, str]]:
    """A sort key under which part 10 follows part 9."""
    pieces = _DIGITS.split(name.lower())
    return [(piece.isdecimal(), int(piece[:18]) if piece.isdecimal() else 0, piece) for piece in pieces]


def _sample(stream: BinaryIO, size: int, update: object) -> None:
    assert callable(update)
    if size <= 3 * _SAMPLE:
        update(stream.read())
        return
    for at in (0, size // 2 - _SAMPLE // 2, size - _SAMPLE):
        stream.seek(at, io.SEEK_SET)
        update(stream.read(_SAMPLE))
