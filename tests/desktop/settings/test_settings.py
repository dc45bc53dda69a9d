"""Settings: a list with search at the left, parts built when shown, room for one thing only, choices kept and followed.

Covers: general, appearance, upkeep, about, storage, privacy, preview, parts, sections, panel, controller.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from tests.desktop.settings.settings_driver import open_part, settings_page, settings_panel, words
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind.domain.upkeep import Destination
from hivemind.paths import resource_path
from hivemind.settings import Settings, load_settings, save_settings
from hivemind_desktop.settings import open_page
from hivemind_desktop.settings.about import AboutController, licences
from hivemind_desktop.settings.appearance import AppearanceController
from hivemind_desktop.settings.general import GeneralController
from hivemind_desktop.settings.panel import find_settings
from hivemind_desktop.settings.privacy import PrivacyController
from hivemind_desktop.settings.sections import SECTIONS
from hivemind_desktop.settings.storage import StorageController, kind_name
from hivemind_desktop.settings.upkeep import UpkeepController
from hivemind_desktop.theme import theme

ROOT = Path(__file__).resolve().parents[3]


def test_every_part_opens_and_search_leads_to_every_setting(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        await driver.show("settings")
        driver.window.activateWindow()
        page, panel = settings_page(driver), settings_panel(driver)
        for part in SECTIONS:
            for one in part.settings:
                panel.search.setFocus()
                page.go(part.key, one.id)
                place = None

                def arrived(part=part, one=one) -> bool:  # type: ignore[no-untyped-def]
                    nonlocal place
                    place = page.part(part.key).view.settings.get(one.id)
                    return place is not None and (place.hasFocus() or not place.isEnabled())

                await driver.until(arrived, f"{part.key}/{one.id}")
                assert place is not None
                assert place.accessibleName(), one.id
        assert open_page.__module__ == "hivemind_desktop.settings"

    drive(tmp_path, walk)


@pytest.mark.parametrize(
    ("typed", "found"),
    [("dark", "appearance/theme"), ("embedder", "models/model.choose"), ("schedule", "backups/backup.every"),
     ("backps", "backups/"), ("GPU rays", None), ("size disk", "storage/storage")],
)  # fmt: skip
def test_settings_are_found_by_name_other_words_and_with_a_slip(typed: str, found: str | None) -> None:
    keys = [f"{part.key}/{one.id if one else ''}" for part, one in find_settings(typed)]
    assert (found in keys) if found else not keys


def test_typing_finds_and_enter_goes_there(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("settings")
        driver.window.activateWindow()
        panel = settings_panel(driver)
        driver.window.perform("search")
        assert panel.search.hasFocus()
        panel.search.setText("text size")
        assert not panel._parts.isVisible()
        press(panel.search, Qt.Key.Key_Return)
        part = settings_page(driver).part("appearance")
        assert isinstance(part, AppearanceController)
        await driver.until(lambda: part.view.settings["text"].hasFocus())
        assert panel.search.text() == ""
        assert panel._parts.isVisible()
        panel.search.setFocus()
        panel.search.setText("zzzz")
        assert not panel._targets
        panel.search.setText("backup")
        await asyncio.sleep(0.05)
        press(panel.search, Qt.Key.Key_Down)
        assert next(iter(panel._found.items.values())).hasFocus()

    drive(tmp_path, walk)


def test_a_narrow_page_shows_the_list_or_the_part_with_a_way_back(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        driver.window.resize(800, 600)
        await driver.show("settings")
        panel = settings_panel(driver)
        await driver.until(lambda: panel.is_narrow)
        assert panel._list.isVisible()
        assert not panel._right.isVisible()
        panel.items.items["privacy"].click()
        assert panel._right.isVisible()
        assert not panel._list.isVisible()
        press(panel, Qt.Key.Key_Escape)
        assert panel._list.isVisible()
        panel.items.items["privacy"].click()
        panel._back.click()
        assert not panel._right.isVisible()
        driver.window.resize(1200, 800)
        await driver.until(lambda: panel._list.isVisible() and panel._right.isVisible())

    drive(tmp_path, walk)


def test_looks_are_in_force_at_once_kept_and_followed(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        part = await open_part(driver, "appearance", AppearanceController)
        view = part.view
        view.themes["dark"].click()  # type: ignore[attr-defined]
        assert theme().is_dark
        press(view.motion, Qt.Key.Key_Return)  # type: ignore[attr-defined]
        assert theme().reduced_motion
        view.slider.setValue(12)  # type: ignore[attr-defined]
        assert theme().text_percent == 120
        driver.window.perform("theme")
        assert view.themes["system"].isChecked()  # type: ignore[attr-defined]
        view.themes["dark"].click()  # type: ignore[attr-defined]

    drive(tmp_path, walk)
    kept = load_settings(tmp_path / "settings.json")
    assert (kept.theme, kept.text_percent, kept.reduced_motion) == ("dark", 120, True)

    async def again(driver: WindowDriver) -> None:
        assert theme().text_percent == 120
        assert theme().reduced_motion

    drive(tmp_path, again)


def test_the_share_of_background_work_is_told_to_the_engine(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        part = await open_part(driver, "general", GeneralController)
        part.view.shares[25].click()  # type: ignore[attr-defined]
        await driver.until(lambda: not part.tasks.is_running("share"))
        assert await driver.app.client.value(lambda engine: engine.embedding._share) == 0.25
        part.view._copy()  # type: ignore[attr-defined]
        assert QGuiApplication.clipboard().text() == str(tmp_path)

    drive(tmp_path, walk)
    assert load_settings(tmp_path / "settings.json").background_percent == 25

    async def again(driver: WindowDriver) -> None:
        async def share() -> float:
            return await driver.app.client.value(lambda engine: engine.embedding._share)

        await driver.show("home")
        for _ in range(100):
            if await share() == 0.25:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(await share())

    drive(tmp_path, again)


def test_checking_and_rebuilding_say_what_was_found(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        part = await open_part(driver, "maintenance", UpkeepController)
        assert any("1 memory · 1 session" in each for each in words(part))
        driver.window.perform("mind.verify")
        await driver.until(lambda: part.upkeep.result.text() == "No damage found.")
        assert part.upkeep.verify.isEnabled()
        driver.window.perform("mind.reindex")
        await driver.answer("yes")
        await driver.until(lambda: part.upkeep.result.text() == "Done: 1 memory indexed, 0 put right.")

    drive(tmp_path, walk)


def test_a_damaged_mind_is_named_and_nothing_else_falls_over(tmp_path: Path) -> None:
    async def make(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A memory of mine", "personal"))

    drive(tmp_path, make)
    file = tmp_path / "minds" / "personal.mind"
    content = file.read_bytes()
    file.write_bytes(content[:100] + b"\xff" * (len(content) - 100))

    async def walk(driver: WindowDriver) -> None:
        part = await open_part(driver, "maintenance", UpkeepController)
        assert any("damaged" in each for each in words(part))
        for key in ("general", "appearance", "privacy", "backups", "shortcuts", "about"):
            settings_page(driver).go(key, "")
            await driver.until(lambda key=key: settings_page(driver).part(key).view.stack.state == "data", key)
        for key in ("models", "storage"):
            settings_page(driver).go(key, "")
            stack = settings_page(driver).part(key).view.stack
            await driver.until(lambda stack=stack: stack.state == "error", key)
            assert stack.told is not None
            assert "damaged" in stack.told.accessibleName()

    drive(tmp_path, walk)


def test_sizes_and_destinations_are_shown(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        storage = await open_part(driver, "storage", StorageController)
        assert "Memories" in words(storage)
        assert kind_name("something new") == "something new"
        storage.storage.measure_asked.emit()
        privacy = await open_part(driver, "privacy", PrivacyController)
        assert privacy.privacy.today.text() == "0 bytes"
        assert privacy.privacy.table.model().rowCount() == 2, "the ledger is there although it is empty"
        at = "2026-11-30T09:00:00.000Z"
        privacy.privacy.show_destinations([Destination("api.example.com", "ask", 3, 1500, 2500, at)])
        assert privacy.privacy.today.text() == "1.5 kB"
        assert privacy.privacy.month.text() == "2.5 kB in 30 days, 3 calls"
        assert privacy.privacy.table.model().index(0, 0).data() == "api.example.com"

    drive(tmp_path, walk)


def test_versions_and_the_licence_of_every_bundled_library(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        part = await open_part(driver, "about", AboutController)
        assert "SQLite 3." in part.about.versions.text()
        assert part.about.table.model().rowCount() == len(licences())
        part.about._copy()
        assert "Qt for Python" in QGuiApplication.clipboard().text()

    drive(tmp_path, walk)
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    locked = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==[^;\n]*(;[^\n]*)?$", lock, re.MULTILINE)
    ours = {name for name, marker in locked if "emscripten'" not in marker and "!= 'CPython'" not in marker}
    told = {each.name for each in licences()}
    assert ours <= told, f"run packaging/licences.py: {sorted(ours - told)}"
    for text in ("Inter-OFL.txt", "JetBrainsMono-OFL.txt"):
        assert resource_path("fonts", text).exists()


def test_a_settings_file_with_odd_values_opens(tmp_path: Path) -> None:
    odd = Settings(theme="plaid", text_percent=900, backup_every="hourly", backup_keep=-4, background_percent=3)
    save_settings(tmp_path / "settings.json", odd)

    async def walk(driver: WindowDriver) -> None:
        for part in SECTIONS:
            settings_page(driver)
            driver.window.show_target(driver_target(part.key))
            await driver.until(
                lambda key=part.key: settings_page(driver).part(key).view.stack.state == "data", part.key
            )
        assert theme().text_percent == 150

    drive(tmp_path, walk)


def driver_target(key: str):  # type: ignore[no-untyped-def]
    from hivemind_desktop.widgets.page import Target

    return Target("settings", query=key)
