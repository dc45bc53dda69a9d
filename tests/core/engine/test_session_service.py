"""Sessions through the engine. Covers: self_service, session_service, change_service, context, engine."""

from __future__ import annotations

import asyncio
import contextlib
import threading

import pytest

from hivemind.domain.frames import FrameDraft, Importance
from hivemind.domain.sessions import AwarenessCategory, Identity, Mark, SessionFilter, SessionStatus
from hivemind.engine import Engine
from hivemind.engine.self_service import SelfService
from hivemind.errors import CannotMerge, CannotUndo, InternalFault, SessionNotFound
from hivemind.events import Area, MindChanged
from hivemind.mind.archive import NewMessage

W = "personal"


def test_an_action_tells_its_areas_and_nothing_is_told_when_nothing_happened(driver):
    frame = driver.run(lambda e: e.memory.save("one", W)).frame
    heard: list[MindChanged] = []
    driver.engine.events.subscribe(lambda event: heard.append(event) if isinstance(event, MindChanged) else None)
    driver.run(lambda e: e.sessions.close(W, frame.session_id))
    assert heard[0].areas == {Area.CHANGES, Area.SESSIONS}
    heard.clear()
    changes = driver.run(lambda e: e.changes.list_recent(W))
    driver.run(lambda e: e.sessions.close(W, frame.session_id))
    driver.run(lambda e: e.memory.set_pinned(W, [frame.id], False))
    assert heard == []
    assert driver.run(lambda e: e.changes.list_recent(W)) == changes


def test_a_session_is_closed_archived_reopened(driver):
    frame = driver.run(lambda e: e.memory.save("one", W)).frame
    steps = [
        (lambda e: e.sessions.close(W, frame.session_id, "done"), SessionStatus.CLOSED),
        (lambda e: e.sessions.archive(W, frame.session_id), SessionStatus.ARCHIVED),
        (lambda e: e.sessions.reopen(W, frame.session_id), SessionStatus.ACTIVE),
    ]
    for step, status in steps:
        assert driver.run(step).status is status
    with pytest.raises(SessionNotFound):
        driver.run(lambda e: e.sessions.conversation(W, "nowhere"))


def test_identity_and_awareness(driver):
    own = driver.engine.self
    assert isinstance(own, SelfService)
    assert driver.run(lambda _: own.identity(W)) is None
    driver.run(lambda _: own.set_identity(W, Identity("Ana")))
    assert driver.run(lambda _: own.identity(W)).name == "Ana"
    item = driver.run(lambda _: own.add_awareness(W, AwarenessCategory.TASK, "pack"))
    assert driver.run(lambda _: own.awareness(W)) == [item]
    assert driver.run(lambda _: own.clear_awareness(W, [item.id, 999])) == 1


def test_an_engine_opens_and_closes_as_often_as_asked(tmp_path):
    async def work() -> None:
        engine = Engine(tmp_path)
        with pytest.raises(InternalFault):
            _ = engine.workspaces
        for _ in range(3):
            await engine.open()
            await engine.open()
            await engine.memory.save("kept", W)
            await engine.close()
            await engine.close()
        await engine.open()
        assert await engine.memory.count(W) == 1
        await engine.close()

    asyncio.run(work())


def test_an_opening_that_is_given_up_leaves_nothing_open(tmp_path):
    async def work() -> None:
        engine = Engine(tmp_path)
        opening = asyncio.ensure_future(engine.open())
        await asyncio.sleep(0.005)
        opening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await opening
        await engine.close()

    before = threading.active_count()
    asyncio.run(work())
    assert threading.active_count() <= before


def test_merged_sessions_open_as_one_from_either_with_the_words_marked(driver):
    first = driver.run(lambda e: e.memory.save("one", W)).frame

    async def archived(engine: Engine) -> tuple[str, str, int, int]:
        mind = await engine.minds.get(W)
        spoken = NewMessage("m", None, 0, None, "user", "speech", None, False, 0, 0, "Well: we chose Postgres. Good.")

        def work(tx):
            made = [
                tx.sessions.create(title=t, started_at=f"2025-05-1{n}T10:00:00.000Z").id for n, t in enumerate("ab")
            ]
            ids = [tx.archive.append(each, [spoken])[0] for each in made]
            frame = tx.frames.create_i_frame(FrameDraft("we chose Postgres.", session_id=made[1]))
            tx.frames.set_importance(frame.id, Importance.CRITICAL)
            tx.archive.link(frame.id, ids[1], 0, 18)  # as a vendor's markers would have moved it
            return *made, frame.id, ids[1]

        return await mind.write(work)

    early, late, frame, message = driver.run(archived)
    alone = driver.run(lambda e: e.sessions.read(W, late, frame))
    assert alone.parts == ()
    assert alone.marks == (Mark(message, 6, 24),)
    assert alone.important == {message}
    assert driver.run(lambda e: e.sessions.merge(W, early, late)).id == late
    for either in (early, late):
        whole = driver.run(lambda e, either=either: e.sessions.read(W, either))
        assert whole.session.id == late
        assert [(part.session.id, part.first) for part in whole.parts] == [(early, 0), (late, 1)]
        assert len(whole.messages) == 2
        assert whole.marks == ()
    timeline = driver.run(lambda e: e.sessions.timeline(W, SessionFilter()))
    rows = driver.run(lambda e: e.sessions.rows(W, timeline.ids))
    assert {row.session.id: row.messages for row in rows.values()} == {late: 2, first.session_id: 0}
    assert driver.run(lambda e: e.sessions.row_id(W, early)) == timeline.ids[-1]
    assert driver.run(lambda e: e.sessions.sources(W)) == [""]
    with pytest.raises(CannotMerge):
        driver.run(lambda e: e.sessions.merge(W, early, late))
    driver.run(lambda e: e.sessions.take_apart(W, late))
    assert len(driver.run(lambda e: e.sessions.list_rows(W))) == 3


def test_a_merge_that_changed_since_is_not_taken_back(driver):
    frame = driver.run(lambda e: e.memory.save("one", W)).frame

    async def steps(engine: Engine) -> None:
        mind = await engine.minds.get(W)
        other = await mind.write(lambda tx: tx.sessions.create())
        await engine.sessions.merge(W, other.id, frame.session_id)
        await mind.write(lambda tx: tx.merges.place([other.id], None))

    driver.run(steps)
    with pytest.raises(CannotUndo):
        driver.run(lambda e: e.changes.undo(W))
