"""The keyboard map: all from ACTIONS, changed and kept, taken keys named, letters switched off."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from tests.desktop.settings.settings_driver import open_part
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.settings import load_settings
from hivemind_desktop.settings.shortcuts import ShortcutsController, conflicts, may_be_lone
from hivemind_desktop.widgets.page import KeyRow


@pytest.mark.parametrize(
    ("key", "safe"),
    [("Ctrl+K", True), ("F5", True), ("Shift+F6", True), ("E", False), ("Del", False), ("Shift+A", False)],
)
def test_keys_that_type_nothing(key: str, safe: bool) -> None:
    assert may_be_lone(key) is safe


def test_conflicts_are_found() -> None:
    rows = [KeyRow(name, name, "x", "", key, key) for name, key in (("a", "Ctrl+Z"), ("b", "ctrl+z"), ("c", ""))]
    assert [(key, [each.id for each in of]) for key, of in conflicts(rows)] == [("Ctrl+Z", ["a", "b"])]


def test_a_key_is_changed_refused_when_taken_and_put_back(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        part = await open_part(driver, "shortcuts", ShortcutsController)
        table = part.shortcuts.table.model()
        assert table.rowCount() == len(driver.app.desk.key_map())
        dialog = part.ask("history")
        dialog.edit.setKeySequence(QKeySequence("Ctrl+Z"))
        dialog.keep.click()
        assert "Undo the last change" in dialog.problem.text()
        dialog.edit.setKeySequence(QKeySequence("H"))
        dialog.keep.click()
        assert "Hold Ctrl" in dialog.problem.text()
        dialog.edit.setKeySequence(QKeySequence("Ctrl+Alt+H"))
        dialog.keep.click()
        made = driver.window._qt_actions
        assert made["history"].shortcut() == QKeySequence("Ctrl+Alt+H")
        part.shortcuts.line.setText("history of")
        assert table.index(0, 3).data() == "changed"
        part.shortcuts.single_turned.emit(False)
        assert made["memory.edit"].shortcut().isEmpty()
        assert not made["undo"].shortcut().isEmpty()
        part.shortcuts.single_turned.emit(True)
        part.ask("reload").chosen.emit("")
        assert made["reload"].shortcut().isEmpty()

    drive(tmp_path, walk)
    assert load_settings(tmp_path / "settings.json").shortcuts == {"history": "Ctrl+Alt+H", "reload": ""}

    async def again(driver: WindowDriver) -> None:
        made = driver.window._qt_actions
        assert made["history"].shortcut() == QKeySequence("Ctrl+Alt+H")
        part = await open_part(driver, "shortcuts", ShortcutsController)
        part.shortcuts.reset.click()
        assert made["history"].shortcut() == QKeySequence("Ctrl+Shift+H")

    drive(tmp_path, again)
