"""What a person drops: a file, an unpacked folder or a ZIP, seen as parts that open as streams."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from hivemind.domain.harvest import Peek
from hivemind.errors import SourceUnreadable
from hivemind.readers.archives import Archive, Member, is_archive

HEAD = 1 << 16
_MAX_FILES = 20_000
_MAX_DEPTH = 6
_SAMPLE = 1 << 20
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file on disk. `name` is relative to what was dropped."""

    name: str
    size: int
    path: Path

    def open(self) -> BinaryIO:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise SourceUnreadable(details=type(error).__name__) from error

    def verify(self) -> None:
        """A plain file has no checksum of its own."""


@dataclass(frozen=True, slots=True)
class MemberPart:
    """A member of an open archive."""

    name: str
    size: int
    archive: Archive
    member: Member

    def open(self) -> BinaryIO:
        return self.archive.open(self.member)

    def verify(self) -> None:
        """Read it once against its checksum. Raises SourceUnreadable naming the member."""
        self.archive.verify(self.member)


Part = FilePart | MemberPart


class OpenedSource:
    """A dropped path with all its files as `parts`, in natural order of names. Close it after use.

    Raises SourceUnreadable, ArchiveRefused or ArchiveEncrypted.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name or str(path)
        self._archive: Archive | None = None
        self.nested: tuple[str, ...] = ()
        try:
            parts = list(self._folder()) if path.is_dir() else self._file()
        except OSError as error:
            raise SourceUnreadable(details=type(error).__name__) from error
        self.parts: tuple[Part, ...] = tuple(sorted(parts, key=lambda part: natural(part.name)))

    def _file(self) -> list[Part]:
        if not self.path.is_file():
            raise SourceUnreadable("There is no such file", "Check the path. Nothing was imported.")
        with self.path.open("rb") as stream:
            packed = is_archive(stream.read(4))
        if not packed:
            return [FilePart(self.name, self.path.stat().st_size, self.path)]
        self._archive = Archive(self.path)
        self.nested = self._archive.nested
        return [MemberPart(member.name, member.size, self._archive, member) for member in self._archive.members]

    def _folder(self) -> Iterator[Part]:
        """Files below the folder; links are not followed, hidden files and litter are left out."""
        found = 0
        for root, folders, files in os.walk(self.path, followlinks=False):
            below = Path(root).relative_to(self.path)
            keep = len(below.parts) < _MAX_DEPTH
            folders[:] = sorted(f for f in folders if keep and not f.startswith(".") and f != "__MACOSX")
            for name in sorted(files):
                file = Path(root, name)
                if name.startswith(".") or file.is_symlink() or not file.is_file():
                    continue
                found += 1
                if found > _MAX_FILES:
                    raise SourceUnreadable("This folder holds too many files", "Drop the export's own folder.")
                yield FilePart((below / name).as_posix(), file.stat().st_size, file)

    def close(self) -> None:
        if self._archive is not None:
            self._archive.close()

    def __enter__(self) -> OpenedSource:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def peek(part: Part) -> Peek:
    """The first bytes of a part, for detection by content."""
    with part.open() as stream:
        return Peek(part.name, stream.read(HEAD), part.size)


def natural(name: str) -> list[tuple[bool, int, str]]:
    """A sort key under which part 10 follows part 9."""
    pieces = _DIGITS.split(name.lower())
    return [(piece.isdecimal(), int(piece[:18]) if piece.isdecimal() else 0, piece) for piece in pieces]


def fingerprint(path: Path, parts: tuple[Part, ...]) -> str:
    """Tells whether a later attempt meets the same source: sizes and hashes of heads, middles and tails."""
    digest = hashlib.sha256()
    files = [(part.name, part.path) for part in parts if isinstance(part, FilePart)] if path.is_dir() else [("", path)]
    for name, where in files:
        size = where.stat().st_size
        digest.update(f"{name}\0{size}\0".encode("utf-8", "surrogatepass"))
        with where.open("rb") as stream:
            _sample(stream, size, digest.update)
    return digest.hexdigest()


def _sample(stream: BinaryIO, size: int, update: object) -> None:
    assert callable(update)
    if size <= 3 * _SAMPLE:
        update(stream.read())
        return
    for at in (0, size // 2 - _SAMPLE // 2, size - _SAMPLE):
        stream.seek(at, io.SEEK_SET)
        update(stream.read(_SAMPLE))
