"""Erasing from the window: from a memory, a session, an import and by words, shown before, told after.

Covers: erase_sheet, erasing, menu_choice.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.erasure import (
    ErasurePreview,
    ErasureReceipt,
    ErasureState,
    OutsideCopy,
    Residue,
)
from hivemind_desktop.widgets.erase_sheet import EraseSheet
from hivemind_desktop.widgets.erasing import Erasing

SECRET = "Quittengelee-0815"


def sheet_of(driver: WindowDriver) -> EraseSheet:
    found = [each for each in driver.window.findChildren(EraseSheet) if each.isVisible()]
    assert len(found) == 1
    return found[0]


def words_of(sheet: EraseSheet) -> str:
    return "\n".join(each.text() for each in sheet.findChildren(QLabel) if each.isVisible())


async def agree(driver: WindowDriver, sheet: EraseSheet) -> None:
    await driver.until(lambda: sheet.erase.isVisible(), "a preview")
    assert not sheet.erase.isEnabled()
    sheet.typed.setText("eras")
    assert not sheet.erase.isEnabled()
    sheet.typed.setText("Erase ")
    sheet.erase.click()
    await driver.until(lambda: sheet.save.isVisible(), "a receipt")


def test_from_a_memory_to_its_saved_receipt(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        saved = await call(lambda engine: engine.memory.save(f"I like {SECRET}", "personal"))
        await driver.show("memories")
        driver.memories_controller.open_memory(saved.frame.id)
        await driver.until(lambda: driver.memories_controller.detail is not None)
        driver.window.perform("memory.erase")
        sheet = sheet_of(driver)
        await driver.until(lambda: sheet.erase.isVisible())
        assert SECRET in words_of(sheet) and "cannot be undone" in words_of(sheet)
        await agree(driver, sheet)
        assert SECRET not in words_of(sheet)
        (erasing,) = sheet.findChildren(Erasing)
        await erasing.save(tmp_path / "receipt.json")
        assert json.loads((tmp_path / "receipt.json").read_text())["state"] == "erased"
        assert await call(lambda engine: engine.memory.count("personal")) == 0

    drive(tmp_path / "data", walk)


def test_closing_leaves_everything_as_it_is(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await call(lambda engine: engine.memory.save(f"I like {SECRET}", "personal"))
        driver.window.perform("erase")
        sheet = sheet_of(driver)
        sheet.words.setText(SECRET.lower())
        sheet.words.returnPressed.emit()
        await driver.until(lambda: sheet.erase.isVisible())
        sheet.reject()
        assert await call(lambda engine: engine.memory.count("personal")) == 1

    drive(tmp_path, walk)


@pytest.mark.parametrize(("words", "state"), [("nobody said this", "error"), ("ab", "error")])
def test_words_that_are_not_there_or_too_short(tmp_path: Path, words: str, state: str) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("I like lemons", "personal"))
        driver.window.perform("erase")
        sheet = sheet_of(driver)
        sheet.words.setText(words)
        sheet.words.returnPressed.emit()
        await driver.until(lambda: sheet.stack.told is not None)
        assert sheet.stack.state == (state if words == "ab" else "empty")
        assert not sheet.erase.isVisible()

    drive(tmp_path, walk)


def test_from_a_session_and_from_the_report_of_an_import(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await driver.import_file(write_export(tmp_path / "export.json"))
        (first, *_) = await call(lambda engine: engine.sessions.list_rows("personal"))
        await driver.show("sessions")
        driver.sessions.picked.emit(first.session.id)
        await driver.until(lambda: "session.erase" in driver.window.page("sessions").offers())
        driver.window.perform("session.erase")
        await agree(driver, sheet_of(driver))
        sheet_of(driver).reject()
        rows = await call(lambda engine: engine.sessions.list_rows("personal"))
        assert first.session.id not in [row.session.id for row in rows]
        await driver.show("import")
        driver.importing.report.erase_asked.emit()
        sheet = sheet_of(driver)
        await agree(driver, sheet)
        assert await call(lambda engine: engine.memory.count("personal")) == 0

    drive(tmp_path / "data", walk)


def test_a_pending_receipt_says_why(qtbot) -> None:
    from PySide6.QtWidgets import QWidget

    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    sheet = EraseSheet(window, asks=False)
    sheet.show()
    outside = (OutsideCopy("imported file", "/home/me/export.zip"), OutsideCopy("disk"))
    many = tuple(f"Memory number {n}" for n in range(12))
    backups = (Path("/data/backups/personal by hand 2026.mind"),)
    sheet.show_preview(ErasurePreview({"frames": 12, "changes": 3}, 12, 2, 1, many, 4, backups, backups, outside))
    assert "/home/me/export.zip" in words_of(sheet) and "and 4 more" in words_of(sheet)
    assert sheet.backups.isVisible() and sheet.backups.key == "rewrite"
    menu = sheet.backups.menu_of_choices()
    assert [each.isChecked() for each in menu.actions()] == [True, False]
    menu.actions()[1].trigger()
    assert (sheet.backups.key, sheet.reason.key) == ("remove", "request")
    residue = Residue({"minds": 1}, 0, 0, 0, 3)
    sheet.show_receipt(
        ErasureReceipt(
            "u", "personal", "m", "2026-11-30T12:00:00.000Z", "text", "request", ErasureState.PENDING, ("log_file",), 7,
            {"frames": 12}, {"rewritten": 1}, residue, (), ("Copies elsewhere.",),
        )
    )  # fmt: skip
    qtbot.waitUntil(lambda: "not finished yet" in words_of(sheet) and "Another program" in words_of(sheet))
    assert sheet.save.isVisible() and not sheet.erase.isVisible()
    sheet.close()
