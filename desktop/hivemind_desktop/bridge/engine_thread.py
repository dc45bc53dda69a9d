"""The engine's thread: an asyncio loop of its own that opens the engine, runs calls on it and closes it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import gc
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from hivemind.errors import Cancelled

if TYPE_CHECKING:
    from hivemind.engine import Engine

T = TypeVar("T")
#: Makes an engine that is not open yet. Runs on the engine's thread, so it may import what takes long.
EngineMaker = Callable[[], "Engine"]
Work = Callable[["Engine"], Awaitable[T]]
LoopFault = Callable[[asyncio.AbstractEventLoop, dict[str, Any]], object]

#: A thread that computes gives the interpreter to the Qt thread after this many seconds (Python's own: 0.005).
SWITCH_INTERVAL = 0.001
#: Closing waits this long for an opening that is under way, seconds: a locked file is given up after 10.
OPENING_PATIENCE = 12.0


class EngineThread:
    """Runs calls on one engine. The engine is opened by the first call; when that fails, the next call tries again."""

    def __init__(self, make_engine: EngineMaker) -> None:
        self._make_engine = make_engine
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._opening: asyncio.Task[Engine] | None = None
        self._calls: set[asyncio.Task[Any]] = set()
        self._closing = False
        self._closed: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._thread = threading.Thread(target=self._main, name="engine", daemon=True)

    def start(self, on_fault: LoopFault | None = None) -> None:
        """on_fault: hears of what goes wrong in the loop's callbacks and tasks that nobody waits for."""
        if on_fault is not None:
            self._loop.set_exception_handler(on_fault)
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def submit(self, work: Work[T]) -> concurrent.futures.Future[T]:
        """Run `work(engine)` on the engine's loop, from any thread. Cancelling the future cancels it there.

        Its errors are those of the work and of opening the engine. Once closing began: Cancelled.
        """
        if self._closing:
            refused: concurrent.futures.Future[T] = concurrent.futures.Future()
            refused.set_exception(Cancelled())
            return refused
        return asyncio.run_coroutine_threadsafe(self._run(work), self._loop)

    def close(self) -> concurrent.futures.Future[None]:
        """Cancel what runs, close the engine, end the thread. The future is done when all of that has happened."""
        if not self._closing:
            self._closing = True
            if self._thread.is_alive():
                self._loop.call_soon_threadsafe(self._stop.set)
            else:
                self._loop.close()
                self._closed.set_result(None)
        return self._closed

    def join(self) -> None:
        """Wait for the thread. Only for after `close` is done: it is about to end then."""
        if self._thread.ident is not None:
            self._thread.join()

    def _main(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._serve())
        except BaseException as error:
            self._closed.set_exception(error)
            raise
        self._closed.set_result(None)

    async def _serve(self) -> None:
        await self._stop.wait()
        # Calls submitted before closing began have their tasks by now, or get them in this round.
        await asyncio.sleep(0)
        running = [task for task in self._calls if not task.done()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._opening is not None:
            # An opening cut short could leave a file open behind it, so it gets its time.
            await asyncio.wait({self._opening}, timeout=OPENING_PATIENCE)
            self._opening.cancel()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await (await self._opening).close()

    async def _run(self, work: Work[T]) -> T:
        task = asyncio.current_task()
        assert task is not None
        self._calls.add(task)
        try:
            return await work(await self._engine())
        finally:
            self._calls.discard(task)

    async def _engine(self) -> Engine:
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
            self._opening.add_done_callback(self._forget_failure)
        # Shielded: a page that is closed meanwhile must not stop the opening for the others.
        return await asyncio.shield(self._opening)

    def _forget_failure(self, opening: asyncio.Task[Engine]) -> None:
        if opening.cancelled() or opening.exception() is not None:
            self._opening = None

    async def _open(self) -> Engine:
        engine = self._make_engine()
        try:
            await engine.open()
        except BaseException:
            with contextlib.suppress(Exception):
                await engine.close()
            raise
        # What is loaded by now stays: a full collection need not walk all of Qt and the engine again. It took 60 to
        # 150 ms in the middle of an import, and the window stood still for it.
        gc.freeze()
        return engine
