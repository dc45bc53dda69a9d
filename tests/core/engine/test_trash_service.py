"""Trash: listed with the days left, deleted for good only from there, removed after thirty days by the clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.core.engine.test_backup_service import Calendar

from hivemind.engine.trash_service import KEPT
from hivemind.errors import CannotUndo, InvalidValue
from hivemind.settings import Settings, save_settings


@pytest.fixture
def calendar(tmp_path: Path) -> Iterator[Calendar]:
    made = Calendar(tmp_path / "data")
    save_settings(made.engine.data.settings_file, Settings(backup_every="off"))
    yield made
    made.close()


def test_days_left_count_down_and_then_it_is_removed(calendar: Calendar) -> None:
    trash = calendar.engine.trash
    old, young, pinned = (calendar.save(text) for text in ("old", "young", "pinned"))
    calendar.run(calendar.engine.memory.set_pinned("personal", [pinned], True))
    calendar.run(calendar.engine.memory.trash("personal", [old, pinned]))
    calendar.now += timedelta(days=10)
    calendar.run(calendar.engine.memory.trash("personal", [young]))
    rows = calendar.run(trash.list_memories("personal"))
    assert [(row.text, row.days_left) for row in rows] == [("young", 30), ("pinned", 20), ("old", 20)]
    assert calendar.run(trash.count("personal")) == 3
    calendar.now += KEPT - timedelta(days=10)
    assert calendar.tidy() is not None
    assert calendar.run(trash.count("personal")) == 3, "exactly thirty days is not longer than thirty days"
    calendar.now += timedelta(seconds=1)
    done = calendar.tidy()
    assert done is not None
    assert done.removed == 1
    assert {row.text for row in calendar.run(trash.list_memories("personal"))} == {"young", "pinned"}
    calendar.now += KEPT
    calendar.tidy()
    assert [row.text for row in calendar.run(trash.list_memories("personal"))] == ["pinned"], "pinned ones stay"


def test_only_what_is_in_the_trash_can_be_deleted_and_undo_says_why_not(calendar: Calendar) -> None:
    trash = calendar.engine.trash
    kept, gone = calendar.save("kept"), calendar.save("gone")
    calendar.run(calendar.engine.memory.trash("personal", [gone]))
    with pytest.raises(InvalidValue, match="Only what is in the trash"):
        calendar.run(trash.delete("personal", [gone, kept]))
    assert calendar.run(trash.count("personal")) == 1, "nothing was deleted"
    assert calendar.run(trash.delete("personal", [gone, 999])) == 1
    with pytest.raises(CannotUndo, match="deleted for good"):
        calendar.run(calendar.engine.changes.undo("personal"))
    assert calendar.run(calendar.engine.memory.count("personal")) == 1


def test_emptying_takes_everything_in_slices(calendar: Calendar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hivemind.engine.trash_service._SLICE", 3)
    ids = [calendar.save(f"note {n}") for n in range(8)]
    calendar.run(calendar.engine.memory.trash("personal", ids[1:]))
    assert calendar.run(calendar.engine.trash.empty("personal")) == 7
    assert calendar.run(calendar.engine.trash.list_memories("personal")) == []
    assert calendar.run(calendar.engine.memory.count("personal")) == 1
    residue = calendar.write(lambda tx: tx.connection.execute(
        "SELECT count(*) FROM memory_frames_fts WHERE memory_frames_fts MATCH 'note'").get)  # fmt: skip
    assert residue == 1
