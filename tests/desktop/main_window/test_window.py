"""The window: reachable by keyboard, everything named, drops, palette, switching minds, settings kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind.settings import load_settings
from hivemind_desktop.main_window.window import SMALLEST, MainWindow
from hivemind_desktop.pages import PAGES
from hivemind_desktop.theme import theme
from hivemind_desktop.widgets.nav_items import RailItem
from hivemind_desktop.widgets.palette import COMMAND, CommandPalette

CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QTextEdit, QPlainTextEdit)


def controls(window: MainWindow) -> list[QWidget]:
    """Every control a person sees and can use now."""
    found = [each for kind in CONTROLS for each in window.findChildren(kind) if each.isVisible() and each.isEnabled()]
    return [each for each in found if not isinstance(each.parent(), QAbstractScrollArea) and each.width() > 1]


def tab_stops(window: MainWindow) -> list[QWidget]:
    """What the Tab key walks through, once around."""
    stops: list[QWidget] = []
    for _ in range(400):
        window.focusNextPrevChild(True)
        held = QApplication.focusWidget()
        if held is None or held in stops:
            return stops
        stops.append(held)
    return stops


def neighbours(window: MainWindow, each: QWidget) -> set[QWidget]:
    """Controls that share one tab stop with this one: arrows walk inside the rail and inside a group of choices."""
    if isinstance(each, RailItem):
        return {item for item in window.findChildren(RailItem) if item.parentWidget() is each.parentWidget()}
    group = each.group() if isinstance(each, QAbstractButton) else None
    return set(group.buttons()) if group is not None and group.exclusive() else set()


async def fill(driver: WindowDriver, folder: Path) -> None:
    await driver.import_file(write_export(folder / "conversations.json", conversations=2, messages=3))
    await driver.search("zebra1")
    await driver.open_first()
    driver.window.perform("memory.message")
    await driver.until(lambda: driver.sessions.conversation.blocks)


@pytest.mark.parametrize("with_data", [False, True])
def test_tab_reaches_every_control_and_every_control_has_a_name(tmp_path: Path, with_data: bool) -> None:
    async def walk(driver: WindowDriver) -> None:
        if with_data:
            await fill(driver, tmp_path)
        for page in PAGES:
            await driver.show(page.key)
            await driver.idle()
            await asyncio.sleep(0.05)
            driver.window.activateWindow()
            stops = tab_stops(driver.window)
            for each in controls(driver.window):
                name = each.accessibleName() or (each.text() if isinstance(each, QAbstractButton) else "")
                assert name, f"{page.key}: {each} has no name"
                assert each in stops or neighbours(driver.window, each) & set(stops), (
                    f"{page.key}: {name} cannot be reached"
                )
                if isinstance(each, QAbstractButton):
                    assert min(each.width(), each.height()) >= 24 or each.property("look") == "link", name

    drive(tmp_path / "data", walk)


def test_no_page_is_wider_than_the_smallest_window(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await fill(driver, tmp_path)
        for page in PAGES:
            await driver.show(page.key)
            driver.window.resize(SMALLEST)
            await asyncio.sleep(0.05)
            assert driver.window.width() == SMALLEST.width(), page.key
            view = driver.window.page(page.key).view
            assert view.minimumSizeHint().width() <= view.width(), page.key

    drive(tmp_path / "data", walk)


def test_the_palette_runs_what_can_be_done(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        driver.window.perform("palette")
        palette = driver.window.findChild(CommandPalette)
        assert palette is not None
        commands = [palette._model.index(row).data(COMMAND) for row in range(palette._model.rowCount())]
        why_not = {each.name: each.why_not for each in commands}
        assert why_not["Go to Sessions"] == ""
        assert why_not["Move to trash"] == "open a memory first"
        palette.line.setText("move to trash")
        press(palette.line, Qt.Key.Key_Return)
        assert palette.isVisible(), "what cannot be done now is not run"
        palette.line.setText("go to sesions")  # with a slip of the finger
        press(palette.line, Qt.Key.Key_Return)
        await driver.until(lambda: driver.window.shown == "sessions")

    drive(tmp_path, walk)


def test_the_palette_leads_to_sessions_and_searches_for_what_was_typed(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        await driver.show("home")
        driver.window.perform("palette")
        palette = driver.window.findChild(CommandPalette)
        assert palette is not None
        await driver.until(lambda: palette._model._last is not None)
        rows = [palette._model.index(row).data(COMMAND) for row in range(palette._model.rowCount())]
        assert [each.icon for each in rows if each.key.startswith("session:")] == ["messages-square"]
        palette.line.setText("heron")
        last = palette._model.index(palette._model.rowCount() - 1).data()
        assert last == "Search memories for “heron”"
        press(palette.line, Qt.Key.Key_Return)
        await driver.until(lambda: driver.window.shown == "memories")

    drive(tmp_path, walk)


def test_the_theme_goes_round_and_is_kept(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("settings")
        seen = []
        for _ in range(3):
            driver.window.perform("theme")
            seen.append(theme().choice)
        assert seen == ["light", "dark", "system"]
        driver.window.perform("theme")
        driver.window.perform("theme")
        driver.window.resize(1000, 700)
        await asyncio.sleep(0.02)

    drive(tmp_path, walk)
    kept = load_settings(tmp_path / "settings.json")
    assert (kept.theme, kept.window_width, kept.window_height) == ("dark", 1000, 700)

    async def again(driver: WindowDriver) -> None:
        assert theme().is_dark
        assert driver.window.width() == 1000

    drive(tmp_path, again)


def test_start_empty_is_remembered(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        assert driver.home.stack.state == "empty"
        driver.home.first_run.chosen.emit("start.empty")
        await driver.until(lambda: driver.home.stack.state == "data")

    drive(tmp_path, walk)
    assert load_settings(tmp_path / "settings.json").start_empty


def test_a_drop_anywhere_imports_and_the_zone_shows_it(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=1)

    async def walk(driver: WindowDriver) -> None:
        await driver.show("settings")
        await driver.import_file(export)
        assert driver.window.shown == "import"
        assert driver.window.job_item.isHidden()

    drive(tmp_path / "data", walk)


def test_files_that_are_no_export_are_named_with_the_next_step(tmp_path: Path) -> None:
    notes = tmp_path / "photo.png"
    notes.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    half = tmp_path / "half.zip"
    half.write_bytes(b"PK\x03\x04 and no more")
    good = write_export(tmp_path / "conversations.json", conversations=1)

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(notes, half, good)
        troubles = driver.importing._troubles
        words = [troubles.itemAt(at).widget().accessibleName() for at in range(troubles.count())]  # type: ignore[union-attr]
        assert len(words) == 2
        assert words[0].startswith("photo.png: ")
        assert words[1].startswith("half.zip: ")
        assert "Nothing was imported" in words[0]
        assert "Download it again" in words[1]
        facts = await driver.app.client.call(lambda engine: engine.workspaces.facts("personal"))
        assert facts.sessions == 1

    drive(tmp_path / "data", walk)


def test_ctrl_f_leads_to_the_search_line(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        await driver.show("home")
        await driver.until(lambda: driver.home.stack.state == "data")
        driver.window.activateWindow()
        driver.window.perform("search")
        assert driver.window.focusWidget() is driver.home.search
        driver.home.search.setText("heron")
        press(driver.home.search, Qt.Key.Key_Return)
        await driver.until(lambda: driver.window.shown == "memories" and driver.memories.model.rowCount() == 1)
        await driver.show("import")
        driver.window.perform("search")
        await driver.until(lambda: driver.window.shown == "memories")
        await driver.until(lambda: driver.window.focusWidget() is driver.memories.search)

    drive(tmp_path, walk)


@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing)", extend=True)  # menus, offscreen
def test_another_mind_can_be_shown(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await call(lambda engine: engine.memory.save("Mine", "personal"))
        made = await call(lambda engine: engine.workspaces.create("Legal"))
        await call(lambda engine: engine.memory.save("A clause", made.workspace))
        await driver.show("memories")
        await driver.until(lambda: driver.memories.model.rowCount() == 1)
        driver.window.rail.mind.click()
        await driver.until(lambda: any(each.isVisible() for each in driver.window.findChildren(QMenu)))
        menu = next(each for each in driver.window.findChildren(QMenu) if each.isVisible())
        assert [action.isChecked() for action in menu.actions()] == [True, False]
        await driver.open_first()
        menu.actions()[1].trigger()
        assert driver.memories_controller.detail is None, "what was open belongs to the other mind"
        await driver.until(
            lambda: driver.memories.model.rowCount() and driver.memories.model.index(0).data() == "A clause"
        )
        await driver.until(lambda: driver.window.mind_item.words() == "legal: 1 memory")
        menu.close()

    drive(tmp_path, walk)
