"""Which process runs an import, so that another can tell a living run from an interrupted one."""

from __future__ import annotations

import os
import secrets
import sys

from hivemind.gateway.boot import boot_id

_TOKEN = secrets.token_hex(8)


def owner_mark() -> dict[str, str]:
    """This process, for an import run's `options`."""
    return {"pid": str(os.getpid()), "boot": boot_id(), "token": _TOKEN}


def is_gone(mark: object) -> bool:
    """Whether the process that left this mark no longer runs. Unknown marks count as gone."""
    if not isinstance(mark, dict) or not str(mark.get("pid", "")).isdecimal():
        return True
    pid = int(mark["pid"])
    if pid == os.getpid():
        return mark.get("token") != _TOKEN
    # A boot id is shared only where the system has one; elsewhere the process id has to do.
    shared = not str(mark.get("boot", "")).startswith("process:")
    if shared and mark.get("boot") != boot_id():
        return True
    return not _runs(pid)


def _runs(pid: int) -> bool:
    if sys.platform == "win32":
        return _runs_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _runs_on_windows(pid: int) -> bool:
    # os.kill would end the process there.
    import ctypes

    still_active, query = 259, 0x1000
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(query, False, pid)
    if not handle:
        return False
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == still_active
