"""Sessions by day, as ids; and sessions read as one. Covers: timeline, merges."""

from __future__ import annotations

import time

import pytest

from hivemind.domain.frames import FrameDraft, Importance
from hivemind.domain.sessions import DayCount, SessionFilter, SessionStatus
from hivemind.errors import CannotMerge, SessionNotFound


@pytest.fixture(autouse=True)
def in_utc(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def begin(tx, *stamps, **values):
    return [tx.sessions.create(title=f"Talk {n}", started_at=at, **values).id for n, at in enumerate(stamps)]


def test_days_count_their_sessions_and_ids_follow_them(sync_mind):
    def work(tx):
        made = begin(tx, "2025-05-14T10:00:00.000Z", "2025-05-14T11:00:00.000Z", "2025-06-01T00:30:00.000Z")
        line = tx.timeline.read(SessionFilter())
        assert line.days == (DayCount("2025-06-01", 1), DayCount("2025-05-14", 2))
        assert [row.session.id for row in tx.timeline.rows(line.ids).values()] == made[::-1]
        assert tx.timeline.rows([line.ids[2], 999]) == tx.timeline.rows([line.ids[2]])
        assert tx.timeline.row_id(made[0]) == line.ids[2]
        assert tx.timeline.row_id("nowhere") is None

    sync_mind.write(work)


def test_days_are_those_of_the_persons_clock(sync_mind, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()

    def work(tx):
        begin(tx, "2025-05-31T16:00:00.000Z")
        assert tx.timeline.read(SessionFilter()).days == (DayCount("2025-06-01", 1),)

    sync_mind.write(work)


def test_filters(sync_mind):
    def work(tx):
        (talk,) = begin(tx, "2025-05-14T10:00:00.000Z", source="chatgpt")
        (other,) = begin(tx, "2025-05-15T10:00:00.000Z")
        tx.sessions.rename(other, "ÉTUDE for Zoë")
        tx.sessions.archive(other)

        def ids(**values):
            return {row.session.id for row in tx.timeline.rows(tx.timeline.read(SessionFilter(**values)).ids).values()}

        assert ids() == {talk, other}
        assert ids(source="chatgpt") == {talk}
        assert ids(source="") == {other}
        assert ids(status=SessionStatus.ARCHIVED) == {other}
        assert ids(title="zoë étude") == {other}
        assert ids(title="zoë talk") == set()
        assert ids(important=True) == set()
        assert tx.timeline.sources() == ["", "chatgpt"]

    sync_mind.write(work)


def test_a_session_with_something_important_in_it(sync_mind):
    def work(tx):
        frame = tx.frames.create_i_frame(FrameDraft("We chose Postgres", session_id=tx.sessions.create().id))
        assert tx.timeline.read(SessionFilter(important=True)).ids == ()
        tx.frames.set_importance(frame.id, Importance.CRITICAL)
        assert len(tx.timeline.read(SessionFilter(important=True)).ids) == 1
        whole = tx.sessions.create().id
        tx.merges.merge(frame.session_id, whole)
        (row,) = tx.timeline.rows(tx.timeline.read(SessionFilter(important=True)).ids).values()
        assert (row.session.id, row.frames) == (whole, 1)

    sync_mind.write(work)


def test_merged_sessions_are_read_as_one(sync_mind):
    def work(tx):
        first, second, third = begin(
            tx, "2025-05-14T10:00:00.000Z", "2025-05-15T10:00:00.000Z", "2025-05-16T10:00:00.000Z"
        )
        assert tx.merges.merge(first, second) == [first]
        assert sorted(tx.merges.merge(second, third)) == sorted([first, second])
        assert [each.id for each in tx.merges.members(third)] == [first, second, third]
        assert tx.merges.whole_of(first) == third
        assert len(tx.timeline.read(SessionFilter()).ids) == 1
        assert [row.session.id for row in tx.sessions.list_rows(9, alone=True)] == [third]
        assert len(tx.sessions.list_rows(9)) == 3
        tx.merges.place([first], None)
        assert tx.merges.parts(third) == [second]

    sync_mind.write(work)


def test_what_cannot_be_merged(sync_mind):
    def work(tx):
        first, second, third = begin(tx, *["2025-05-14T10:00:00.000Z"] * 3)
        tx.merges.merge(first, second)
        for pair in ((first, first), (first, second), (second, first)):
            with pytest.raises(CannotMerge):
                tx.merges.merge(*pair)
        with pytest.raises(CannotMerge, match="part of another"):
            tx.merges.merge(first, third)
        with pytest.raises(SessionNotFound):
            tx.merges.merge("nowhere", third)

    sync_mind.write(work)


def test_a_session_that_goes_leaves_no_note(sync_mind):
    def work(tx):
        first, second, third = begin(tx, *["2025-05-14T10:00:00.000Z"] * 3)
        tx.merges.merge(first, second)
        tx.merges.merge(third, second)
        tx.sessions.remove_empty([third, second])
        assert tx.merges.whole_of(first) == first
        assert tx.connection.execute("SELECT count(*) FROM meta WHERE key LIKE 'merged:%'").get == 0

    sync_mind.write(work)
