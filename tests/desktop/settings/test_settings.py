"""Settings: the theme at once, facts from the doctor, checking a mind on request."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from pytestqt.qtbot import QtBot
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.minds import DoctorReport, EmbedderFacts, MindFacts, Problem, Scope
from hivemind.settings import Settings, load_settings
from hivemind_desktop.settings import open_page
from hivemind_desktop.settings.controller import SettingsController
from hivemind_desktop.settings.panel import SettingsPanel
from hivemind_desktop.theme import theme
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.marks import Badge


def facts(problem: str = "") -> DoctorReport:
    mind = MindFacts("personal", "/data/minds/personal.mind", Scope.PERSONAL, 12, 3, 0, 0, 1, 5000, problem)
    problems = (Problem("Search works by words only", "The library is missing."),) if problem else ()
    embedder = EmbedderFacts("", "", 0, 0, (), "keyword-only")
    return DoctorReport(not problem, "0.1.0", "3.54.1", "0.1.9", "", embedder, "/data", (mind,), problems)


def words(panel: SettingsPanel) -> list[str]:
    return [each.full_text() for each in panel.findChildren(ElidedLabel)]


def test_facts_are_shown_as_measured(qtbot: QtBot) -> None:
    panel = SettingsPanel(Settings(), "/data")
    qtbot.addWidget(panel)
    panel.show_report(facts())
    shown = words(panel)
    assert "off: no model is installed" in shown
    assert "12 memories · 3 sessions · 5.0 kB" in shown
    assert "SQLite 3.54.1" in panel._versions.text()


def test_a_mind_that_cannot_be_opened_is_named(qtbot: QtBot) -> None:
    panel = SettingsPanel(Settings(), "/data")
    qtbot.addWidget(panel)
    panel.show_report(facts("This mind is damaged. Restore a backup."))
    assert "not while the mind cannot be opened" in words(panel)
    assert "Cannot be opened" in [each.accessibleName() for each in panel.findChildren(Badge)]
    assert panel._problems.count() == 1


def test_choices_are_kept_and_followed(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("settings")
        panel = cast("SettingsPanel", driver.window.page("settings").view)
        panel._themes["dark"].click()
        assert theme().is_dark
        panel._motion.click()
        assert theme().reduced_motion
        driver.window.perform("theme")
        assert panel._themes["system"].isChecked()
        panel._themes["dark"].click()

    drive(tmp_path, walk)
    kept = load_settings(tmp_path / "settings.json")
    assert (kept.theme, kept.reduced_motion) == ("dark", True)


def test_checking_a_mind_says_what_was_found(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        await driver.show("settings")
        page = cast("SettingsController", driver.window.page("settings"))
        page.panel.verify.click()
        await driver.until(lambda: page.panel._verified.text() == "No damage found.")
        assert page.panel.verify.isEnabled()

    drive(tmp_path, walk)
    assert open_page.__module__ == "hivemind_desktop.settings"
