"""The engine's thread and client: values, errors, retries, cancelling across the boundary, closing."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from hivemind.engine import Engine
from hivemind.errors import Cancelled, MindCorrupt
from hivemind_desktop.bridge import engine_thread
from hivemind_desktop.bridge.client import EngineClient
from hivemind_desktop.bridge.engine_thread import SWITCH_INTERVAL, EngineThread


class QuietEngine:
    """Opens and closes, and can be told to fail at opening."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.opened = self.closed = 0
        self.thread = ""

    async def open(self) -> None:
        self.thread = threading.current_thread().name
        if self.failures:
            self.failures -= 1
            raise MindCorrupt()
        self.opened += 1

    async def close(self) -> None:
        self.closed += 1


def run(engine: object, walk: Callable[[EngineClient, EngineThread], Awaitable[None]]) -> None:
    async def main() -> None:
        thread = EngineThread(lambda: cast("Engine", engine))
        thread.start()
        client = EngineClient(thread, asyncio.get_running_loop())
        try:
            await walk(client, thread)
        finally:
            await client.aclose()
            assert not thread.is_alive

    asyncio.run(main())


async def _value(engine: Any) -> int:
    return 42


async def _boom(engine: Any) -> int:
    raise ValueError("boom")


def test_values_and_errors_come_back() -> None:
    engine = QuietEngine()

    async def walk(client: EngineClient, thread: EngineThread) -> None:
        assert await client.call(_value) == 42
        with pytest.raises(ValueError, match="boom"):
            await client.call(_boom)
        assert await client.value(lambda made: made is not None) is True
        assert engine.opened == 1
        assert engine.thread == "engine"
        assert sys.getswitchinterval() == pytest.approx(SWITCH_INTERVAL)

    run(engine, walk)
    assert engine.closed == 1


def test_a_failed_opening_is_told_and_tried_again() -> None:
    engine = QuietEngine(failures=2)

    async def walk(client: EngineClient, thread: EngineThread) -> None:
        for _ in range(2):
            with pytest.raises(MindCorrupt):
                await client.call(_value)
        assert await client.call(_value) == 42

    run(engine, walk)


def test_two_calls_share_one_opening() -> None:
    engine = QuietEngine()

    async def walk(client: EngineClient, thread: EngineThread) -> None:
        assert await asyncio.gather(*(client.call(_value) for _ in range(5))) == [42] * 5
        assert engine.opened == 1

    run(engine, walk)


def test_cancelling_crosses_the_boundary() -> None:
    began, ended = threading.Event(), threading.Event()

    async def endless(engine: Any) -> None:
        began.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            ended.set()
            raise

    async def walk(client: EngineClient, thread: EngineThread) -> None:
        task = asyncio.ensure_future(client.call(endless))
        while not began.is_set():
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(ended.wait, 5)

    run(QuietEngine(), walk)


def test_closing_cancels_what_runs_and_refuses_what_comes() -> None:
    engine = QuietEngine()
    ended = threading.Event()

    async def endless(made: Any) -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            assert engine.closed == 0  # the engine is closed after its calls have ended
            ended.set()

    async def walk(client: EngineClient, thread: EngineThread) -> None:
        await client.call(_value)
        waiting = asyncio.ensure_future(client.call(endless))
        await asyncio.sleep(0.02)
        await client.aclose()
        assert ended.is_set()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        with pytest.raises(Cancelled):
            await client.call(_value)

    run(engine, walk)
    assert engine.closed == 1


def test_closing_does_not_wait_forever_for_an_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_thread, "OPENING_PATIENCE", 0.1)

    class SlowEngine(QuietEngine):
        async def open(self) -> None:
            began.set()
            await asyncio.sleep(3600)

    began, engine = threading.Event(), SlowEngine()

    async def walk(client: EngineClient, thread: EngineThread) -> None:
        waiting = asyncio.ensure_future(client.call(_value))
        await asyncio.to_thread(began.wait, 5)
        await asyncio.wait_for(client.aclose(), 5)
        with pytest.raises(asyncio.CancelledError):
            await waiting

    run(engine, walk)
    assert engine.closed == 1


def test_a_thread_never_started_closes_too() -> None:
    async def main() -> None:
        thread = EngineThread(lambda: cast("Engine", QuietEngine()))
        await EngineClient(thread, asyncio.get_running_loop()).aclose()
        assert not thread.is_alive

    asyncio.run(main())


def test_fifty_times_open_and_close_with_calls_running(tmp_path: Path) -> None:
    before = threading.active_count()

    async def once() -> None:
        thread = EngineThread(lambda: Engine(tmp_path))
        thread.start()
        client = EngineClient(thread, asyncio.get_running_loop())
        running = [
            asyncio.ensure_future(client.call(lambda engine: engine.memory.count("personal"))),
            asyncio.ensure_future(client.call(lambda engine: engine.memory.save("A memory", "personal"))),
            asyncio.ensure_future(client.call(lambda engine: engine.safety.verify("personal"))),
        ]
        await asyncio.sleep(0)
        await client.aclose()
        await asyncio.gather(*running, return_exceptions=True)
        assert not thread.is_alive

    async def main() -> None:
        for _ in range(50):
            await once()

    asyncio.run(main())
    assert threading.active_count() <= before + 1

    async def intact() -> list[str]:
        engine = Engine(tmp_path)
        await engine.open()
        try:
            return await engine.safety.verify("personal")
        finally:
            await engine.close()

    assert asyncio.run(intact()) == []
