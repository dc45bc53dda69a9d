"""The engine works beside the window: searches overtake imports, locks stop nobody, closing is always safe."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path

import apsw
from PySide6.QtCore import QTimer
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.harvest import RunState
from hivemind.domain.search import SearchRequest
from hivemind.paths import DataDir
from hivemind_desktop.widgets.page import Target

LOCKED_FOR = 2.0


def test_a_search_overtakes_an_import(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=200, messages=8, length=4)

    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await call(lambda engine: engine.memory.save("A heron stood in the reeds", "personal"))
        (await driver.preview(export)).go.click()
        await driver.until(lambda: driver.import_controller.runs.cards, "the running import")
        (run,) = driver.import_controller.runs.cards
        found = 0
        waits = []
        while driver.import_controller.runs.cards and found < 15:
            began = time.monotonic()
            result = await call(lambda engine: engine.memory.search(SearchRequest("heron")))
            waits.append(time.monotonic() - began)
            assert len(result.hits) == 1
            found += 1
        report = await call(lambda engine: engine.harvest.report("personal", run))
        assert report.state is RunState.RUNNING, "the import was over before the searches were: make it larger"
        assert found == 15
        assert sorted(waits)[len(waits) // 2] < 0.5
        await driver.until(lambda: not driver.importing.report.isHidden(), "the report", 60)
        assert driver.import_controller.outcomes.shown is not None
        assert driver.import_controller.outcomes.shown.new == 200

    drive(tmp_path / "data", walk)


def hold_lock(file: str, held: Event) -> None:
    """Another program in the middle of a long write."""
    connection = apsw.Connection(file)
    connection.execute("BEGIN IMMEDIATE")
    held.set()
    time.sleep(LOCKED_FOR)
    connection.execute("ROLLBACK")
    connection.close()


@contextmanager
def locked(file: Path) -> Iterator[None]:
    context = multiprocessing.get_context("spawn")
    held = context.Event()
    process = context.Process(target=hold_lock, args=(str(file), held))
    process.start()
    assert held.wait(30)
    yield
    process.join(30)


def test_a_lock_of_another_program_stops_neither_loop(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await call(lambda engine: engine.memory.save("A heron stood in the reeds", "personal"))
        gaps: list[float] = []
        last = time.monotonic()

        def beat() -> None:
            nonlocal last
            now = time.monotonic()
            gaps.append(now - last)
            last = now

        timer = QTimer()
        timer.setInterval(5)
        with locked(DataDir(tmp_path / "data").mind("personal")):
            last = began = time.monotonic()
            timer.timeout.connect(beat)
            timer.start()
            saving = asyncio.ensure_future(call(lambda engine: engine.memory.save("Written meanwhile", "personal")))
            result = await call(lambda engine: engine.memory.search(SearchRequest("heron")))
            assert len(result.hits) == 1  # reading goes on
            assert not saving.done()
            saved = await saving
            waited = time.monotonic() - began
        timer.stop()
        assert saved.frame.content == "Written meanwhile"
        assert waited >= LOCKED_FOR / 2
        assert max(gaps) < 0.5

    drive(tmp_path / "data", walk)


def test_the_window_opens_and_closes_fifty_times_with_work_running(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=30, messages=4)

    async def leave_at_once(driver: WindowDriver) -> None:
        driver.window.show_target(Target("memories", query="zebra1"))
        driver.app.desk.start()  # as after the first paint
        await asyncio.sleep(0)

    async def leave_importing(driver: WindowDriver) -> None:
        (await driver.preview(export)).go.click()
        await driver.until(lambda: driver.import_controller.runs.cards, "the running import")

    for number in range(50):
        drive(tmp_path / "data", leave_importing if number % 10 == 0 else leave_at_once)

    async def intact(driver: WindowDriver) -> None:
        assert await driver.app.client.call(lambda engine: engine.safety.verify("personal")) == []

    drive(tmp_path / "data", intact)
