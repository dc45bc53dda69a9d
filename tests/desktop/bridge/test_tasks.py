"""Tasks of a page: the newer one of a purpose wins, failures are told, closing ends everything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hivemind_desktop.bridge import TaskSet


def run(walk: Callable[[TaskSet, list[BaseException]], Awaitable[None]]) -> None:
    async def main() -> None:
        failures: list[BaseException] = []
        await walk(TaskSet(asyncio.get_running_loop(), failures.append), failures)

    asyncio.run(main())


def test_the_newer_task_replaces_the_older() -> None:
    async def walk(tasks: TaskSet, failures: list[BaseException]) -> None:
        done: list[str] = []

        async def say(word: str) -> None:
            await asyncio.sleep(0.01)
            done.append(word)

        tasks.start("search", say("first"))
        tasks.start("other", say("beside"))
        tasks.start("search", say("second"))
        assert tasks.is_running("search")
        await asyncio.sleep(0.05)
        assert done == ["beside", "second"]
        assert not tasks.is_running("search")
        assert failures == []

    run(walk)


def test_failures_are_told_to_whoever_asked() -> None:
    async def walk(tasks: TaskSet, failures: list[BaseException]) -> None:
        own: list[BaseException] = []

        async def fail() -> None:
            raise ValueError

        tasks.start("a", fail())
        tasks.start("b", fail(), own.append)
        await asyncio.sleep(0.01)
        assert len(failures) == 1
        assert len(own) == 1

    run(walk)


def test_closing_cancels_and_nothing_starts_after_it() -> None:
    async def walk(tasks: TaskSet, failures: list[BaseException]) -> None:
        ended: list[str] = []

        async def endless() -> None:
            try:
                await asyncio.sleep(3600)
            finally:
                ended.append("ended")

        tasks.start("a", endless())
        await asyncio.sleep(0)
        tasks.close()
        await asyncio.sleep(0)
        tasks.start("b", endless())
        await asyncio.sleep(0)
        assert ended == ["ended"]
        assert failures == []

    run(walk)
