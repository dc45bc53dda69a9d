"""ZIP files from strangers: checked before anything is read, members streamed under a hard cap, never unpacked."""

from __future__ import annotations

import errno
import io
import shutil
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from hivemind.errors import ArchiveEncrypted, ArchiveRefused, DiskFull, ReadOnlyPlace, SourceUnreadable

_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x07"
_LOCAL_HEADER = 30
_PIECE = 1 << 18
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
#: How vendors name archives. Documents that are ZIPs inside (.docx, .epub) are none of these.
NESTED = (".zip", ".dms")


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Bytes, counts and ratios an archive may reach. The ratio counts only for members above `ratio_from` bytes.

    `nested`, `nested_bytes`: archives in an archive that may be opened, and the bytes of one.
    """

    entries: int = 20_000
    entry_bytes: int = 10 << 30
    total_bytes: int = 64 << 30
    directory_bytes: int = 16 << 20
    ratio: float = 100.0
    ratio_from: int = 4 << 20
    depth: int = 16
    nested: int = 200
    nested_bytes: int = 8 << 30


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside an archive, checked. `name` is for showing and sorting, never a path to write to."""

    name: str
    size: int
    info: zipfile.ZipInfo


def is_archive(head: bytes) -> bool:
    return head.startswith(_MAGIC)


class Archive:
    """An open ZIP. `members`: its files without system litter; `nested`: names of those that are archives.

    `file`: the bytes, where they are not at `path`. Raises ArchiveRefused, ArchiveEncrypted or SourceUnreadable,
    naming the entry.
    """

    def __init__(self, path: Path, limits: ArchiveLimits | None = None, file: BinaryIO | None = None) -> None:
        self.path = path
        self.limits = limits or ArchiveLimits()
        try:
            self._file = path.open("rb") if file is None else file
        except OSError as error:
            raise SourceUnreadable(details=type(error).__name__) from error
        try:
            _check_directory(self._file, self.limits)
            with _reading(path.name):
                self._zip = zipfile.ZipFile(self._file)
            _check(self._zip.infolist(), self._zip.start_dir, self.limits)
        except BaseException:
            self._file.close()
            raise
        files = [info for info in self._zip.infolist() if not info.is_dir() and not _is_litter(info.filename)]
        self.members = tuple(Member(_shown(info.filename), info.file_size, info) for info in files)
        self.nested = tuple(member.name for member in self.members if member.name.lower().endswith(NESTED))

    def open(self, member: Member) -> BinaryIO:
        """A stream of the member's bytes that ends at its declared size, whatever the packed data says."""
        with _reading(member.name):
            return cast(BinaryIO, io.BufferedReader(_MemberStream(self._zip, member), _PIECE))

    def inside(self, member: Member, spool: str | None = None) -> Archive:
        """The archive that a member is. Its bytes wait in a nameless file in `spool` (None: where the system wants).

        Raises what opening an archive raises, naming the member, or DiskFull.
        """
        if member.size > self.limits.nested_bytes:
            raise ArchiveRefused(f"An archive inside this one is too large ({member.name})")
        file = cast(BinaryIO, tempfile.TemporaryFile(prefix="spool-", dir=spool))  # noqa: SIM115 - the archive closes it
        try:
            with self.open(member) as stream:
                shutil.copyfileobj(stream, file, _PIECE)
            file.flush()
        except BaseException as error:
            with suppress(OSError):  # what did not fit is written again on closing
                file.close()
            if isinstance(error, OSError) and error.errno in _NO_SPACE:
                raise DiskFull from error
            raise
        return Archive(self.path / member.name, self.limits, file)

    def verify(self, member: Member) -> None:
        """Read the member once to its end, so that a damaged one is known before anything is imported from it."""
        with self.open(member) as stream:
            while stream.read(_PIECE):
                pass

    def close(self) -> None:
        self._zip.close()
        self._file.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _MemberStream(io.RawIOBase):
    """One member, with the library's many exceptions turned into ours and a hard stop at the declared size."""

    def __init__(self, archive: zipfile.ZipFile, member: Member) -> None:
        super().__init__()
        self._stream = archive.open(member.info)
        self._member = member
        self._left = member.size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        with _reading(self._member.name):
            data = self._stream.read(len(view))
        self._left -= len(data)
        if self._left < 0:
            raise ArchiveRefused(details=f"{self._member.name} is larger than it says")
        if not data and self._left:
            raise SourceUnreadable("This archive is incomplete", details=f"{self._member.name} ends too early")
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, UnicodeDecodeError) as error:
        raise SourceUnreadable(
            f"The archive is damaged or incomplete: {name}", details=f"{type(error).__name__}: {error}"
        ) from error
    except zipfile.LargeZipFile as error:
        raise ArchiveRefused(details=name) from error
    except RuntimeError as error:  # zipfile's answer to a password
        raise ArchiveEncrypted(details=name) from error
    except PermissionError as error:
        raise ReadOnlyPlace(details=name) from error
    except OSError as error:
        raise SourceUnreadable(details=f"{name}: {type(error).__name__}") from error


def _check_directory(file: BinaryIO, limits: ArchiveLimits) -> None:
    """Refuse a list of members that would fill memory before `zipfile` reads it."""
    size = file.seek(0, io.SEEK_END)
    tail_from = max(0, size - (1 << 16) - 22)
    file.seek(tail_from)
    tail = file.read()
    file.seek(0)
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise SourceUnreadable("This archive is incomplete", "Download it again; the end of the file is missing.")
    count, length = struct.unpack_from("<HI", tail, at + 10)
    locator = tail.rfind(_END_64, 0, at)
    if locator >= 0 and (count == 0xFFFF or length == 0xFFFFFFFF):
        (record_at,) = struct.unpack_from("<Q", tail, locator + 8)
        file.seek(min(record_at, size))
        record = file.read(56)
        file.seek(0)
        if len(record) < 56 or not record.startswith(b"PK\x06\x06"):
            raise SourceUnreadable("This archive is incomplete", "Download it again; a part of the file is missing.")
        count, length = struct.unpack_from("<QQ", record, 32)
    if count > limits.entries or length > limits.directory_bytes:
        raise ArchiveRefused(details=f"{count} entries")


def _check(infos: list[zipfile.ZipInfo], directory_at: int, limits: ArchiveLimits) -> None:
    if len(infos) > limits.entries:
        raise ArchiveRefused(details=f"{len(infos)} entries")
    total = 0
    for info in infos:
        _check_name(info, limits)
        _check_size(info, limits)
        total += info.file_size
    if total > limits.total_bytes:
        raise ArchiveRefused("This archive is too large once unpacked", details=f"{total} bytes")
    _check_overlap(infos, directory_at)


def _check_name(info: zipfile.ZipInfo, limits: ArchiveLimits) -> None:
    name = info.orig_filename.replace("\\", "/")
    shown = _shown(info.orig_filename)
    parts = name.split("/")
    drive = len(name) > 1 and name[1] == ":" and name[0].isalpha()
    if "\x00" in name or name.startswith("/") or drive or ".." in parts:
        raise ArchiveRefused(f"This archive was not opened: it names an unsafe place ({shown})")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise ArchiveRefused(f"This archive was not opened: it holds a link ({shown})")
    if len(parts) > limits.depth:
        raise ArchiveRefused(f"This archive was not opened: its folders are nested too deeply ({shown})")


def _check_size(info: zipfile.ZipInfo, limits: ArchiveLimits) -> None:
    shown = _shown(info.filename)
    if info.flag_bits & 0x1:
        raise ArchiveEncrypted(details=shown)
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise ArchiveRefused(f"This archive is packed in a way that cannot be read here ({shown})")
    if info.file_size > limits.entry_bytes:
        raise ArchiveRefused(f"A file in this archive is too large ({shown})", details=f"{info.file_size} bytes")
    if info.file_size > limits.ratio_from and info.file_size > limits.ratio * max(1, info.compress_size):
        raise ArchiveRefused(f"This archive was not opened: it would swell beyond measure ({shown})")


def _check_overlap(infos: list[zipfile.ZipInfo], directory_at: int) -> None:
    """Members that share bytes are how a small file pretends to hold terabytes."""
    ordered = sorted(infos, key=lambda info: info.header_offset)
    for info, following in zip(ordered, [*ordered[1:], None], strict=True):
        limit = following.header_offset if following is not None else directory_at
        name = len(info.orig_filename.encode("utf-8", "replace")) if info.flag_bits & 0x800 else len(info.orig_filename)
        if info.header_offset + _LOCAL_HEADER + name + info.compress_size > limit:
            raise ArchiveRefused(f"This archive was not opened: its files overlap ({_shown(info.filename)})")


def _is_litter(name: str) -> bool:
    parts = name.split("/")
    return parts[0] == "__MACOSX" or parts[-1].startswith("._") or parts[-1] == ".DS_Store"


def _shown(name: str) -> str:
    """A foreign name fit for a message: no control characters, not endless."""
    clean = "".join(char if char.isprintable() else "?" for char in name)
    return clean if len(clean) <= 120 else clean[:117] + "…"
