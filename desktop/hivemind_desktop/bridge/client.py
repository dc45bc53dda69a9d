"""Calls to the engine from the Qt loop: awaitables that never block it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from .engine_thread import EngineThread, Work

if TYPE_CHECKING:
    from hivemind.engine import Engine

T = TypeVar("T")


class EngineClient:
    """`await client.call(lambda engine: engine.memory.count("personal"))`. Only frozen dataclasses cross."""

    def __init__(self, thread: EngineThread, loop: asyncio.AbstractEventLoop) -> None:
        self._thread = thread
        self._loop = loop

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The Qt loop."""
        return self._loop

    def call(self, work: Work[T]) -> asyncio.Future[T]:
        """Run `work(engine)` on the engine's thread. Cancelling the awaiting task cancels it there too."""
        return asyncio.wrap_future(self._thread.submit(work), loop=self._loop)

    def value(self, read: Callable[[Engine], T]) -> asyncio.Future[T]:
        """The same for what the engine has at hand and answers without waiting."""

        async def work(engine: Engine) -> T:
            return read(engine)

        return self.call(work)

    async def aclose(self) -> None:
        """Cancel what runs, close the engine and end its thread."""
        await asyncio.wrap_future(self._thread.close(), loop=self._loop)
        self._thread.join()
