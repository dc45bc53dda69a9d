"""Sessions through the engine. Covers: self_service, session_service, change_service, context, engine."""

from __future__ import annotations

import asyncio
import contextlib
import threading

import pytest

from hivemind.domain.sessions import AwarenessCategory, Identity, SessionStatus
from hivemind.engine import Engine
from hivemind.engine.self_service import SelfService
from hivemind.errors import InternalFault, SessionNotFound
from hivemind.events import Area, MindChanged

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
