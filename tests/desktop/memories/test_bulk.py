"""Several memories at once: one change for all of them, copies with what they cost, a bar that says so.

Covers: bulk, copying, actions.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from tests.core.engine.test_undo import dump
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind.domain.frames import Importance

HERE = "personal"


async def prepare(driver: WindowDriver, count: int = 4) -> list[int]:
    call = driver.app.client.call
    ids = [(await call(lambda e, n=n: e.memory.save(f"A heron, sighting {n}", HERE))).frame.id for n in range(count)]  # type: ignore[misc]
    await driver.show("memories")
    await driver.until(lambda: driver.memories.model.rowCount() == count)
    return ids


async def rows(driver: WindowDriver) -> object:
    async def read(engine):  # type: ignore[no-untyped-def]
        return await (await engine.minds.get(HERE)).read(dump)

    return await driver.app.client.call(read)


def test_each_action_on_several_is_one_change(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        ids = await prepare(driver)
        call, page = driver.app.client.call, driver.memories_controller
        changes = len(await call(lambda e: e.changes.list_recent(HERE)))
        for action in ("memory.critical", "memory.pin", "memory.deprecated", "memory.trash"):
            before = await rows(driver)
            driver.memories.list.selectAll()
            assert page.targets() == ids[::-1]
            assert action in page.offers()
            driver.window.perform(action)
            await driver.until(lambda: not page.tasks.is_running("write"))
            assert await rows(driver) != before
            listed = await call(lambda e: e.changes.list_recent(HERE))
            assert len([one for one in listed if one.undone_at is None]) == changes + 1
            await call(lambda e: e.changes.undo(HERE))
            assert await rows(driver) == before
            await driver.idle()
            await driver.until(lambda: driver.memories.model.rowCount() == len(ids))

    drive(tmp_path, walk)


def test_selecting_by_keyboard_and_what_is_offered(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        ids = await prepare(driver)
        view, bar = driver.memories.list, driver.memories.bulk
        view.setCurrentIndex(view.model().index(0, 0))
        assert bar.isHidden()
        press(view, Qt.Key.Key_Down, modifiers=Qt.KeyboardModifier.ShiftModifier)
        assert view.count_selected() == 2
        assert bar._words.full_text() == "2 selected"
        assert not bar.isHidden()
        assert "memory.edit" not in driver.memories_controller.offers()
        press(view, Qt.Key.Key_Space)
        assert view.selected_ids() == [ids[3]]
        driver.window.perform("memory.select_all")
        await driver.until(lambda: view.count_selected() == 4)
        press(view, Qt.Key.Key_Escape)
        assert view.count_selected() == 1
        await driver.idle()

    drive(tmp_path, walk)


def test_everything_found_is_more_than_one_page(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await prepare(driver, 70)
        await driver.search("heron")
        assert driver.memories.model.rowCount() == 60
        driver.window.perform("memory.select_all")
        await driver.until(lambda: driver.memories.list.count_selected() == 70)

    drive(tmp_path, walk)


def test_a_selection_survives_a_reload(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        ids = await prepare(driver)
        view = driver.memories.list
        view.setCurrentIndex(view.model().index(1, 0))
        press(view, Qt.Key.Key_Down, modifiers=Qt.KeyboardModifier.ShiftModifier)
        kept = view.selected_ids()
        call = driver.app.client.call
        new = (await call(lambda e: e.memory.save("A kettle", HERE, importance=Importance.CRITICAL))).frame.id
        await driver.until(lambda: driver.memories.model.rowCount() == 5)
        assert view.selected_ids() == kept
        assert view.memories.id_at(0) == new
        assert new not in ids

    drive(tmp_path, walk)


def test_copies(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await prepare(driver, 3)
        await driver.open_first()
        clipboard = QGuiApplication.clipboard()
        driver.window.perform("memory.cite")
        assert clipboard.text().startswith("> A heron, sighting 2\n— ")
        driver.memories.list.selectAll()
        driver.window.perform("memory.copy_ai")
        await driver.until(lambda: clipboard.text().count("<memory ") == 3)
        toast = driver.app.notices._surface.toast  # type: ignore[attr-defined]
        assert "3 memories copied for an AI, about" in toast.accessibleName() or any(
            "about" in each.text() for each in toast.findChildren(type(driver.memories._fault))
        )
        QApplication.processEvents()

    drive(tmp_path, walk)
