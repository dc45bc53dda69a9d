"""Nearest by a frame's own stored vector: itself and its patches left out, None without a vector."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.core.engine.embedding_driver import Meaning
from tests.samples.encoders import WordEncoder

from hivemind.errors import FrameNotFound
from hivemind.search.similar import similar_frames


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Meaning]:
    made = Meaning(tmp_path / "data", WordEncoder())
    yield made
    made.run(made.engine.close())
    made.runner.close()


def near(world: Meaning, frame_id: int, limit: int = 5) -> list[tuple[int, float]] | None:
    mind = world.run(world.engine.minds.get("personal"))
    found: list[tuple[int, float]] | None = world.run(mind.read(lambda tx: similar_frames(mind, tx, frame_id, limit)))
    return found


def test_nearest_first_and_never_itself(world: Meaning) -> None:
    blue, green, far = world.save("the kettle is blue", "the kettle is green", "seventeen herons crossed rivers")
    world.embedded()
    found = near(world, blue)
    assert found is not None
    assert [frame_id for frame_id, _ in found] == [green, far]
    assert found[0][1] > found[1][1]
    assert len(near(world, blue, 1) or ()) == 1
    world.run(world.engine.memory.trash("personal", [green]))
    assert [frame_id for frame_id, _ in near(world, blue) or ()] == [far]
    with pytest.raises(FrameNotFound):
        near(world, 999)


def test_without_any_vector(world: Meaning) -> None:
    (kettle,) = world.save("a kettle")
    world.embedded()
    mind = world.run(world.engine.minds.get("personal"))
    world.run(mind.write(lambda tx: tx.vectors.remove((kettle,))))
    assert near(world, kettle) is None
