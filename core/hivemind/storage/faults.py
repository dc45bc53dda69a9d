"""Foreign errors become ours in this one place: apsw and the operating system in, `hivemind.errors` out."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import apsw

from hivemind.errors import (
    AuditProtected,
    Cancelled,
    DiskFull,
    FileInTheWay,
    HiveMindError,
    InternalFault,
    InvalidFrame,
    InvalidValue,
    MindBusy,
    MindCorrupt,
    MindMissing,
    NotAMind,
    ReadOnlyPlace,
    StorageFault,
)

#: EFBIG is a file-size limit of the account, EDQUOT its quota: for the person both are a full disk.
_NO_SPACE = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
_NO_RIGHT = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_DAMAGE = frozenset({apsw.SQLITE_IOERR_SHORT_READ, apsw.SQLITE_IOERR_CORRUPTFS, apsw.SQLITE_IOERR_DATA})


def translate(fault: BaseException, path: Path, system_errno: int = 0) -> BaseException:
    """The error of ours for a foreign one, with the foreign one as its cause.

    What is ours already, and what is neither SQLite's nor the system's (a caller's ValueError), comes back
    unchanged. `system_errno` is the connection's own, where known. `details` never hold remembered text.
    """
    ours: HiveMindError | None = None
    if isinstance(fault, HiveMindError):
        return fault
    if isinstance(fault, apsw.Error):
        ours = _from_sqlite(fault, path, getattr(fault, "system_errno", system_errno))
    elif isinstance(fault, OSError):
        ours = _from_system(fault.errno or 0, path)
    if ours is None:
        return fault
    ours.__cause__ = fault
    return ours


def _from_sqlite(fault: apsw.Error, path: Path, system_errno: int) -> HiveMindError:
    code = f"{type(fault).__name__} {getattr(fault, 'extendedresult', 0)}"
    if isinstance(fault, apsw.IOError | apsw.CantOpenError | apsw.PermissionsError):
        return _from_files(fault, path, system_errno, code)
    if isinstance(fault, apsw.ConstraintError):
        return _from_constraint(fault)
    for kinds, make in (
        ((apsw.InterruptError,), lambda: Cancelled(details=code)),
        ((apsw.BusyError, apsw.LockedError), lambda: MindBusy(details=code)),
        ((apsw.FullError,), lambda: DiskFull(details=code)),
        ((apsw.ReadOnlyError,), lambda: ReadOnlyPlace(details=code)),
        ((apsw.CorruptError, apsw.FormatError), lambda: MindCorrupt(details=code)),
        ((apsw.NotADBError,), lambda: NotAMind(details=code)),
        ((apsw.AuthError,), _refused),
        ((apsw.TooBigError,), lambda: InvalidValue("This is too large to be stored", details=code)),
        ((apsw.NoMemError,), lambda: StorageFault("There is not enough memory", "Close other programs and try again.")),
    ):
        if isinstance(fault, kinds):
            return make()
    return InternalFault(details=code)


def _refused() -> HiveMindError:
    return AuditProtected(
        "This would weaken the interaction log",
        "It is refused on this connection. Nothing was changed.",
    )


def _from_files(fault: apsw.Error, path: Path, system_errno: int, code: str) -> HiveMindError:
    if getattr(fault, "extendedresult", 0) in _DAMAGE:
        return MindCorrupt(details=code)
    if system_errno in _NO_SPACE:
        return DiskFull(details=code)
    if isinstance(fault, apsw.CantOpenError) and not os.path.lexists(path):
        return MindMissing(details=code)
    no_right = system_errno in _NO_RIGHT or isinstance(fault, apsw.PermissionsError)
    if no_right or not may_write(path):
        return ReadOnlyPlace(details=code)
    return _disk_fault(f"{code} errno {system_errno}")


def may_write(path: Path) -> bool:
    """Whether this account may write the file, if it is there, and its folder (for the -wal)."""
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        return False
    return os.access(path.parent, os.W_OK | os.X_OK)


def _from_constraint(fault: apsw.ConstraintError) -> HiveMindError:
    text = str(fault).removeprefix("ConstraintError: ")
    if getattr(fault, "extendedresult", 0) == apsw.SQLITE_CONSTRAINT_TRIGGER:
        # The texts are the schema's own RAISE words; those of the log begin with its tables' names.
        return AuditProtected(details=text) if text.startswith("ai_") else InvalidFrame(details=text)
    return InternalFault(details=text)


def _from_system(number: int, path: Path) -> HiveMindError:
    if number in _NO_SPACE:
        return DiskFull()
    if number in _NO_RIGHT:
        return ReadOnlyPlace()
    if number == errno.ENOENT:
        return MindMissing()
    if number == errno.EEXIST:
        return FileInTheWay()
    if number in {errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP}:
        return NotAMind("This path does not lead to a file", "Check the path.", details=f"errno {number}")
    return _disk_fault(f"errno {number} at {path.name}")


def _disk_fault(details: str) -> HiveMindError:
    return StorageFault(
        "The disk reported a fault",
        "What was saved before is safe. Check the disk and its connection, then try again.",
        details=details,
    )
