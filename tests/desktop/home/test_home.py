"""Home: the first run for a newcomer, later a search line and recent sessions."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind_desktop.home import open_page
from hivemind_desktop.home.controller import HomeController
from hivemind_desktop.home.model import GUIDES, RECENT, AtAGlance
from hivemind_desktop.home.panel import FirstRun, HomePanel
from hivemind_desktop.home.recent import RecentSessions
from hivemind_desktop.widgets.buttons import Button


def test_a_newcomer_can_begin_in_three_ways(qtbot: QtBot) -> None:
    view = FirstRun("/home/ana/Hive-Mind")
    qtbot.addWidget(view)
    chosen: list[str] = []
    view.chosen.connect(chosen.append)
    for each in view.findChildren(Button):
        each.click()
    assert sorted(chosen) == ["files.choose", "files.sample", "start.empty"]


def test_only_sources_that_can_be_read_have_a_guide() -> None:
    assert [guide.vendor for guide in GUIDES] == ["ChatGPT"]


def test_the_zone_shows_what_is_held_over_the_window(qtbot: QtBot) -> None:
    panel = HomePanel("/data")
    qtbot.addWidget(panel)
    plain = panel.first_run.zone._title.text()
    panel.show_drag(True)
    assert panel.first_run.zone._title.text() != plain
    panel.show_drag(False)
    assert panel.first_run.zone._title.text() == plain
    assert not panel.focus_search()


def test_counts_and_search(qtbot: QtBot) -> None:
    panel = HomePanel("/data")
    qtbot.addWidget(panel)
    panel.show_glance(AtAGlance(1, 2, 1_900_000, ()))
    assert panel._counts.text() == "1 memory from 2 sessions, 1.9 MB on the disk."
    assert panel.focus_search()
    asked: list[str] = []
    panel.searched.connect(asked.append)
    panel.search.setText("heron")
    press(panel.search, Qt.Key.Key_Return)
    assert asked == ["heron"]
    assert isinstance(panel.recent, RecentSessions)


def test_recent_sessions_open(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=RECENT + 2)

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.show("home")
        await driver.until(lambda: len(driver.home.recent._rows) == RECENT)
        newest = driver.home.recent._rows[0].session
        assert newest.title == f"Talk number {RECENT + 1}"
        opener = next(
            each for each in driver.home.recent.findChildren(Button) if each.accessibleName() == f"Open {newest.title}"
        )
        opener.click()
        await driver.until(lambda: driver.window.shown == "sessions" and driver.sessions.conversation.blocks)
        assert isinstance(driver.window.page("home"), HomeController)

    drive(tmp_path / "data", walk)
    assert open_page.__module__ == "hivemind_desktop.home"
