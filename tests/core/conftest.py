"""Parts that the tests of several rooms stand on: a clock that steps, and a mind whose work is awaited at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from hivemind.gateway import genesis
from hivemind.mind import Mind, MindTransaction

T = TypeVar("T")
START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class StepClock:
    """Each look is one second later than the one before."""

    def __init__(self, start: datetime = START) -> None:
        self.moment = start

    def __call__(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment


class SyncMind:
    """A mind whose work is awaited at once."""

    def __init__(self, mind: Mind, clock: StepClock) -> None:
        self.mind = mind
        self.clock = clock

    def write(self, work: Callable[[MindTransaction], T]) -> T:
        return self.mind.submit_write(work).result(20)

    def read(self, work: Callable[[MindTransaction], T]) -> T:
        return self.mind.submit_read(work).result(20)


@pytest.fixture
def sync_mind(tmp_path: Path) -> Iterator[SyncMind]:
    clock = StepClock()
    mind = Mind.open(tmp_path / "test.mind", "test", create=True, clock=clock, seeders=(genesis(clock),))
    yield SyncMind(mind, clock)
    mind.close()
