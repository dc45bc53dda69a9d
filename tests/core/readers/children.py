"""What the reading children of these tests do. Imports little: a child imports this module too."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Iterator

from hivemind.errors import SourceUnknown


def count(upto: int) -> Iterator[int]:
    yield from range(upto)


def loaded() -> Iterator[list[str]]:
    yield sorted(name for name in sys.modules if name.split(".")[0] in {"PySide6", "apsw", "qasync", "pytest"})


def greedy() -> Iterator[int]:
    hoard = []
    while True:
        hoard.append(bytearray(50_000_000))
    yield len(hoard)


def slow() -> Iterator[int]:
    yield 1
    time.sleep(60)


def fault() -> Iterator[int]:
    yield 1
    raise SourceUnknown(hint="This looks like something else.")


def disk_full() -> Iterator[int]:
    yield 1
    raise OSError(errno.ENOSPC, "no space")


def bug() -> Iterator[int]:
    yield 1
    raise KeyError("secret words of a person")


def suicide() -> Iterator[int]:
    yield 1
    os.kill(os.getpid(), signal.SIGKILL)


def chatter() -> Iterator[bytes]:
    while True:
        yield b"x" * 100_000
