"""Beside a memory: its uses, newest first, and its neighbours by meaning without asking a model.

Covers: reading_service.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.engine.conftest import Driver
from tests.core.engine.embedding_driver import Meaning
from tests.samples.encoders import WordEncoder

from hivemind.domain.frames import Access
from hivemind.errors import FrameNotFound

HERE = "personal"


def test_uses_of_a_memory_and_its_corrections(driver: Driver) -> None:
    first = driver.run(lambda e: e.memory.save("blue kettle", HERE)).frame.id
    driver.run(lambda e: e.memory.used(HERE, (Access(first, "opened", query_id="q1"),)))
    second = driver.run(lambda e: e.memory.save("green kettle", HERE, amends=first)).frame.id
    driver.run(lambda e: e.memory.used(HERE, (Access(second, "returned", "claude-desktop", "q2"),)))
    told = driver.run(lambda e: e.reading.accesses(HERE, first))
    assert [(one.kind, one.client) for one in told] == [("returned", "claude-desktop"), ("opened", None)]
    assert len(driver.run(lambda e: e.reading.accesses(HERE, second, 1))) == 1
    with pytest.raises(FrameNotFound):
        driver.run(lambda e: e.reading.accesses(HERE, 999))


def test_without_vectors_it_says_so(driver: Driver) -> None:
    first = driver.run(lambda e: e.memory.save("blue kettle", HERE)).frame.id
    told = driver.run(lambda e: e.reading.similar(HERE, first))
    assert told.frames == ()
    assert told.reason


def test_neighbours_by_meaning(tmp_path: Path) -> None:
    world = Meaning(tmp_path / "data", WordEncoder())
    try:
        blue, green, far = world.save("the kettle is blue", "the kettle is green", "seventeen herons crossed rivers")
        world.embedded()
        told = world.run(world.engine.reading.similar(HERE, blue, 2))
        assert [one.listed.frame.id for one in told.frames] == [green, far]
        assert told.frames[0].similarity > told.frames[1].similarity
        amended = world.run(world.engine.memory.save("the kettle is red", HERE, amends=blue)).frame.id
        world.embedded()
        told = world.run(world.engine.reading.similar(HERE, blue, 5))
        assert {blue, amended}.isdisjoint(one.listed.frame.id for one in told.frames), "its own patches are no others"
    finally:
        world.run(world.engine.close())
        world.runner.close()
