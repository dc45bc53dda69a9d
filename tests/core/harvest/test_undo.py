"""Taking an import back: only what it brought goes; shared and touched stays. Covers: protection"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import conversation, many

from hivemind.domain.frames import Access, FrameDraft, Importance, ReferenceKind
from hivemind.domain.harvest import RunState
from hivemind.errors import CannotUndo, RunNotFound
from hivemind.harvest.report import report
from hivemind.harvest.runs import RunStore
from hivemind.mind import MindTransaction

NOON = "SELECT id FROM memory_frames WHERE frame_type = 'P' AND content LIKE '%talk 3, turn 1.' "


def test_nothing_is_left(harvest: Harvest) -> None:
    run = harvest.run(harvest.give(many(130, turns=4)))
    assert run.frames.p == 520
    undone = harvest.undo(run.run_id)
    assert (undone.frames_removed, undone.sessions_removed, undone.kept) == (650, 130, ())
    assert not any(harvest.counts().values())
    assert harvest.problems() == []
    assert harvest.read(lambda tx: report(tx.connection, run.run_id)).state is RunState.UNDONE


def test_it_can_be_imported_again(harvest: Harvest) -> None:
    path = harvest.give(many(3))
    harvest.undo(harvest.run(path).run_id)
    assert harvest.run(path).new == 3


def test_what_another_run_claims_stays(harvest: Harvest) -> None:
    first = harvest.run(harvest.give(many(2)))
    second = harvest.run(harvest.give(many(4)))
    assert (second.new, second.unchanged) == (2, 2)
    assert harvest.undo(first.run_id).frames_removed == 0
    assert harvest.counts()["sessions"] == 4
    assert harvest.undo(second.run_id).sessions_removed == 4
    assert not any(harvest.counts().values())


def test_only_what_an_update_added_goes(harvest: Harvest) -> None:
    harvest.run(harvest.give([conversation("c", [("user", "Where?"), ("assistant", "There.")])]))
    before = harvest.rows("SELECT id, content FROM memory_frames WHERE frame_type = 'P'")
    longer = [("user", "Where?"), ("assistant", "There."), ("user", "When?")]
    second = harvest.run(harvest.give([conversation("c", longer)]))
    assert harvest.undo(second.run_id).frames_removed == 1
    assert harvest.rows("SELECT id, content FROM memory_frames WHERE frame_type = 'P'") == before
    assert harvest.problems() == []


TOUCHES: list[tuple[str, Callable[[MindTransaction, int], object]]] = [
    ("you edited it", lambda tx, frame: tx.frames.amend(frame, "At one.")),
    ("you edited it", lambda tx, frame: tx.frames.retract(frame)),
    ("you pinned it", lambda tx, frame: tx.frames.set_pinned(frame, True)),
    ("you changed its importance", lambda tx, frame: tx.frames.set_importance(frame, Importance.CRITICAL)),
    ("you changed its importance", lambda tx, frame: tx.frames.deprecate(frame)),
    ("it was cited", lambda tx, frame: tx.accesses.record([Access(frame, "cited")])),
]


@pytest.mark.parametrize(("reason", "touch"), TOUCHES)
def test_a_frame_that_a_person_touched_stays_and_is_listed(
    harvest: Harvest, reason: str, touch: Callable[[MindTransaction, int], object]
) -> None:
    run = harvest.run(harvest.give(many(5)))
    ((frame,),) = harvest.rows(NOON)
    harvest.write(lambda tx: touch(tx, frame))
    undone = harvest.undo(run.run_id)
    assert {kept.frame_id: kept.reason for kept in undone.kept}[frame] == reason
    assert (undone.frames_removed, undone.sessions_removed) == (23, 4)
    assert harvest.counts()["sessions"] == 1
    assert harvest.counts()["messages"] == 1
    left = {row[0] for row in harvest.rows("SELECT id FROM memory_frames WHERE patch_target_id IS NULL")}
    assert left == {kept.frame_id for kept in undone.kept}
    assert harvest.problems() == []


def test_linked_frames_stay_with_their_link(harvest: Harvest) -> None:
    run = harvest.run(harvest.give(many(5)))
    ((frame,),) = harvest.rows(NOON)

    def link(tx: MindTransaction) -> int:
        session = tx.sessions.notes_of_day("2026-11-30")
        note = tx.frames.create_i_frame(FrameDraft("The ferry timetable", session.id))
        return tx.frames.create_b_frame("same", [(frame, ReferenceKind.LINK), (note.id, ReferenceKind.LINK)]).id

    link_id = harvest.write(link)
    undone = harvest.undo(run.run_id)
    assert "it is linked" in {kept.reason for kept in undone.kept}
    assert len(harvest.read(lambda tx: tx.frames.references(link_id))) == 2


def test_what_was_saved_into_the_session_stays(harvest: Harvest) -> None:
    run = harvest.run(harvest.give(many(1)))
    (session,) = harvest.rows("SELECT gop_id FROM sessions")[0]

    def save(tx: MindTransaction) -> int:
        base = tx.frames.base_of(session)
        assert base is not None
        return tx.frames.create_p_frame(FrameDraft("My own note", session), base.id).id

    note = harvest.write(save)
    undone = harvest.undo(run.run_id)
    assert harvest.read(lambda tx: tx.frames.get(note)).content == "My own note"
    assert len(undone.kept) == 1 and harvest.counts()["memory_frames"] == 2
    assert harvest.counts()["messages"] == 0


def test_undoing_twice_is_harmless(harvest: Harvest) -> None:
    run = harvest.run(harvest.give(many(2)))
    harvest.undo(run.run_id)
    again = harvest.undo(run.run_id)
    assert (again.frames_removed, again.sessions_removed) == (0, 0)


def test_several_sources_are_taken_back_together(harvest: Harvest) -> None:
    run = harvest.run(harvest.give(many(2), "a.json"), harvest.give(many(5), "b.json"))
    assert harvest.undo(run.run_id).sessions_removed == 5
    assert not any(harvest.counts().values())


def test_faults(harvest: Harvest) -> None:
    with pytest.raises(RunNotFound):
        harvest.undo(99)
    run_id = harvest.write(lambda tx: RunStore(tx.connection, tx.now).begin("auto", "x", "/x"))
    with pytest.raises(CannotUndo, match="still running"):
        harvest.undo(run_id)
