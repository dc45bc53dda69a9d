"""The trash page: what, since when, how long; restore with undo; deleting for good asks with the count.

Covers: controller, panel.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.upkeep import TrashedMemory
from hivemind_desktop.trash import open_page
from hivemind_desktop.trash.controller import TrashController
from hivemind_desktop.trash.panel import TrashPanel
from hivemind_desktop.widgets.dialogs import QuestionDialog


async def with_three(driver: WindowDriver) -> TrashController:
    call = driver.app.client.call
    saved = [await call(lambda engine, n=n: engine.memory.save(f"Note {n}", "personal")) for n in range(3)]
    ids = [each.frame.id for each in saved]
    await call(lambda engine: engine.memory.trash("personal", ids))
    await driver.show("trash")
    page = cast("TrashController", driver.window.page("trash"))
    await driver.until(lambda: page.panel.stack.state == "data" and page.panel.table.model().rowCount() == 3)
    return page


async def deleted(driver: WindowDriver) -> int:
    return await driver.app.client.call(lambda engine: engine.trash.count("personal"))


def test_restore_and_undo(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        page = await with_three(driver)
        assert len(page.panel.chosen()) == 1, "the first row is chosen"
        driver.window.perform("trash.restore")
        await driver.until(lambda: page.panel.table.model().rowCount() == 2)
        driver.window.perform("undo")
        await driver.until(lambda: page.panel.table.model().rowCount() == 3)

    drive(tmp_path, walk)


def test_deleting_asks_with_the_count(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        page = await with_three(driver)
        page.panel.table.selectAll()
        assert len(page.panel.chosen()) == 3
        page.panel.delete.click()
        await driver.until(lambda: driver.window.findChildren(QuestionDialog))
        assert driver.window.findChildren(QuestionDialog)[0].windowTitle() == "Delete 3 memories for good?"
        await driver.answer("")
        assert await deleted(driver) == 3
        page.panel.table.selectRow(0)
        page.panel.delete.click()
        await driver.answer("yes")
        await driver.until(lambda: page.panel.table.model().rowCount() == 2)
        driver.window.perform("trash.empty")
        await driver.answer("yes")
        await driver.until(lambda: page.panel.stack.state == "empty")
        assert page.offers() == frozenset()
        assert await deleted(driver) == 0

    drive(tmp_path, walk)
    assert open_page.__module__ == "hivemind_desktop.trash"


def test_days_left_in_words(qtbot: object) -> None:
    panel = TrashPanel()
    at = "2026-11-01T09:00:00.000Z"
    rows = [
        TrashedMemory(1, "a", "", at, 30, False, True), TrashedMemory(2, "b", "", at, 1, False, False),
        TrashedMemory(3, "c", "", at, 0, False, False), TrashedMemory(4, "d", "", at, 0, True, False),
    ]  # fmt: skip
    panel.show_memories(rows, 900)
    model = panel.table.model()
    assert [model.index(row, 3).data() for row in range(4)] == ["30 days", "1 day", "today", "stays: pinned"]
    assert "latest 4 are listed" in panel.header._facts.full_text()
    panel.table.clearSelection()
    panel.table.selectRow(2)
    panel.show_memories(rows[1:], 3)
    assert panel.chosen() == [3], "the choice is kept"
    panel.deleteLater()
