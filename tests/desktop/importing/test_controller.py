"""Import at work with the real engine: pause and resume, cancelling with both answers, interrupted runs.

Covers: controller, runs, outcomes, interrupted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.harvest import RunState
from hivemind_desktop import importing
from hivemind_desktop.importing import controller, panel
from hivemind_desktop.importing.lines import ReportLine
from hivemind_desktop.importing.running import RunningImport
from hivemind_desktop.widgets.buttons import Button

LARGE = 150


async def start(driver: WindowDriver, export: Path) -> tuple[int, RunningImport]:
    (await driver.preview(export)).go.click()
    await driver.until(lambda: driver.import_controller.runs.cards, "the running import")
    ((run, card),) = driver.import_controller.runs.cards.items()
    await driver.until(lambda: card._items.text() != "0", "the first conversations")
    return run, card


def press_button(view: QWidget, words: str) -> None:
    (found,) = [each for each in view.findChildren(Button) if each.words() == words and each.isVisible()]
    found.click()


@pytest.fixture
def large(tmp_path: Path) -> Path:
    return write_export(tmp_path / "conversations.json", conversations=LARGE, messages=8, length=4)


def test_pause_and_resume(tmp_path: Path, large: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        run, card = await start(driver, large)
        assert driver.import_controller.offers() >= {"import.cancel", "import.pause"}
        driver.window.perform("import.pause")
        await driver.until(lambda: card.is_paused)
        report = await driver.app.client.call(lambda engine: engine.harvest.report("personal", run))
        assert report.state is RunState.PAUSED
        assert driver.import_controller.offers() >= {"import.cancel", "import.resume"}
        await driver.search("zebra0")  # what is in can be searched meanwhile
        assert driver.memories.model.rowCount() > 0
        driver.window.perform("import.resume")
        await driver.until(lambda: not driver.import_controller.runs.cards, "the end", 60)
        assert driver.import_controller.outcomes.shown is not None
        assert driver.import_controller.outcomes.shown.new == LARGE

    drive(tmp_path / "data", walk)


@pytest.mark.parametrize(("answer", "stays"), [("keep", True), ("remove", False)])
def test_cancelling_keeps_or_removes_what_is_in(tmp_path: Path, large: Path, answer: str, stays: bool) -> None:
    async def walk(driver: WindowDriver) -> None:
        await start(driver, large)
        driver.window.perform("import.cancel")
        await driver.answer(answer)
        await driver.until(lambda: not driver.import_controller.runs.cards, "the end", 60)
        facts = await driver.app.client.call(lambda engine: engine.workspaces.facts("personal"))
        assert (facts.sessions > 0) is stays
        assert facts.sessions < LARGE

    drive(tmp_path / "data", walk)


def test_not_cancelling_goes_on(tmp_path: Path, large: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await start(driver, large)
        driver.window.perform("import.cancel")
        await driver.answer("")
        await driver.until(lambda: not driver.import_controller.runs.cards, "the end", 60)
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
        await driver.until(lambda: driver.importing.interrupted.count() == 1)
        (run,) = await driver.app.client.call(lambda engine: engine.harvest.interrupted("personal"))
        press_button(driver.importing.interrupted, "Keep what is in")
        await driver.until(lambda: driver.importing.interrupted.count() == 0)
        await driver.until(lambda: item.accessibleName() == "Import")
        driver.importing.earlier.report_asked.emit(run.run_id)
        await driver.until(lambda: driver.import_controller.outcomes.shown is not None)
        assert driver.import_controller.outcomes.shown is not None
        assert driver.import_controller.outcomes.shown.state is RunState.CANCELLED

    drive(tmp_path / "data", walk)


def test_the_same_export_again_is_all_there(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json")

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.import_file(export)
        await driver.until(
            lambda: driver.import_controller.outcomes.shown and driver.import_controller.outcomes.shown.unchanged == 3
        )
        await driver.until(lambda: driver.importing.earlier._runs and len(driver.importing.earlier._runs) == 2)
        assert "import.undo" not in driver.import_controller.offers()

    drive(tmp_path / "data", walk)


def test_an_interrupted_import_can_be_taken_out(tmp_path: Path, large: Path) -> None:
    async def leave(driver: WindowDriver) -> None:
        await start(driver, large)

    drive(tmp_path / "data", leave)

    async def walk(driver: WindowDriver) -> None:
        await driver.show("import")
        await driver.until(lambda: driver.importing.interrupted.count() == 1)
        press_button(driver.importing.interrupted, "Remove…")
        await driver.answer("yes")
        await driver.until(lambda: driver.importing.interrupted.count() == 0)
        facts = await driver.app.client.call(lambda engine: engine.workspaces.facts("personal"))
        assert (facts.sessions, facts.frames) == (0, 0)

    drive(tmp_path / "data", walk)


def test_an_interrupted_import_without_its_file_says_so(tmp_path: Path, large: Path) -> None:
    async def leave(driver: WindowDriver) -> None:
        await start(driver, large)

    drive(tmp_path / "data", leave)
    large.unlink()

    async def walk(driver: WindowDriver) -> None:
        await driver.show("import")
        await driver.until(lambda: driver.importing.interrupted.count() == 1)
        (resume,) = [each for each in driver.importing.interrupted.findChildren(Button) if each.words() == "Resume"]
        assert not resume.isEnabled()

    drive(tmp_path / "data", walk)


def test_the_items_behind_each_reason_and_the_table_of_all(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=3)

    async def walk(driver: WindowDriver) -> None:
        card = await driver.preview(export)
        card.form.words.setText("number 1, number 2")
        card.go.click()
        await driver.until(lambda: not driver.importing.report.isHidden(), "the report")
        lines = {each.shown.what: each for each in driver.importing.report.findChildren(ReportLine)}
        line = lines["conversations skipped"]
        assert line.shown.reasons == "left out by you"
        line._toggle()
        await driver.until(line.items)
        assert line.items() == [
            "Talk number 1: left out by you",
            "Talk number 2: left out by you",
        ]
        new = lines["memories from 4 messages"]
        new._toggle()
        await driver.until(new.items)
        table = tmp_path / "report.csv"
        shown = driver.import_controller.outcomes.shown
        assert shown is not None
        await driver.import_controller.outcomes.write_csv(shown.run_id, table)
        assert "Talk number 2" in table.read_text("utf-8")
        driver.window.perform("import.csv")
        dialog = next(each for each in driver.window.findChildren(QFileDialog) if each.isVisible())
        dialog.reject()
        (opener,) = [each for each in new.findChildren(Button) if each.accessibleName() == "Open Talk number 0"]
        opener.click()
        await driver.until(lambda: driver.window.shown == "sessions" and driver.sessions.conversation.blocks)

    drive(tmp_path / "data", walk)


def test_an_empty_export_is_told_with_its_reason(tmp_path: Path) -> None:
    export = tmp_path / "conversations.json"
    export.write_text("[]")

    async def walk(driver: WindowDriver) -> None:
        card = await driver.preview(export)
        await driver.until(lambda: card.survey and card.survey.state == "finished")
        card.go.click()
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
        await driver.until(lambda: not driver.import_controller.runs.cards, "the end", 60)
        surface: Any = driver.app.notices._surface
        await driver.until(lambda: surface.toast is not None, "the word that it is in")
        assert surface.toast.accessibleName() == "ChatGPT export is in"

    drive(tmp_path / "data", walk)
    assert importing.open_page.__module__ == "hivemind_desktop.importing"
    assert controller.ImportController.__doc__
    assert panel.ImportPanel.__doc__
