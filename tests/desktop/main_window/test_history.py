"""The history sheet and the keys: undo up to here, reasons in words, after a restart too; single keys and text fields.

Covers: history, keymap, palette_contents.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.frames import Importance
from hivemind.settings import Settings
from hivemind_desktop.actions import ACTIONS
from hivemind_desktop.main_window.history import HistorySheet
from hivemind_desktop.main_window.keymap import is_lone, key_of
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.marks import Badge


def sheet_of(driver: WindowDriver) -> HistorySheet:
    return next(each for each in driver.window.findChildren(HistorySheet) if each.isVisible())


def test_undo_up_to_here_after_a_restart(tmp_path: Path) -> None:
    async def make(driver: WindowDriver) -> None:
        call = driver.app.client.call
        saved = await call(lambda engine: engine.memory.save("The ferry leaves at noon", "personal"))
        for importance in (Importance.CRITICAL, Importance.IMPORTANT):
            await call(lambda engine, i=importance: engine.memory.set_importance("personal", [saved.frame.id], i))

    drive(tmp_path, make)

    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        driver.window.perform("history")
        sheet = sheet_of(driver)
        await driver.until(lambda: len(sheet.buttons) == 3)
        assert [each.words() for each in sheet.buttons.values()] == ["Undo", "Undo up to here", "Undo up to here"]
        second = list(sheet.buttons)[1]
        sheet.buttons[second].click()
        await driver.until(lambda: len(sheet.buttons) == 1)
        detail = await driver.app.client.call(lambda engine: engine.memory.detail("personal", 1))
        assert detail.frame.importance is Importance.NORMAL
        done = [each.accessibleName() for each in sheet.findChildren(Badge) if each.isVisible()]
        assert done == ["Undone", "Undone"]
        sheet.reject()

    drive(tmp_path, walk)


def test_why_one_cannot_be_undone(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await driver.show("home")
        driver.window.perform("history")
        sheet = sheet_of(driver)
        await driver.until(lambda: not driver.window._commands.tasks.is_running("history"))
        assert sheet.buttons == {}
        saved = await call(lambda engine: engine.memory.save("A heron", "personal"))
        await call(lambda engine: engine.memory.trash("personal", [saved.frame.id]))
        await call(lambda engine: engine.trash.delete("personal", [saved.frame.id]))
        sheet.reject()
        driver.window.perform("history")
        sheet = sheet_of(driver)
        await driver.until(lambda: len([e for e in sheet.findChildren(Badge) if e.isVisible()]) == 2)
        words = [each.text() for each in sheet.findChildren(type(label("")))]
        assert any("deleted for good" in each for each in words)
        sheet.reject()

    drive(tmp_path, walk)


def test_no_single_key_destroys_or_writes_for_good() -> None:
    lone = {action.id for action in ACTIONS if is_lone(action.shortcut)}
    writing = {action.id for action in ACTIONS if action.writes}
    assert lone & writing <= {
        "memory.edit", "memory.pin", "memory.normal", "memory.important", "memory.critical",
    }  # fmt: skip
    for action in ACTIONS:
        if any(word in action.id for word in ("trash", "delete", "empty", "undo", "cancel", "restore", "retract")):
            assert not is_lone(action.shortcut), action.id
        # A person cannot give one a lone key either.
        bold = Settings(shortcuts={action.id: "Q"})
        assert key_of(action, bold) == ("Q" if is_lone(action.shortcut) else "")
        assert not is_lone(key_of(action, Settings(single_keys=False)))


def test_letters_do_nothing_but_write_in_text_fields(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        saved = await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        await driver.show("memories")
        await driver.until(lambda: driver.memories.stack.state == "data")
        driver.memories_controller.open_memory(saved.frame.id)
        await driver.until(lambda: "memory.edit" in driver.window.page("memories").offers())
        done: list[str] = []
        for action in ACTIONS:
            driver.window._qt_actions[action.id].triggered.connect(lambda _on=False, i=action.id: done.append(i))
        driver.window.activateWindow()
        line = driver.memories.search
        line.setFocus()
        await driver.until(line.hasFocus)
        letters = "".join(
            action.shortcut for action in ACTIONS if is_lone(action.shortcut) and len(action.shortcut) == 1
        )
        assert letters
        QTest.keyClicks(line, letters.lower())
        assert line.text() == letters.lower()
        assert done == []

    drive(tmp_path, walk)


@pytest.mark.parametrize(("key", "lone"), [("E", True), ("Del", True), ("F2", False), ("Ctrl+Del", False), ("", False)])
def test_lone_keys(key: str, lone: bool) -> None:
    assert is_lone(key) is lone
    assert Qt.Key.Key_E
