"""The same export again, a newer one, an older one: identity by source, conversation, message and occurrence."""

from __future__ import annotations

from typing import Any

from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import chain, conversation, many, message

from hivemind.domain.harvest import FrameCounts, ImportReport

FRAMES = "SELECT id, content, branch, position, part FROM memory_frames ORDER BY id"


def give(harvest: Harvest, *texts: str, **changes: Any) -> ImportReport:
    """Import one conversation of these texts."""
    turns = [("user" if n % 2 == 0 else "assistant", text) for n, text in enumerate(texts)]
    return harvest.run(harvest.give([conversation("c", turns, **changes)]))


def test_the_same_file_changes_nothing(harvest: Harvest) -> None:
    path = harvest.give([*many(20), many(1)[0]])
    first = harvest.run(path)
    assert (first.new, first.unchanged) == (20, 1)
    before = harvest.rows(FRAMES), harvest.rows("SELECT * FROM archive_blocks"), harvest.rows("SELECT * FROM messages")
    feed = harvest.rows("SELECT max(seq) FROM frame_feed")
    second = harvest.run(path)
    assert (second.new, second.updated, second.unchanged, second.messages) == (0, 0, 21, 0)
    assert second.frames == FrameCounts(0, 0, 0)
    after = harvest.rows(FRAMES), harvest.rows("SELECT * FROM archive_blocks"), harvest.rows("SELECT * FROM messages")
    assert after == before
    assert harvest.rows("SELECT max(seq) FROM frame_feed") == feed


def test_new_messages_are_added(harvest: Harvest) -> None:
    give(harvest, "Where?", "There.")
    report = give(harvest, "Where?", "There.", "Thanks, and when?", "At noon.")
    assert (report.updated, report.messages, report.frames) == (1, 2, FrameCounts(0, 2, 0))
    (summary,) = harvest.rows("SELECT content FROM memory_frames WHERE frame_type = 'I'")
    assert "Last answer: At noon." in summary[0]
    assert harvest.rows("SELECT ended_at FROM sessions") == [("2025-06-15T15:09:40.000Z",)]
    assert harvest.problems() == []


def test_a_changed_message_replaces_its_frames(harvest: Harvest) -> None:
    give(harvest, "Where?", "At the east quay.")
    report = give(harvest, "Where?", "At the west quay.")
    assert (report.updated, report.messages) == (1, 1)
    bodies = [row[1] for row in harvest.rows(FRAMES)]
    assert "At the west quay." in bodies and "At the east quay." not in bodies
    assert harvest.rows("SELECT count(*) FROM messages") == [(2,)]
    assert harvest.problems() == []


def test_messages_missing_from_a_newer_export_stay(harvest: Harvest) -> None:
    give(harvest, "One", "Two", "Three", "Four")
    report = give(harvest, "One", "Two")
    assert (report.unchanged, report.messages) == (1, 0)
    assert harvest.counts()["messages"] == 4
    assert any("Last answer: Four" in row[1] for row in harvest.rows(FRAMES))


def test_an_edited_frame_survives_a_changed_message(harvest: Harvest) -> None:
    give(harvest, "Where?", "At the east quay.")
    (target,) = (row[0] for row in harvest.rows(FRAMES) if row[1] == "At the east quay.")
    harvest.write(lambda tx: tx.frames.amend(target, "At the north quay, says Ola."))
    give(harvest, "Where?", "At the west quay.")
    assert harvest.read(lambda tx: tx.frames.current_text(target)) == "At the north quay, says Ola."
    texts = harvest.read(
        lambda tx: [m.text for m in tx.archive.conversation(tx.frames.get(target).session_id).messages]
    )
    assert "At the west quay." in texts


def test_what_was_thrown_away_does_not_come_back(harvest: Harvest) -> None:
    give(harvest, "Where?", "At the east quay.")
    (target,) = (row[0] for row in harvest.rows(FRAMES) if row[1] == "At the east quay.")
    harvest.write(lambda tx: tx.frames.trash([target]))
    give(harvest, "Where?", "At the east quay.")
    give(harvest, "Where?", "At the west quay.")
    current = harvest.rows("SELECT content FROM current_frames WHERE frame_type = 'P'")
    assert current == [("Where?",)]


def test_an_answer_asked_for_again_moves_the_old_one_aside(harvest: Harvest) -> None:
    mapping = chain([message("q", "user", "Which quay?"), message("a", "assistant", "The east quay.")])
    harvest.run(harvest.give([conversation("c", [], mapping=mapping, current_node="a")]))
    mapping["b"] = {"id": "b", "parent": "q", "message": message("b", "assistant", "The west quay.")}
    report = harvest.run(harvest.give([conversation("c", [], mapping=mapping, current_node="b")]))
    assert (report.updated, report.messages) == (1, 1)
    places = harvest.rows("SELECT ext_id, branch, position FROM messages ORDER BY ext_id")
    assert places == [("a", 1, 1), ("b", 0, 1), ("q", 0, 0)]
    frames = harvest.rows("SELECT content, branch, position FROM memory_frames WHERE frame_type = 'P' ORDER BY id")
    assert frames == [("Which quay?", 0, 0), ("The east quay.", 1, 1), ("The west quay.", 0, 1)]


def test_a_new_title_is_taken_over_unless_the_person_gave_one(harvest: Harvest) -> None:
    give(harvest, "Where?", title="First")
    assert give(harvest, "Where?", title="Second").updated == 1
    assert harvest.rows("SELECT title FROM sessions") == [("Second",)]
    (session,) = harvest.rows("SELECT gop_id FROM sessions")
    harvest.write(lambda tx: tx.sessions.rename(session[0], "My own"))
    assert give(harvest, "Where?", title="Third").unchanged == 1
    assert harvest.rows("SELECT title FROM sessions") == [("My own",)]


def test_the_same_id_twice_is_known_again_by_its_occurrence(harvest: Harvest) -> None:
    mapping = chain([message("a", "user", "first"), message("b", "user", "second")])
    mapping["b"]["message"]["id"] = "a"
    path = harvest.give([conversation("c", [], mapping=mapping, current_node="b")])
    assert harvest.run(path).messages == 2
    assert harvest.run(path).unchanged == 1
    assert harvest.rows("SELECT ext_id, occurrence FROM messages ORDER BY id") == [("a", 0), ("a", 1)]


def test_equal_words_are_never_merged(harvest: Harvest) -> None:
    give(harvest, "ok", "ok", "ok", "ok")
    assert [row[1] for row in harvest.rows(FRAMES)].count("ok") == 4
