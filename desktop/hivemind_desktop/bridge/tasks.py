"""The tasks of one page: one per purpose, a newer one replaces the older, all end with the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

Failure = Callable[[BaseException], object]


class TaskSet:
    """Starts coroutines on the Qt loop and tells `on_failure` what went wrong. Being cancelled is no failure."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_failure: Failure) -> None:
        self._loop = loop
        self._on_failure = on_failure
        self._running: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    def start(self, key: str, work: Coroutine[Any, Any, None], on_failure: Failure | None = None) -> None:
        """Run `work`; a task that still runs under the same key is cancelled first."""
        if self._closed:
            work.close()
            return
        self.cancel(key)
        task = self._loop.create_task(work, name=key)
        self._running[key] = task
        task.add_done_callback(lambda done: self._done(key, done, on_failure or self._on_failure))

    def is_running(self, key: str) -> bool:
        return key in self._running

    def cancel(self, key: str) -> None:
        task = self._running.pop(key, None)
        if task is not None:
            task.cancel()

    def close(self) -> None:
        """Cancel everything; nothing starts here any more."""
        self._closed = True
        for key in list(self._running):
            self.cancel(key)

    def _done(self, key: str, task: asyncio.Task[None], on_failure: Failure) -> None:
        if self._running.get(key) is task:
            del self._running[key]
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not self._closed:
            on_failure(error)
