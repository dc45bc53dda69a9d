"""A spawned child process for foreign files: limits on memory and time, answers over a pipe with back-pressure.

The child imports only the target's module. It ends by itself when its parent is gone.
"""

from __future__ import annotations

import contextlib
import errno
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, cast

from hivemind.errors import Cancelled, DiskFull, HiveMindError, ReaderStopped, SourceUnreadable
from hivemind.spawning import pipe, settle_child, start_child

_POLL = 0.1


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use: bytes of memory, seconds without an answer, seconds of waiting in all (0 = no limit)."""

    memory: int = 1 << 30
    idle: float = 120.0
    total: float = 0.0


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
        self._answers, answering = pipe(duplex=False)
        self._process = start_child(serve, (answering, target, args, limits.memory), "hive-mind-reader")
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
    settle_child()
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


def limit_memory(size: int) -> None:
    """Cap this process's address space where the platform knows how; elsewhere the byte caps must do."""
    if size <= 0 or sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (size if hard < 0 else min(size, hard), hard))
