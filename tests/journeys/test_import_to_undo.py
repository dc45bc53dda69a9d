"""Drop an export on the window, search, open the conversation, undo to nothing; and once with an edited memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.harvest import RunState

#: Conversations of an import that takes long enough to be cut off.
CUT_OFF = 150


async def count(driver: WindowDriver) -> tuple[int, int]:
    facts = await driver.app.client.call(lambda engine: engine.workspaces.facts("personal"))
    return facts.frames, facts.sessions


def test_drop_search_open_undo(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=3, messages=4)

    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        assert driver.home.stack.state == "empty"
        await driver.import_file(export)
        assert driver.window.shown == "import"
        frames, sessions = await count(driver)
        assert sessions == 3
        assert frames == 3 + 12
        await driver.search("zebra1")
        assert driver.memories.found.state == "data"
        await driver.open_first()
        assert "zebra1" in driver.memories.detail.view.text.text()
        hit = driver.memories.model.entry(0).hit
        assert hit is not None
        assert [hit.text[span.start : span.end] for span in hit.spans]
        driver.window.perform("memory.message")
        await driver.until(lambda: driver.sessions.conversation.opened_block() is not None)
        block = driver.sessions.conversation.opened_block()
        assert block is not None
        assert "zebra1" in block.message.text
        await driver.until(block.isVisible)
        await driver.show("import")
        driver.window.perform("import.undo")
        await driver.answer("yes")
        await driver.until(lambda: driver.import_controller.outcomes.shown.state is RunState.UNDONE)  # type: ignore[union-attr]
        assert await count(driver) == (0, 0)
        await driver.show("memories")
        await driver.until(lambda: driver.memories.stack.state == "empty")

    drive(tmp_path / "data", walk)


def test_an_edited_memory_is_kept(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=2, messages=2)

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.search("zebra1")
        row = next(
            place
            for place in range(driver.memories.model.rowCount())
            if driver.memories.model.entry(place).hit.frame.type == "P"  # type: ignore[union-attr]
        )
        driver.memories.list.setCurrentIndex(driver.memories.model.index(row))
        await driver.until(lambda: driver.memories_controller.detail is not None)
        driver.window.perform("memory.edit")
        await driver.until(lambda: driver.memories.detail.is_editing)
        editor = driver.memories.detail.editor
        editor.text.setPlainText("We spoke of a quagga instead.")
        editor._try_save()
        await driver.until(lambda: "quagga" in driver.memories.detail.view.text.text())
        await driver.idle()
        await driver.show("import")
        driver.window.perform("import.undo")
        await driver.answer("yes")
        await driver.until(lambda: driver.import_controller.outcomes.shown.state is RunState.UNDONE)  # type: ignore[union-attr]
        frames, sessions = await count(driver)
        assert sessions == 1
        assert frames >= 1
        await driver.search("quagga")
        assert driver.memories.model.rowCount() == 1

    drive(tmp_path / "data", walk)


def test_closing_during_an_import_is_safe_and_goes_on(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=CUT_OFF, messages=8, length=4)

    async def leave(driver: WindowDriver) -> int:
        (await driver.preview(export)).go.click()
        await driver.until(lambda: driver.import_controller.runs.cards, "the running import")
        card = next(iter(driver.import_controller.runs.cards.values()))
        await driver.until(
            lambda: card._items.text() != "0" or not driver.import_controller.runs.cards, "a conversation"
        )
        assert driver.import_controller.runs.cards, "it was over before it could be left: make the export larger"
        return (await count(driver))[1]

    sessions_before = drive(tmp_path / "data", leave)
    assert 0 < sessions_before < CUT_OFF

    async def go_on(driver: WindowDriver) -> None:
        await driver.show("import")
        await driver.until(lambda: driver.importing.interrupted.count() == 1, "the interrupted import")
        assert (await count(driver))[1] < CUT_OFF
        (run,) = await driver.app.client.call(lambda engine: engine.harvest.list_interrupted(["personal"]))
        driver.importing.interrupted.resume_asked.emit(run)
        await driver.until(lambda: not driver.importing.report.isHidden(), "the report")
        await asyncio.sleep(0)
        assert (await count(driver))[1] == CUT_OFF
        assert driver.import_controller.outcomes.shown.state is RunState.FINISHED  # type: ignore[union-attr]

    drive(tmp_path / "data", go_on)
