"""Imports as a service: in the background, logged, undone, taken up again. Covers: harvest_service."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from hivemind.domain.harvest import RunState
from hivemind.domain.search import SearchRequest
from hivemind.errors import RunNotFound, SourceUnknown
from hivemind.events import Progress

W = "personal"


def export(folder: Path, conversations: int, messages: int = 6) -> Path:
    """A small export: a straight thread per conversation."""
    items = []
    for n in range(conversations):
        mapping = {"root": {"id": "root", "parent": None, "message": None}}
        parent = "root"
        for m in range(messages):
            node = f"{n}-{m}"
            role = ("user", "assistant")[m % 2]
            content = {"content_type": "text", "parts": [f"Conversation {n} says {m} about topic{n}."]}
            message = {"id": node, "author": {"role": role}, "create_time": 1.7e9 + n * 1000 + m, "content": content}
            mapping[node] = {"id": node, "parent": parent, "message": message}
            parent = node
        items.append({"conversation_id": f"c{n}", "title": f"Chat {n}", "mapping": mapping, "current_node": parent})
    file = folder / "conversations.json"
    file.write_text(json.dumps(items), "utf-8")
    return file


def test_an_import_is_seen_coming_logged_and_undone_like_any_action(driver, tmp_path):
    heard: list[Progress] = []
    driver.engine.events.subscribe(lambda event: heard.append(event) if isinstance(event, Progress) else None)
    file = export(tmp_path, 5)
    preview = driver.run(lambda e: e.harvest.preview([file]))[0]
    assert (preview.source, preview.size) == ("chatgpt", file.stat().st_size)
    run = driver.run(lambda e: e.harvest.start([file]))
    report = driver.run(lambda e: e.harvest.wait(W, run))
    assert (report.state, report.found, report.new, report.messages) == (RunState.FINISHED, 5, 5, 30)
    assert heard[-1].finished
    assert driver.run(lambda e: e.memory.search(SearchRequest("topic3"))).hits
    assert driver.run(lambda e: e.changes.list_recent(W))[0].label == "Import conversations.json"
    assert driver.run(lambda e: e.safety.verify(W)) == []
    driver.run(lambda e: e.changes.undo(W))
    assert driver.run(lambda e: e.memory.count(W)) == 0
    assert driver.run(lambda e: e.harvest.report(W, run)).state is RunState.UNDONE
    mind = driver.run(lambda e: e.minds.get(W))
    kinds = [
        k
        for (k,) in driver.run(
            lambda _: mind.read(lambda tx: list(tx.connection.execute("SELECT kind FROM ai_log_chain")))
        )
    ]
    assert kinds == ["genesis", "import", "import"]


def test_a_second_import_brings_nothing_and_the_first_can_still_be_undone(driver, tmp_path):
    file = export(tmp_path, 3)
    runs = []
    for _ in range(2):
        runs.append(driver.run(lambda e: e.harvest.start([file])))
        report = driver.run(lambda e: e.harvest.wait(W, runs[-1]))
    assert (report.new, report.unchanged) == (0, 3)
    assert len(driver.run(lambda e: e.changes.list_recent(W))) == 1
    assert driver.run(lambda e: e.harvest.undo(W, runs[0])).frames_removed == 0
    assert driver.run(lambda e: e.harvest.undo(W, runs[1])).frames_removed == 21
    assert [r.state for r in driver.run(lambda e: e.harvest.runs(W))] == [RunState.UNDONE, RunState.UNDONE]


def test_pause_resume_and_cancel_with_removal(driver, tmp_path):
    file = export(tmp_path, 400)

    async def work(engine):
        run = await engine.harvest.start([file])
        while await engine.memory.count(W) == 0:
            await asyncio.sleep(0.02)
        await engine.harvest.pause(W, run)
        await asyncio.sleep(0.3)
        before = await engine.memory.count(W)
        await asyncio.sleep(0.3)
        assert await engine.memory.count(W) == before
        assert (await engine.harvest.report(W, run)).state is RunState.PAUSED
        await engine.harvest.resume(W, run)
        return await engine.harvest.cancel(W, run, keep=False)

    report = driver.run(work)
    assert report.state in (RunState.UNDONE, RunState.CANCELLED)
    assert driver.run(lambda e: e.memory.count(W)) == 0
    with pytest.raises(RunNotFound):
        driver.run(lambda e: e.harvest.pause(W, report.run_id))


def test_closing_in_the_middle_is_safe_and_goes_on_later(tmp_path):
    from tests.core.engine.conftest import Driver

    file = export(tmp_path, 300)
    first = Driver(tmp_path / "data")

    async def begin(engine):
        run = await engine.harvest.start([file])
        while await engine.memory.count(W) == 0:
            await asyncio.sleep(0.02)
        return run

    run = first.run(begin)
    first.close()
    again = Driver(tmp_path / "data")
    try:
        waiting = again.run(lambda e: e.harvest.interrupted(W))
        assert [report.run_id for report in waiting] == [run]
        again.run(lambda e: e.harvest.resume_interrupted(W, run))
        report = again.run(lambda e: e.harvest.wait(W, run))
        assert (report.state, report.found, report.new) == (RunState.FINISHED, 300, 300)
        assert again.run(lambda e: e.memory.count(W)) == 300 * 7
        assert again.run(lambda e: e.safety.verify(W)) == []
    finally:
        again.close()


def test_what_is_in_of_an_interrupted_import_can_be_left_and_undone(tmp_path):
    from tests.core.engine.conftest import Driver

    file = export(tmp_path, 300)
    first = Driver(tmp_path / "data")

    async def begin(engine):
        run = await engine.harvest.start([file])
        while await engine.memory.count(W) == 0:
            await asyncio.sleep(0.02)
        return run

    run = first.run(begin)
    first.close()
    again = Driver(tmp_path / "data")
    try:
        assert again.run(lambda e: e.harvest.leave_interrupted(W, run)).state is RunState.CANCELLED
        assert again.run(lambda e: e.harvest.interrupted(W)) == []
        again.run(lambda e: e.changes.undo(W))
        assert again.run(lambda e: e.memory.count(W)) == 0
    finally:
        again.close()


def test_a_file_that_is_no_export_has_a_named_reason(driver, tmp_path):
    file = tmp_path / "notes.json"
    file.write_text('{"hello": "world"}')
    assert driver.run(lambda e: e.harvest.preview([file]))[0].source == ""
    run = driver.run(lambda e: e.harvest.start([file]))
    report = driver.run(lambda e: e.harvest.wait(W, run))
    assert report.state is RunState.FAILED
    assert report.error
    assert driver.run(lambda e: e.memory.count(W)) == 0
    assert isinstance(driver.engine.harvest.fault(W, run), SourceUnknown)
    assert driver.run(lambda e: e.changes.list_recent(W)) == []


def test_the_sample_is_bundled_and_imports_whole(driver):
    run = driver.run(lambda e: e.harvest.start([e.harvest.sample()]))
    report = driver.run(lambda e: e.harvest.wait(W, run))
    assert report.state is RunState.FINISHED
    assert report.found == report.new >= 10
    for words in ("Steuererklarung", "Београду", "学习", "lemon tree"):
        assert driver.run(lambda e, w=words: e.memory.search(SearchRequest(w))).hits, words
