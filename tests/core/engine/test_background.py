"""Work that goes on by itself: begun once, ended once, begun again."""

from __future__ import annotations

import asyncio

import pytest

from hivemind.engine.background import BackgroundTask


class Counted:
    """Counts how often it was begun and ended."""

    def __init__(self) -> None:
        self.begun = self.ended = 0

    async def run(self) -> None:
        self.begun += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.ended += 1


def test_it_is_begun_once_and_has_ended_when_stop_returns() -> None:
    async def life() -> None:
        counted = Counted()
        task = BackgroundTask(counted.run)
        task.start()
        task.start()
        await asyncio.sleep(0)
        assert (counted.begun, counted.ended) == (1, 0)
        assert await task.stop()
        assert (counted.begun, counted.ended) == (1, 1)

    asyncio.run(life())


def test_stopping_what_does_not_run_says_so_and_it_can_be_begun_again() -> None:
    async def life() -> None:
        counted = Counted()
        task = BackgroundTask(counted.run)
        assert not await task.stop()
        for _ in range(2):
            task.start()
            await asyncio.sleep(0)
            assert await task.stop()
            assert not await task.stop()
        assert (counted.begun, counted.ended) == (2, 2)

    asyncio.run(life())


def test_a_fault_that_ended_it_is_not_swallowed() -> None:
    async def failing() -> None:
        raise ZeroDivisionError

    async def life() -> None:
        task = BackgroundTask(failing)
        task.start()
        await asyncio.sleep(0)
        with pytest.raises(ZeroDivisionError):
            await task.stop()
        assert not await task.stop()

    asyncio.run(life())
