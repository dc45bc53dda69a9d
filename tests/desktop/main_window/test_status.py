"""The status bar in words: counts of the mind, how search works, what runs, what cannot be opened."""

from __future__ import annotations

from pathlib import Path

from tests.desktop.window_driver import WindowDriver, drive

from hivemind.events import Area, MindChanged, Progress
from hivemind_desktop.main_window import status


def test_counts_follow_the_mind(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.until(lambda: driver.window.mind_item.words() == "Personal: empty")
        await driver.app.client.call(lambda engine: engine.memory.save("One thing", "personal"))
        await driver.until(lambda: driver.window.mind_item.words() == "Personal: 1 memory")
        await driver.until(lambda: driver.window.mode_item.words() == "Search by words only")
        assert "every language" in driver.window.mode_item.toolTip()
        driver.app.signals.publish(MindChanged("another", frozenset(Area)))

    drive(tmp_path, walk)


def test_the_running_job_has_two_decimals_and_goes(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        item = driver.window.job_item

        def step(done: int, total: int, finished: bool = False) -> Progress:
            return Progress(1, "import", "personal", "running", done, total, 3, 9, 12, "A talk", finished)

        driver.app.signals.progress.emit(step(6053, 10000))
        assert item.isVisible()
        assert item.words() == "Import 60.53 %"
        driver.app.signals.progress.emit(step(6053, 0))
        assert item.words() == "Import, 12 memories"
        item.click()
        assert driver.window.shown == "import"
        driver.app.signals.progress.emit(step(10000, 10000, finished=True))
        assert not item.isVisible()

    drive(tmp_path, walk)


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    place = tmp_path / "data"
    place.write_text("in the way")

    async def walk(driver: WindowDriver) -> None:
        await driver.until(lambda: "cannot be written" in driver.window.mind_item.words())
        assert driver.window.mode_item.words() == "Search cannot work yet"
        place.unlink()
        driver.window.page("home").retry()
        driver.app.signals.publish(MindChanged("personal", frozenset({Area.FRAMES})))
        await driver.until(lambda: driver.window.mind_item.words() == "Personal: empty")
        await driver.until(lambda: driver.window.mode_item.words() == "Search by words only")

    drive(place, walk)
    assert status.PAUSE_MS >= 500
