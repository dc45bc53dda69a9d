"""Changes: a hundred back and no further, each taken back whole or not at all. Covers: operations."""

from __future__ import annotations

import pytest

from hivemind.changes import KEPT, OPERATIONS, ChangeStore
from hivemind.domain.frames import FrameDraft, Importance
from hivemind.domain.work import Change
from hivemind.errors import CannotUndo, ChangeNotFound, InternalFault
from hivemind.mind.saving import save


def saved(sync_mind, text: str) -> int:
    return sync_mind.write(lambda tx: save(tx, FrameDraft(text))).frame.id


def test_only_the_last_hundred_are_kept(sync_mind):
    def work(tx):
        store = ChangeStore(tx)
        for n in range(KEPT + 5):
            store.record(Change(f"change {n}", ()))
        return store.list_recent(1000)

    kept = sync_mind.write(work)
    assert [kept[0].label, kept[-1].label, len(kept)] == [f"change {KEPT + 4}", "change 5", KEPT]


def test_undone_changes_are_passed_over_and_forgotten_by_the_next_action(sync_mind):
    def work(tx):
        store = ChangeStore(tx)
        store.record(Change("one", ()))
        store.record(Change("two", ()))
        store.take_back(*store.latest())
        assert store.latest()[0].label == "one"
        store.record(Change("three", ()))
        return [change.label for change in store.list_recent()]

    assert sync_mind.write(work) == ["three", "one"]


def test_an_unknown_operation_is_refused_when_recorded(sync_mind):
    with pytest.raises(InternalFault):
        sync_mind.write(lambda tx: ChangeStore(tx).record(Change("x", (("frames.explode", {}),))))


def test_nothing_to_undo_has_a_name(sync_mind):
    with pytest.raises(ChangeNotFound):
        sync_mind.read(lambda tx: ChangeStore(tx).latest())


def test_a_step_that_no_longer_fits_takes_the_whole_undo_back(sync_mind):
    frame = saved(sync_mind, "one")
    step = {"id": frame, "to": "normal", "expect": "critical"}
    change = Change("two steps", (("frames.set_pinned", {"id": frame, "to": True}), ("frames.set_importance", step)))
    sync_mind.write(lambda tx: ChangeStore(tx).record(change))
    sync_mind.write(lambda tx: tx.frames.set_importance(frame, Importance.IMPORTANT))
    with pytest.raises(CannotUndo):
        sync_mind.write(lambda tx: ChangeStore(tx).take_back(*ChangeStore(tx).latest()))
    assert sync_mind.read(lambda tx: tx.frames.get(frame)).pinned is False


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("frames.remove", {"ids": [99]}),
        ("frames.set_importance", {"id": 99, "to": "normal", "expect": "normal"}),
        ("frames.set_pinned", {"id": 99, "to": True}),
        ("frames.restore", {"ids": [99]}),
        ("frames.trash", {"frames": [[99, "2026-01-01T00:00:00.000Z"]]}),
        ("sessions.rename", {"id": "gone", "to": "a", "expect": "b"}),
        ("imports.undo", {"run_id": 1}),
    ],
)
def test_what_is_gone_cannot_be_undone(sync_mind, name, arguments):
    with pytest.raises(CannotUndo):
        sync_mind.write(lambda tx: OPERATIONS[name](tx, arguments))


def test_an_edited_memory_is_not_removed_by_undoing_its_save(sync_mind):
    frame = saved(sync_mind, "one")
    sync_mind.write(lambda tx: tx.frames.amend(frame, "two"))
    with pytest.raises(CannotUndo):
        sync_mind.write(lambda tx: OPERATIONS["frames.remove"](tx, {"ids": [frame]}))
