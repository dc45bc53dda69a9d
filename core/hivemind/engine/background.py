"""Work of a service that goes on by itself: begun once, and ended where it can go on later."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any


class BackgroundTask:
    """`work` runs until it is cancelled, each time it is begun. Belongs to one event loop."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._work = work
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, unless it has been begun."""
        if self._running is None:
            self._running = asyncio.create_task(self._work())

    async def stop(self) -> bool:
        """Cancel it and wait for its end. Whether it had been begun. Raises what ended it before, if anything did."""
        running, self._running = self._running, None
        if running is None:
            return False
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        return True
