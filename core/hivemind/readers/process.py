"""A spawned child process for foreign files: limits on memory and time, answers over a pipe with back-pressure.

The child imports only the target's module. It ends by itself when its parent is gone.
"""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from hivemind.errors import Cancelled, DiskFull, HiveMindError, ReaderStopped, SourceUnreadable

_SPAWN = multiprocessing.get_context("spawn")
_START_LOCK = threading.Lock()
_POLL = 0.1


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use: bytes of memory, seconds without an answer, seconds of waiting in all (0 = no limit)."""

    memory: int = 1 << 30
    idle: float = 120.0
    total: float = 0.0


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


class ReaderProcess:
    """Runs `target(*args)`, a module-level generator function, in a child; `receive` hands on what it yields.

    The child works at most one answer ahead of the pipe's buffer. Thread-safe for one receiver and any killer.
    """

    def __init__(
        self, target: Callable[..., Iterable[object]], args: tuple[Any, ...] = (), limits: Limits = Limits()
    ) -> None:
        self._limits = limits
        self._waited = 0.0
        self._killed = False
        self._answers, answering = _SPAWN.Pipe(duplex=False)
        self._process = _SPAWN.Process(
            target=serve, args=(answering, target, args, limits.memory), daemon=True, name="hive-mind-reader"
        )
        with _START_LOCK, _light_main():
            self._process.start()
        answering.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def receive(self) -> object | None:
        """The next answer, None at the end. Blocks.

        Raises what the child raised (a HiveMindError), ReaderStopped when it died or went over a limit,
        Cancelled after `kill`.
        """
        began = time.monotonic()
        while not self._ready():
            passed = time.monotonic() - began
            if self._killed:
                raise Cancelled
            if passed > self._limits.idle > 0 or self._waited + passed > self._limits.total > 0:
                self.kill()
                raise ReaderStopped("Reading this file took too long", details="time limit")
        self._waited += time.monotonic() - began
        try:
            answer = self._answers.recv()
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            raise self._stopped() from error
        if isinstance(answer, HiveMindError):
            self.kill()
            raise answer
        if answer is None:
            self._finish()
        return cast(object, answer)

    def _ready(self) -> bool:
        try:
            return self._answers.poll(_POLL)
        except (EOFError, OSError) as error:
            raise self._stopped() from error

    def _finish(self) -> None:
        self._process.join(5)
        self.kill()

    def _stopped(self) -> HiveMindError:
        if self._killed:
            return Cancelled()
        self._process.join(5)
        code = self._process.exitcode
        self.kill()
        return ReaderStopped(details=f"the reader's process ended with {code}")

    def kill(self) -> None:
        """End the child at once. Harmless when it has ended."""
        self._killed = True
        if self._process.is_alive():
            self._process.kill()
            self._process.join(5)

    def close(self) -> None:
        """End the child and give the pipe back. No receiver may be waiting."""
        self.kill()
        self._answers.close()

    def __enter__(self) -> ReaderProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def serve(answers: Connection, target: Callable[..., Iterable[object]], args: tuple[Any, ...], memory: int) -> None:
    """The child's whole life: run the target, send what it yields, then None, or the error that ended it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limit_memory(memory)
    try:
        for answer in target(*args):
            answers.send(answer)
        answers.send(None)
    except HiveMindError as error:
        answers.send(error)
    except MemoryError:
        answers.send(ReaderStopped("This file needs more memory than a reader may use", details="memory limit"))
    except ConnectionError:  # the parent has gone
        pass
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        answers.send(DiskFull() if full else SourceUnreadable(details=f"{type(error).__name__} in {_place(error)}"))
    except Exception as error:
        # A reader's bug must not look like an empty file. Its text may quote the file, so only its kind is told.
        place = _place(error)
        answers.send(ReaderStopped(details=f"{type(error).__name__} in {place}"))
    finally:
        answers.close()


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    place = "the reader"
    while trace is not None:
        place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"  # noqa: PTH119
        trace = trace.tb_next
    return place


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def limit_memory(size: int) -> None:
    """Cap this process's address space where the platform knows how; elsewhere the byte caps must do."""
    if size <= 0 or sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (size if hard < 0 else min(size, hard), hard))
