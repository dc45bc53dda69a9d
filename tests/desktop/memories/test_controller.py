"""Memories at work with the real engine: typing, paging, use counted once, editing, trash."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind.domain.frames import Importance
from hivemind_desktop import memories
from hivemind_desktop.memories import actions, panel, searching, using
from hivemind_desktop.widgets.page import Target


async def save(driver: WindowDriver, *texts: str) -> list[int]:
    return [
        (await driver.app.client.call(lambda engine, text=text: engine.memory.save(text, "personal"))).frame.id  # type: ignore[misc]
        for text in texts
    ]


def test_a_newer_query_replaces_the_older(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await save(driver, "A heron in the reeds", "A kettle on the stove")
        await driver.show("memories")
        page = driver.memories_controller
        for word in ("h", "he", "her", "kettle"):
            page.search(word)
        await driver.until(lambda: page._shown == ("kettle", False))
        assert [driver.memories.model.index(0).data()] == ["A kettle on the stove"]
        await driver.search("nothing like this")
        assert driver.memories.found.state == "empty"
        told = driver.memories.found.told
        assert told is not None
        told.next_steps[0].click()  # type: ignore[attr-defined]
        await driver.until(lambda: driver.memories.model.rowCount() == 2)

    drive(tmp_path, walk)


def test_all_memories_are_listed_and_read_as_they_are_looked_at(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        saved = await save(driver, *(f"Memory number {number}" for number in range(90)))
        await driver.show("memories")
        model = driver.memories.model
        await driver.until(lambda: model.rowCount() == 90)
        driver.memories.list.scrollToBottom()
        await driver.until(lambda: model.index(89).data() == "Memory number 0")
        assert [model.id_at(row) for row in range(90)] == saved[::-1]

    drive(tmp_path, walk)


def test_hits_are_paged_by_the_cursor(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await save(driver, *(f"A heron, sighting {number}" for number in range(searching.PAGE + 5)))
        await driver.search("heron")
        model = driver.memories.model
        driver.memories.list.scrollToBottom()
        await driver.until(lambda: model.rowCount() == searching.PAGE + 5)
        assert len({model.entry(row).frame_id for row in range(model.rowCount())}) == searching.PAGE + 5

    drive(tmp_path, walk)


def test_reading_counts_as_use_once_per_query(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        (heron,) = await save(driver, "A heron in the reeds")

        async def uses() -> int:
            detail = await driver.app.client.call(lambda engine: engine.memory.detail("personal", heron))
            return detail.frame.access_count

        await driver.search("heron")
        await driver.open_first()
        page = driver.memories_controller
        assert await uses() == 0
        press(driver.memories.list, Qt.Key.Key_Return)
        await driver.until(lambda: not page.tasks.is_running(f"used {heron}"))
        assert await uses() == 1
        press(driver.memories.list, Qt.Key.Key_Return)
        await driver.idle()
        assert await uses() == 1
        await driver.until(lambda: not page.uses.isActive())
        assert await uses() == 1

    drive(tmp_path, walk)


def test_editing_asks_before_it_lets_go(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        first, second = await save(driver, "A heron in the reeds", "A kettle on the stove")
        await driver.show("memories")
        driver.window.show_target(Target("memories", frame_id=first))
        await driver.until(lambda: driver.memories_controller.detail is not None)
        driver.window.perform("memory.edit")
        await driver.until(lambda: driver.memories.detail.is_editing)
        assert driver.memories_controller.offers() == frozenset()
        driver.memories.detail.editor.text.setPlainText("A heron flew off")
        driver.memories_controller.open_memory(second)
        await driver.answer("")
        assert driver.memories.detail.is_editing
        press(driver.memories.detail.editor, Qt.Key.Key_Escape)
        await driver.answer("yes")
        await driver.until(lambda: not driver.memories.detail.is_editing)
        assert driver.memories.detail.view.text.text() == "A heron in the reeds"

    drive(tmp_path, walk)


def test_writing_the_first_memory_and_meeting_it_again(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("memories")
        assert driver.memories.stack.state == "empty"
        for _ in range(2):
            driver.window.perform("memory.new")
            await driver.until(lambda: driver.memories.detail.is_editing)
            driver.memories.detail.editor.text.setPlainText("The kettle is blue")
            driver.memories.detail.editor._try_save()
            await driver.until(lambda: not driver.memories.detail.is_editing)
            await driver.idle()
        assert driver.memories.model.rowCount() == 1
        assert driver.memories_controller.detail is not None
        assert driver.memories_controller.detail.frame.importance is not Importance.TEMPORARY

    drive(tmp_path, walk)


def test_trash_with_undo_in_the_toast(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await save(driver, "A heron in the reeds", "A kettle on the stove")
        await driver.show("memories")
        await driver.until(lambda: driver.memories.model.rowCount() == 2)
        await driver.open_first()
        driver.window.perform("memory.trash")
        await driver.until(lambda: driver.memories.model.rowCount() == 1)
        layer = driver.app.notices._surface
        toast = layer.toast  # type: ignore[attr-defined]
        assert toast is not None
        toast._action.click()
        await driver.until(lambda: driver.memories.model.rowCount() == 2)
        driver.window.perform("memory.trash")
        await driver.open_first()
        driver.window.perform("memory.trash")
        await driver.until(lambda: driver.memories.model.rowCount() == 1)
        driver.memories.trash.click()
        await driver.until(
            lambda: driver.memories.model.rowCount() == 1 and driver.memories_controller._shown == ("", True)
        )
        await driver.open_first()
        copies = {"memory.copy", "memory.cite", "memory.copy_ai"}
        assert driver.memories_controller.offers() == {"memory.why", "memory.restore", "memory.erase"} | copies

    drive(tmp_path, walk)


def test_copy_and_why(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await save(driver, "A heron in the reeds")
        await driver.search("heron")
        await driver.open_first()
        driver.window.perform("memory.copy")
        assert QGuiApplication.clipboard().text() == "A heron in the reeds"
        assert driver.memories.why.isVisible()
        driver.window.perform("memory.why")
        assert not driver.memories.why.isVisible()
        driver.window.resize(850, 600)
        await asyncio.sleep(0.02)
        driver.window.perform("memory.why")
        assert driver.dialogs(), "on a narrow window the reasons are a sheet"

    drive(tmp_path, walk)


def test_a_memory_that_is_gone_says_so(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await save(driver, "A heron in the reeds")
        await driver.show("memories")
        told: list[BaseException] = []
        page = driver.memories_controller
        page.desk.notices.failure = told.append  # type: ignore[assignment]
        page.open_memory(4711)
        await driver.until(lambda: told)
        assert "not here" in str(told[0])
        assert page.detail is None

    drive(tmp_path, walk)
    assert memories.open_page.__module__ == "hivemind_desktop.memories"
    assert actions.MemoryActions.__doc__
    assert panel.THREE_PANES == 860
    assert using.USED_AFTER_MS >= 500
