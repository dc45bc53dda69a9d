"""Sessions: their life from opening to archive, and what removing leaves."""

from __future__ import annotations

import pytest

from hivemind.domain.frames import FrameDraft
from hivemind.domain.sessions import SessionKind, SessionStatus
from hivemind.errors import InvalidName, SessionNotFound


def test_a_session_opens_closes_is_archived_and_reopens(sync_mind):
    session = sync_mind.write(lambda tx: tx.sessions.create(title="  Two   words "))
    assert (session.title, session.status, session.ended_at) == ("Two words", SessionStatus.ACTIVE, None)
    closed = sync_mind.write(lambda tx: tx.sessions.close(session.id, "done"))
    assert (closed.status, closed.summary) == (SessionStatus.CLOSED, "done")
    assert closed.ended_at is not None
    archived = sync_mind.write(lambda tx: tx.sessions.archive(session.id))
    assert (archived.status, archived.ended_at) == (SessionStatus.ARCHIVED, closed.ended_at)
    assert sync_mind.write(lambda tx: tx.sessions.reopen(session.id)).status is SessionStatus.ACTIVE


def test_an_imported_session_is_found_by_its_item(sync_mind):
    made = sync_mind.write(
        lambda tx: tx.sessions.create(SessionKind.CONVERSATION, "x", source="chatgpt", item_id="c-1", project_id="p")
    )
    assert sync_mind.read(lambda tx: tx.sessions.find_item("chatgpt", "c-1")) == made
    assert sync_mind.read(lambda tx: tx.sessions.find_item("claude", "c-1")) is None
    assert sync_mind.read(lambda tx: tx.sessions.list_by_project("p")) == [made]


def test_lists_page_by_start_newest_first(sync_mind):
    def work(tx):
        for n in range(7):
            # Two start at the same moment: the page border must neither lose nor repeat one.
            tx.sessions.create(title=f"s{n}", session_id=f"s{n}", started_at=f"2026-01-0{n // 2 + 1}T00:00:00.000Z")

    sync_mind.write(work)
    seen, before = [], None
    while page := sync_mind.read(lambda tx, b=before: tx.sessions.list_rows(2, b)):
        seen += [row.session.id for row in page]
        before = page[-1].session.id
    assert seen == ["s6", "s5", "s4", "s3", "s2", "s1", "s0"]


def test_the_notes_of_a_day_are_one_session(sync_mind):
    one, two = sync_mind.write(
        lambda tx: (tx.sessions.notes_of_day("2026-11-30"), tx.sessions.notes_of_day("2026-11-30"))
    )
    assert one == two
    assert one.kind is SessionKind.NOTES


def test_only_empty_sessions_are_removed(sync_mind):
    def work(tx):
        full, empty = tx.sessions.create(session_id="full"), tx.sessions.create(session_id="empty")
        tx.frames.create_i_frame(FrameDraft("x", session_id=full.id))
        return tx.sessions.remove_empty([full.id, empty.id, "never there"])

    assert sync_mind.write(work) == ["empty"]


def test_a_title_is_needed_and_cut(sync_mind):
    session = sync_mind.write(lambda tx: tx.sessions.create())
    with pytest.raises(InvalidName):
        sync_mind.write(lambda tx: tx.sessions.rename(session.id, " \x00 "))
    assert len(sync_mind.write(lambda tx: tx.sessions.rename(session.id, "ø" * 999)).title) == 300
    with pytest.raises(SessionNotFound):
        sync_mind.write(lambda tx: tx.sessions.rename("nowhere", "x"))
