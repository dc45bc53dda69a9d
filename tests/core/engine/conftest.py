"""A real engine in a temporary data folder, driven by one event loop per test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from hivemind.engine import Engine

T = TypeVar("T")


class Driver:
    """Runs coroutines of one engine on one loop."""

    def __init__(self, data: Path) -> None:
        self.runner = asyncio.Runner()
        self.engine = Engine(data)
        self.run(lambda engine: engine.open())

    def run(self, work: Callable[[Engine], Coroutine[Any, Any, T]]) -> T:
        return self.runner.run(asyncio.wait_for(work(self.engine), 60))

    def close(self) -> None:
        self.run(lambda engine: engine.close())
        self.runner.close()


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    made = Driver(tmp_path / "data")
    yield made
    made.close()
