"""A disk in memory that loses power: what was not synced survives in part, in any order, torn at sectors."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512


class PowerCut(Exception):
    """The lights went out at this operation."""


@dataclass
class DiskFile:
    """What surely is on the disk, and what was written since the last sync."""

    durable: bytearray = field(default_factory=bytearray)
    seen: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes]] = field(default_factory=list)
    #: The shortest it was cut to since the last sync.
    cut: int | None = None

    def write(self, data: bytes, offset: int) -> None:
        _put(self.seen, offset, data)
        self.pending.append((offset, data))

    def truncate(self, size: int) -> None:
        del self.seen[size:]
        self.pending = [(offset, data) for offset, data in self.pending if offset < size]
        self.cut = size if self.cut is None else min(self.cut, size)

    def sync(self) -> None:
        self.durable, self.pending, self.cut = bytearray(self.seen), [], None

    def survives(self, chance: random.Random) -> bytes:
        """One of the contents that the disk may have after the cut."""
        left = bytearray(self.durable)
        if self.cut is not None and chance.random() < 0.5:
            del left[self.cut :]
        for offset, data in self.pending:
            fate = chance.random()
            if fate < 0.4:
                _put(left, offset, data)
            elif fate < 0.6:
                for at in range(0, len(data), SECTOR):
                    if chance.random() < 0.5:
                        _put(left, offset + at, data[at : at + SECTOR])
        return bytes(left)


class CrashDisk:
    """Files by name, and a fuse that blows at a given operation."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = {name: DiskFile(bytearray(data), bytearray(data)) for name, data in files.items()}
        self.operations = 0
        self.fuse: int | None = None

    def operation(self) -> None:
        """Each write, sync, cut or deletion counts; at the fuse it does not happen, and nothing after it does."""
        self.operations += 1
        if self.fuse is not None and self.operations >= self.fuse:
            raise PowerCut

    def after_the_cut(self, chance: random.Random, folder: Path) -> None:
        """Write what survived as ordinary files."""
        for name, file in self.files.items():
            (folder / Path(name).name).write_bytes(file.survives(chance))


class CrashVfs(apsw.VFS):
    """SQLite's view of a crash disk. `disk` is put in before each run."""

    def __init__(self, name: str) -> None:
        super().__init__(name, base="")
        self.disk = CrashDisk({})

    def xOpen(self, name: Any, flags: Any) -> Any:
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name or "temporary")
        self.disk.files.setdefault(path, DiskFile())
        return CrashFile(self.disk, self.disk.files[path])

    def xAccess(self, pathname: str, flags: int) -> bool:
        return pathname in self.disk.files

    def xFullPathname(self, name: str) -> str:
        return name

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.disk.operation()
        self.disk.files.pop(filename, None)


class CrashFile:
    """One open file on the crash disk. Locks are nobody else's business here."""

    def __init__(self, disk: CrashDisk, file: DiskFile) -> None:
        self._disk = disk
        self._file = file
        answer: Callable[..., Any] = lambda *_: 0  # noqa: E731
        self.xLock = self.xUnlock = self.xClose = self.xDeviceCharacteristics = answer
        self.xCheckReservedLock = self.xFileControl = lambda *_: False

    def xRead(self, amount: int, offset: int) -> bytes:
        return bytes(self._file.seen[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.operation()
        self._file.write(bytes(data), offset)

    def xTruncate(self, size: int) -> None:
        self._disk.operation()
        self._file.truncate(size)

    def xSync(self, flags: int) -> None:
        self._disk.operation()
        self._file.sync()

    def xFileSize(self) -> int:
        return len(self._file.seen)

    def xSectorSize(self) -> int:
        return SECTOR


def _put(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data
