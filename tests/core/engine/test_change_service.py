"""The history of actions: why one cannot be undone is found by trying, and trying changes nothing; undo up to one."""

from __future__ import annotations

import pytest
from tests.core.engine.conftest import Driver
from tests.core.engine.test_undo import dump

from hivemind.domain.frames import Importance
from hivemind.engine.change_service import LOST
from hivemind.errors import CannotUndo, ChangeNotFound


def save(driver: Driver, text: str) -> int:
    return driver.run(lambda engine: engine.memory.save(text, "personal")).frame.id


def mark(driver: Driver, frame_id: int, importance: Importance) -> None:
    driver.run(lambda engine: engine.memory.set_importance("personal", [frame_id], importance))


def rows(driver: Driver) -> dict[str, list[object]]:
    async def read(engine):  # type: ignore[no-untyped-def]
        mind = await engine.minds.get("personal")
        return await mind.read(dump)

    return driver.run(read)  # type: ignore[no-any-return]


def test_undo_up_to_here_takes_back_all_later_ones_too(driver: Driver) -> None:
    first = save(driver, "first")
    before = rows(driver)
    mark(driver, first, Importance.CRITICAL)
    save(driver, "second")
    mark(driver, first, Importance.IMPORTANT)
    lines = driver.run(lambda engine: engine.changes.history("personal"))
    assert [line.refusal for line in lines] == ["", "", "", ""]
    undone = driver.run(lambda engine: engine.changes.undo_until("personal", lines[2].id))
    assert [one.id for one in undone] == [line.id for line in lines[:3]]
    assert rows(driver) == before
    lines = driver.run(lambda engine: engine.changes.history("personal"))
    assert [line.undone_at is None for line in lines] == [False, False, False, True]
    with pytest.raises(ChangeNotFound, match="not there to undo"):
        driver.run(lambda engine: engine.changes.undo_until("personal", lines[0].id))


def test_why_one_cannot_be_undone_and_what_stands_behind_it(driver: Driver) -> None:
    kept = save(driver, "kept")
    gone = save(driver, "gone")
    driver.run(lambda engine: engine.memory.trash("personal", [gone]))
    driver.run(lambda engine: engine.trash.delete("personal", [gone]))
    mark(driver, kept, Importance.CRITICAL)
    before = rows(driver)
    lines = driver.run(lambda engine: engine.changes.history("personal"))
    assert rows(driver) == before, "the rehearsal left nothing behind"
    assert [line.label for line in lines] == [
        "Set importance to critical", "Move to trash", "Save a memory", "Save a memory",
    ]  # fmt: skip
    assert lines[0].refusal == ""
    assert [line.refusal for line in lines[1:]] == [LOST, LOST, ""], "what is lost is passed over"
    driver.run(lambda engine: engine.changes.undo("personal"))
    with pytest.raises(CannotUndo, match="deleted for good"):
        driver.run(lambda engine: engine.changes.undo("personal"))
    assert driver.run(lambda engine: engine.memory.count("personal")) == 1, "nothing older was undone instead"
    undone = driver.run(lambda engine: engine.changes.undo_until("personal", lines[3].id))
    assert [one.id for one in undone] == [lines[3].id]
    assert driver.run(lambda engine: engine.memory.count("personal")) == 0


def test_behind_one_that_refuses_nothing_can_be_undone(driver: Driver) -> None:
    frame = save(driver, "kept")
    mark(driver, frame, Importance.CRITICAL)

    async def meddle(engine):  # type: ignore[no-untyped-def]
        mind = await engine.minds.get("personal")
        await mind.write(lambda tx: tx.frames.set_importance(frame, Importance.IMPORTANT))

    driver.run(meddle)
    lines = driver.run(lambda engine: engine.changes.history("personal"))
    assert "importance was changed since" in lines[0].refusal
    assert "stands in the way" in lines[1].refusal
    with pytest.raises(CannotUndo):
        driver.run(lambda engine: engine.changes.undo_until("personal", lines[1].id))
    assert driver.run(lambda engine: engine.memory.count("personal")) == 1
