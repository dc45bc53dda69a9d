"""By keyboard alone: Tab walks every page and every part of Settings, each stop shows a ring, nothing is a trap.

Covers: window.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QWidget
from tests.desktop.main_window.test_window import controls, fill, neighbours, tab_stops
from tests.desktop.settings.settings_driver import settings_page
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind_desktop.pages import PAGES
from hivemind_desktop.settings.sections import SECTIONS
from hivemind_desktop.theme import theme
from hivemind_desktop.widgets.page import Target


def name_of(widget: QWidget) -> str:
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


def has_ring(driver: WindowDriver, stop: QWidget) -> bool:
    """Whether it looks different with the keyboard on it."""
    stop.setFocus(Qt.FocusReason.TabFocusReason)
    if isinstance(stop, QAbstractItemView):
        press(stop, Qt.Key.Key_Down)
    with_focus = stop.grab().toImage()
    driver.window.setFocus()
    return bool(stop.grab().toImage() != with_focus)


async def walk_here(driver: WindowDriver, where: str) -> None:
    """Every control reached and named, every stop with a ring; Shift+Tab leads back the same way."""
    await driver.idle()
    await asyncio.sleep(0.05)
    window = driver.window
    window.activateWindow()
    stops = tab_stops(window)
    for each in controls(window):
        assert name_of(each), f"{where}: {each} has no name"
        assert each in stops or neighbours(window, each) & set(stops), f"{where}: {name_of(each)} cannot be reached"
    for stop in stops:
        assert name_of(stop), f"{where}: {stop} has no name"
        assert has_ring(driver, stop), f"{where}: {name_of(stop)} shows no ring"
    stops[0].setFocus(Qt.FocusReason.TabFocusReason)
    for _ in stops:
        window.focusNextPrevChild(False)
    assert QApplication.focusWidget() is stops[0], f"{where}: a trap on the way back"


def test_every_page(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await fill(driver, tmp_path)
        saved = await driver.app.client.call(lambda engine: engine.memory.save("gone", "personal"))
        await driver.app.client.call(lambda engine: engine.memory.trash("personal", [saved.frame.id]))
        for page in PAGES:
            await driver.show(page.key)
            await walk_here(driver, page.key)

    drive(tmp_path / "data", walk)


def test_every_part_of_settings(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("The ferry leaves at noon", "personal"))
        await driver.app.client.call(lambda engine: engine.backups.make("personal"))
        await driver.show("settings")
        for part in SECTIONS:
            driver.window.show_target(Target("settings", query=part.key))
            view = settings_page(driver).part(part.key).view
            await driver.until(lambda view=view: view.stack.state == "data", part.key)
            await walk_here(driver, part.key)

    drive(tmp_path, walk)


def test_reduced_motion_moves_nothing(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("settings")
        driver.window.show_target(Target("settings", query="appearance/motion"))
        part = settings_page(driver).part("appearance")
        await driver.until(lambda: part.view.stack.state == "data")
        assert theme().motion_ms("calm") > 0
        part.view.motion.click()  # type: ignore[attr-defined]
        assert {theme().motion_ms(motion) for motion in ("quick", "calm")} == {0}

    drive(tmp_path, walk)
