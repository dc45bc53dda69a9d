"""Import at work with the real engine: pause and resume, cancelling with both answers, interrupted runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.harvest import RunState
from hivemind_desktop import importing
from hivemind_desktop.importing import controller, panel
from hivemind_desktop.importing.running import RunningImport

LARGE = 150


async def start(driver: WindowDriver, export: Path) -> tuple[int, RunningImport]:
    driver.drop(export)
    await driver.until(lambda: driver.import_controller._cards, "the running import")
    ((run, card),) = driver.import_controller._cards.items()
    await driver.until(lambda: card._items.text() != "0", "the first conversations")
    return run, card


@pytest.fixture
def large(tmp_path: Path) -> Path:
    return write_export(tmp_path / "conversations.json", conversations=LARGE, messages=8, length=4)


def test_pause_and_resume(tmp_path: Path, large: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        run, card = await start(driver, large)
        assert driver.import_controller.offers() == {"import.cancel", "import.pause"}
        driver.window.perform("import.pause")
        await driver.until(lambda: card.is_paused)
        report = await driver.app.client.call(lambda engine: engine.harvest.report("personal", run))
        assert report.state is RunState.PAUSED
        assert driver.import_controller.offers() == {"import.cancel", "import.resume"}
        await driver.search("zebra0")  # what is in can be searched meanwhile
        assert driver.memories.model.rowCount() > 0
        driver.window.perform("import.resume")
        await driver.until(lambda: not driver.import_controller._cards, "the end", 60)
        assert driver.import_controller._shown is not None
        assert driver.import_controller._shown.new == LARGE

    drive(tmp_path / "data", walk)


@pytest.mark.parametrize(("answer", "stays"), [("keep", True), ("remove", False)])
def test_cancelling_keeps_or_removes_what_is_in(tmp_path: Path, large: Path, answer: str, stays: bool) -> None:
    async def walk(driver: WindowDriver) -> None:
        await start(driver, large)
        driver.window.perform("import.cancel")
        await driver.answer(answer)
        await driver.until(lambda: not driver.import_controller._cards, "the end", 60)
        facts = await driver.app.client.call(lambda engine: engine.workspaces.facts("personal"))
        assert (facts.sessions > 0) is stays
        assert facts.sessions < LARGE

    drive(tmp_path / "data", walk)


def test_not_cancelling_goes_on(tmp_path: Path, large: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await start(driver, large)
        driver.window.perform("import.cancel")
        await driver.answer("")
        await driver.until(lambda: not driver.import_controller._cards, "the end", 60)
        facts = await driver.app.client.call(lambda engine: engine.workspaces.facts("personal"))
        assert facts.sessions == LARGE

    drive(tmp_path / "data", walk)


def test_an_interrupted_import_can_be_left_as_it_is(tmp_path: Path, large: Path) -> None:
    async def leave(driver: WindowDriver) -> None:
        await start(driver, large)

    drive(tmp_path / "data", leave)

    async def walk(driver: WindowDriver) -> None:
        item = driver.window.rail.item("import")
        await driver.until(lambda: item.accessibleName() == "Import, 1 waiting", "the offer at the start")
        toast = driver.app.notices._surface.toast  # type: ignore[attr-defined]
        toast._action.click()
        assert driver.window.shown == "import"
        await driver.until(lambda: driver.importing._interrupted.count() == 1)
        (run,) = await driver.app.client.call(lambda engine: engine.harvest.interrupted("personal"))
        driver.importing.leave_asked.emit(run.run_id)
        await driver.until(lambda: driver.importing._interrupted.count() == 0)
        await driver.until(lambda: item.accessibleName() == "Import")
        driver.importing.earlier.report_asked.emit(run.run_id)
        await driver.until(lambda: driver.import_controller._shown is not None)
        assert driver.import_controller._shown is not None
        assert driver.import_controller._shown.state is RunState.CANCELLED

    drive(tmp_path / "data", walk)


def test_the_same_export_again_is_all_there(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json")

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        driver.importing.report.hide()
        await driver.import_file(export)
        await driver.until(lambda: driver.import_controller._shown and driver.import_controller._shown.unchanged == 3)
        await driver.until(lambda: driver.importing.earlier._runs and len(driver.importing.earlier._runs) == 2)
        assert "import.undo" not in driver.import_controller.offers()

    drive(tmp_path / "data", walk)


def test_an_empty_export_is_told_with_its_reason(tmp_path: Path) -> None:
    export = tmp_path / "conversations.json"
    export.write_text("[]")

    async def walk(driver: WindowDriver) -> None:
        driver.drop(export)
        await driver.until(
            lambda: driver.importing._troubles.count() or not driver.importing.report.isHidden(), "the reason"
        )

    drive(tmp_path / "data", walk)


def test_the_background_leads_to_memories(tmp_path: Path, large: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        _, card = await start(driver, large)
        card.wanted.emit("background")
        assert driver.window.shown == "memories"
        assert driver.window.job_item.isVisible()
        await driver.until(lambda: not driver.import_controller._cards, "the end", 60)
        toast = driver.app.notices._surface.toast  # type: ignore[attr-defined]
        assert toast is not None
        assert toast.accessibleName() == "ChatGPT export is in"

    drive(tmp_path / "data", walk)
    assert importing.open_page.__module__ == "hivemind_desktop.importing"
    assert controller.ImportController.__doc__
    assert panel.ImportPanel.__doc__
