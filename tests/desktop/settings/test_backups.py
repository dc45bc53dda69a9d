"""Backups in the window: made, checked, removed after asking; a restore shows first what it would change.

Covers: backups, backups_control.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.desktop.settings.settings_driver import open_part
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.upkeep import BackupKind
from hivemind.settings import load_settings
from hivemind_desktop.settings.backups import RestoreSheet, kind_words
from hivemind_desktop.settings.backups_control import BackupsController
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.marks import Badge


def badges(part: BackupsController) -> list[str]:
    return [each.accessibleName() for each in part.view.findChildren(Badge) if each.isVisible()]


@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing)", extend=True)
def test_make_preview_and_restore(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await call(lambda engine: engine.memory.save("The ferry leaves at noon", "personal"))
        part = await open_part(driver, "backups", BackupsController)
        view = part.backups
        assert not view._none.isHidden()
        driver.window.perform("backup.now")
        await driver.until(lambda: badges(part) == ["Sound"])
        assert view._none.isHidden()
        await call(lambda engine: engine.memory.save("It came later", "personal"))
        (made,) = await call(lambda engine: engine.backups.list("personal"))
        view.restore_asked.emit(made.path)
        await driver.until(lambda: part.sheet is not None and part.sheet.isVisible())
        sheet = part.sheet
        assert isinstance(sheet, RestoreSheet)
        assert "It came later" in [each.full_text() for each in sheet.findChildren(ElidedLabel)]
        assert sheet.safe.hasFocus() or not driver.window.isActiveWindow()
        sheet.safe.click()
        await driver.idle()
        assert await call(lambda engine: engine.memory.count("personal")) == 2, "left as it is"
        view.restore_asked.emit(made.path)
        await driver.until(lambda: part.sheet is not None and part.sheet is not sheet)
        assert part.sheet is not None
        next(each for each in part.sheet.findChildren(Button) if each.words() == "Restore this backup").click()
        await driver.until(lambda: not part.tasks.is_running("restore"))
        assert await call(lambda engine: engine.memory.count("personal")) == 1
        kinds = {each.kind for each in await call(lambda engine: engine.backups.list("personal"))}
        assert kinds == {BackupKind.BY_HAND, BackupKind.BEFORE_RESTORE}

    drive(tmp_path, walk)


def test_check_remove_and_the_plan(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await call(lambda engine: engine.memory.save("The ferry leaves at noon", "personal"))
        made = await call(lambda engine: engine.backups.make("personal"))
        file = Path(made.path)
        content = file.read_bytes()
        file.write_bytes(content[:200] + b"\xff" * (len(content) - 200))
        part = await open_part(driver, "backups", BackupsController)
        told: list[str] = []
        part.desk.notices.error = lambda title, _hint, _details="": told.append(title)  # type: ignore[method-assign]
        part.backups.check_asked.emit(made.path)
        await driver.until(lambda: badges(part) == ["Damaged"])
        assert told == ["This backup cannot be used"]
        file.write_bytes(content)
        part.backups.check_asked.emit(made.path)
        await driver.until(lambda: badges(part) == ["Sound"])
        part.backups.remove_asked.emit(made.path)
        await driver.answer("")
        assert file.exists()
        part.backups.remove_asked.emit(made.path)
        await driver.answer("yes")
        await driver.until(lambda: not badges(part))
        assert not file.exists()
        part.backups.every["weekly"].click()
        part.backups.keep[30].click()

    drive(tmp_path, walk)
    kept = load_settings(tmp_path / "settings.json")
    assert (kept.backup_every, kept.backup_keep) == ("weekly", 30)
    assert len({kind_words(kind) for kind in BackupKind}) == len(BackupKind)
