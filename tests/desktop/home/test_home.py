"""Home: the first run for a newcomer, later a search line and recent sessions."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.exports import write_export
from tests.desktop.importing.test_reviewing import risky_export
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind.events import Progress
from hivemind.harvest.adapters import ADAPTERS
from hivemind_desktop.home import open_page
from hivemind_desktop.home.controller import HomeController
from hivemind_desktop.home.first_run import FirstRun
from hivemind_desktop.home.guides import GuideSheet, guide_card
from hivemind_desktop.home.model import GUIDES, RECENT, AtAGlance
from hivemind_desktop.home.panel import HomePanel
from hivemind_desktop.home.recent import RecentSessions
from hivemind_desktop.home.waiting import HomeCards
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.marks import Badge


def test_a_newcomer_can_begin_in_every_way_named(qtbot: QtBot) -> None:
    view = FirstRun("/home/ana/Hive-Mind")
    qtbot.addWidget(view)
    chosen: list[str] = []
    view.chosen.connect(chosen.append)
    for each in view.findChildren(Button):
        each.click()
    assert set(chosen) == {"files.choose", "files.sample", "start.empty", "guide", "data.open"}


def test_guides_say_which_sources_can_be_read() -> None:
    readable = {adapter.name for adapter in ADAPTERS}
    for guide in GUIDES:
        assert (guide.source in readable) is (guide.vendor != "Gemini")
        assert guide.page.startswith("https://")
        assert len(guide.steps) >= 3
    assert "cannot read it yet" in GUIDES[-1].note


def test_a_guide_copies_its_link_and_opens_no_browser(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    asked: list[int] = []
    card = guide_card(GUIDES[1], lambda: asked.append(1))
    qtbot.addWidget(card)
    copy, steps = card.findChildren(Button)
    copy.click()
    assert QGuiApplication.clipboard().text() == GUIDES[1].page
    assert copy.words() == "Copied"
    steps.click()
    assert asked == [1]
    assert opened == []


def test_every_step_is_in_the_sheet(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    sheet = GuideSheet(window)
    words = {each.text() for each in sheet.findChildren(QLabel)}
    for guide in GUIDES:
        assert set(guide.steps) <= words
        assert guide.page in words
    badges = [each.accessibleName() for each in sheet.findChildren(Badge)]
    assert badges == ["Not readable yet"]


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


def test_the_sample_is_in_with_one_click_and_out_with_one(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        assert "sample.remove" not in driver.window.page("home").offers()
        driver.home.first_run.chosen.emit("files.sample")
        await driver.until(lambda: not driver.importing.report.isHidden(), "the report")
        await driver.show("home")
        await driver.until(lambda: driver.home.cards.sample.isVisible())
        (remove,) = driver.home.cards.sample.findChildren(Button)
        assert remove.words() == "Remove the sample"
        remove.click()
        await driver.until(lambda: driver.home.stack.state == "empty", "an empty mind again")
        facts = await driver.app.client.call(lambda engine: engine.workspaces.facts("personal"))
        assert (facts.frames, facts.sessions) == (0, 0)

    drive(tmp_path / "data", walk)


def test_what_waits_and_what_arrived_lead_on(tmp_path: Path) -> None:
    export = risky_export(tmp_path / "conversations.json")

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.show("home")
        cards = driver.home.cards
        await driver.until(lambda: cards.waiting.rows() and cards.arrived.rows())
        assert [row.target for row in cards.waiting.rows()] == ["review quarantined", "review masked"]
        assert [row.what for row in cards.arrived.rows()] == ["2 conversations from ChatGPT"]
        assert not cards.quiet.isVisible()
        cards.asked.emit(cards.arrived.rows()[0].target)
        await driver.until(lambda: driver.window.shown == "import" and not driver.importing.report.isHidden())
        await driver.show("home")
        cards.asked.emit("review masked")
        await driver.until(lambda: driver.importing.review.isVisible())

    drive(tmp_path / "data", walk)


def test_starting_empty_is_quiet_and_names_the_guides(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        driver.home.first_run.chosen.emit("start.empty")
        await driver.until(lambda: driver.home.stack.state == "data")
        assert driver.home.cards.quiet.isVisible()
        driver.window.perform("guide")
        assert any(isinstance(each, GuideSheet) for each in driver.dialogs())

    drive(tmp_path / "data", walk)


def test_an_import_at_work_is_on_home(qtbot: QtBot) -> None:
    cards = HomeCards()
    qtbot.addWidget(cards)
    cards.show()
    cards.show_progress(Progress(1, "import", "personal", "running", 25, 100, 3, 9, 12, "A talk"))
    assert cards.job.isVisible()
    assert cards._job._facts.full_text() == "25.00 % · 3 conversations · 12 memories"
    cards.show_progress(Progress(1, "import", "personal", "finished", 100, 100, 3, 9, 12, "", finished=True))
    assert not cards.job.isVisible()


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
