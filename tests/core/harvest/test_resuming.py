"""Pause, cancel, interruption: an import goes on where it stopped, from the same file only."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.core.harvest.conftest import Harvest
from tests.core.harvest.killing import export, killed_and_resumed, moments, uninterrupted
from tests.samples.chatgpt import many

from hivemind.domain.harvest import ImportProgress, ImportReport, RunState
from hivemind.errors import DiskFull, ReaderStopped
from hivemind.harvest.importer import Importer, begin_run
from hivemind.harvest.report import report
from hivemind.harvest.runs import RunStore
from hivemind.harvest.writing import BatchWriter
from hivemind.mind import MindTransaction


def stopped(
    harvest: Harvest, path: Path, stop: Callable[[Importer], object], after: int = 40
) -> tuple[ImportReport, Importer]:
    """Run until `after` items are in, then call `stop` once."""

    async def work() -> tuple[ImportReport, Importer]:
        run_id = await begin_run(harvest.mind, [path])

        def look(progress: ImportProgress) -> None:
            if progress.items >= after and not done:
                done.append(stop(importer))

        done: list[object] = []
        importer = Importer(harvest.mind, run_id, spool=harvest.spool, on_progress=look)
        importer._told = -1.0
        outcome = await importer.run()
        assert done
        return outcome, importer

    return asyncio.run(work())


@pytest.fixture
def path(harvest: Harvest) -> Path:
    return harvest.give(many(600))


def everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell every step, so that a test can stop at any."""
    monkeypatch.setattr("hivemind.harvest.importer._EVERY", 0.0)


def test_cancel_and_keep(harvest: Harvest, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere(monkeypatch)
    outcome, importer = stopped(harvest, path, lambda one: one.cancel(keep=True))
    assert outcome.state is RunState.CANCELLED and importer.error is None
    assert 40 <= outcome.found < 600 and outcome.found == outcome.new
    assert harvest.counts()["sessions"] == outcome.new
    assert harvest.problems() == []


def test_cancel_and_remove(harvest: Harvest, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere(monkeypatch)
    outcome, _ = stopped(harvest, path, lambda one: one.cancel(keep=False))
    assert outcome.state is RunState.UNDONE
    assert not any(harvest.counts().values())


def test_interrupted_and_taken_up_again(harvest: Harvest, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere(monkeypatch)
    outcome, _ = stopped(harvest, path, lambda one: one.interrupt())
    assert outcome.state is RunState.INTERRUPTED and outcome.found < 600
    again = harvest.again(outcome.run_id)
    assert (again.state, again.found, again.new) == (RunState.FINISHED, 600, 600)
    assert harvest.counts()["sessions"] == 600


def test_a_changed_file_is_not_gone_on_with(harvest: Harvest, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere(monkeypatch)
    outcome, _ = stopped(harvest, path, lambda one: one.interrupt())
    harvest.give([*many(600), *many(1)])
    again = harvest.again(outcome.run_id)
    assert again.state is RunState.FAILED and "not the one this import began with" in again.error
    assert again.new == outcome.new == harvest.counts()["sessions"]


def test_a_dead_reader_is_named_and_can_be_gone_on_with(
    harvest: Harvest, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere(monkeypatch)

    def murder(importer: Importer) -> None:
        assert importer._reader is not None
        importer._reader._process.kill()

    outcome, importer = stopped(harvest, path, murder)
    assert outcome.state is RunState.INTERRUPTED and isinstance(importer.error, ReaderStopped)
    assert "The reader stopped" in outcome.error
    assert harvest.again(outcome.run_id).new == 600


def test_a_full_disk_leaves_a_run_that_can_be_gone_on_with(
    harvest: Harvest, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = BatchWriter.write
    calls: list[int] = []

    def full(self: BatchWriter, *arguments: Any) -> Any:
        calls.append(1)
        outcome = written(self, *arguments)
        if len(calls) == 3:
            raise DiskFull
        return outcome

    monkeypatch.setattr(BatchWriter, "write", full)
    outcome = harvest.run(path)
    assert outcome.state is RunState.INTERRUPTED and "disk is full" in outcome.error
    assert 0 < outcome.new < 600 and harvest.counts()["sessions"] == outcome.new
    assert harvest.problems() == []
    assert harvest.again(outcome.run_id).new == 600


def test_a_bug_does_not_leave_a_run_at_work(harvest: Harvest, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise KeyError("x")

    monkeypatch.setattr(BatchWriter, "write", broken)
    with suppress(KeyError):
        harvest.run(path)
    assert harvest.rows("SELECT state FROM import_runs") in ([("interrupted",)], [("failed",)])


def test_pausing_stops_the_writing_until_it_goes_on(harvest: Harvest, path: Path) -> None:
    async def work() -> tuple[int, int, RunState, ImportReport]:
        run_id = await begin_run(harvest.mind, [path])
        importer = Importer(harvest.mind, run_id, spool=harvest.spool)
        running = asyncio.ensure_future(importer.run())
        while not await harvest.mind.read(_sessions):
            await asyncio.sleep(0.005)
        await importer.pause()
        await asyncio.sleep(0.1)
        first = await harvest.mind.read(_sessions)
        await asyncio.sleep(0.4)
        second = await harvest.mind.read(_sessions)
        state = (await harvest.mind.read(lambda tx: report(tx.connection, run_id))).state
        await importer.resume()
        return first, second, state, await running

    first, second, state, outcome = asyncio.run(work())
    assert first == second < 600
    assert state is RunState.PAUSED
    assert (outcome.state, outcome.new) == (RunState.FINISHED, 600)


def _sessions(tx: MindTransaction) -> int:
    return tx.sessions.count()


def test_a_cancelled_task_leaves_an_interrupted_run(harvest: Harvest, path: Path) -> None:
    async def work() -> int:
        run_id = await begin_run(harvest.mind, [path])
        running = asyncio.ensure_future(Importer(harvest.mind, run_id, spool=harvest.spool).run())
        while not await harvest.mind.read(_sessions):
            await asyncio.sleep(0.005)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return run_id

    run_id = asyncio.run(work())
    assert harvest.read(lambda tx: report(tx.connection, run_id)).state is RunState.INTERRUPTED
    assert harvest.again(run_id).new == 600


def test_several_sources_go_on_together(harvest: Harvest, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere(monkeypatch)
    first, second = harvest.give(many(100), "a.json"), harvest.give(many(500), "b.json")

    async def work() -> ImportReport:
        run_id = await begin_run(harvest.mind, [first, second])

        def look(progress: ImportProgress) -> None:
            if progress.items > 150:
                importer.interrupt()

        importer = Importer(harvest.mind, run_id, spool=harvest.spool, on_progress=look)
        return await importer.run()

    outcome = asyncio.run(work())
    assert outcome.state is RunState.INTERRUPTED
    again = harvest.again(outcome.run_id)
    assert (again.state, again.found, again.new, again.unchanged) == (RunState.FINISHED, 600, 500, 100)


def test_only_abandoned_runs_count_as_interrupted(harvest: Harvest) -> None:
    mine = harvest.write(lambda tx: RunStore(tx.connection, tx.now).begin("auto", "x", "/x"))
    assert harvest.write(lambda tx: RunStore(tx.connection, tx.now).interrupt_abandoned()) == []
    harvest.write(
        lambda tx: tx.connection.execute(
            "UPDATE import_runs SET options = json_set(options, '$.owner.token', 'gone') WHERE id = ?", (mine,)
        )
    )
    assert harvest.write(lambda tx: RunStore(tx.connection, tx.now).interrupt_abandoned()) == [mine]


@pytest.mark.skipif(sys.platform != "linux", reason="finds the child through /proc")
def test_killed_at_some_moments_it_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    source = export(tmp_path)
    whole, seconds = uninterrupted(tmp_path, source)
    assert whole["problems"] == [] and whole["messages"][0] == 60 * 6 + 700
    for after, victim in moments(4, seconds, seed=20):
        found, _ = killed_and_resumed(tmp_path, source, after, victim)
        assert found == whole, (after, victim)
