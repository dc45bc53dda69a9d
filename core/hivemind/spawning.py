"""How a child process is started beside any main program, and how it ends when its parent is gone."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

_SPAWN = multiprocessing.get_context("spawn")
#: One for the whole program: two threads that hide the main module at once would put back the wrong one.
_START_LOCK = threading.Lock()


def pipe(duplex: bool = True) -> tuple[Connection, Connection]:
    """Two ends. With `duplex` False the first receives and the second sends."""
    return _SPAWN.Pipe(duplex=duplex)


def start_child(target: Callable[..., None], args: tuple[Any, ...], name: str) -> SpawnProcess:
    """Start `target(*args)`, a module-level function, in a fresh interpreter that imports only its module."""
    process = _SPAWN.Process(target=target, args=args, daemon=True, name=name)
    with _START_LOCK, _light_main():
        process.start()
    return process


@contextlib.contextmanager
def _light_main() -> Iterator[None]:
    """Hide the program's main module while a child starts.

    spawn would run the main script again in the child: that would load the whole app there, and a script of a
    library user without an import guard would start itself once more.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def settle_child() -> None:
    """First thing in a child: leave Ctrl+C to the parent, and end at once when the parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
