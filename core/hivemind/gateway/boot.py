"""Which start of the computer an entry was written in, and how long after it: a clock that cannot be set back."""

from __future__ import annotations

import time
import uuid
from functools import cache
from pathlib import Path

_LINUX_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@cache
def boot_id() -> str:
    """Linux: the kernel's id of this start. Elsewhere one id per process, as its clock may not be shared."""
    try:
        return str(uuid.UUID(_LINUX_BOOT_ID.read_text(encoding="ascii").strip()))
    except (OSError, ValueError):
        return f"process:{uuid.uuid4()}"


def monotonic_ns() -> int:
    """Nanoseconds on a clock that only runs forward within one `boot_id`."""
    return time.monotonic_ns()
