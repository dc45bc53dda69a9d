"""Sessions at work with the real engine."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind_desktop import sessions
from hivemind_desktop.sessions.heading import TitleLine
from hivemind_desktop.widgets.page import Target


def test_a_session_of_the_list_opens_from_its_beginning(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json")

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.show("sessions")
        await driver.until(lambda: driver.sessions.stack.state == "data")
        assert driver.sessions.open_stack.state == "empty"
        await driver.until(lambda: driver.sessions.model.session_at(1))
        driver.sessions.list.setCurrentIndex(driver.sessions.model.index(1))
        await driver.until(lambda: len(driver.sessions.conversation.blocks) == 4)
        assert "zebra2" in driver.sessions.conversation.blocks[0].message.text
        driver.sessions.conversation.blocks[0].memory_asked.emit(
            driver.sessions.conversation.blocks[0].message.frame_ids[0]
        )
        await driver.until(lambda: driver.memories_controller.detail is not None)
        assert driver.window.shown == "memories"

    drive(tmp_path / "data", walk)


def test_back_to_the_memory(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json")

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.search("zebra1")
        await driver.open_first()
        assert driver.memories_controller.detail is not None
        opened = driver.memories_controller.detail.frame.id
        driver.window.perform("memory.message")
        await driver.until(lambda: driver.sessions.head.back.isVisible())
        driver.sessions.back_asked.emit()
        await driver.until(lambda: driver.window.shown == "memories")
        assert driver.memories.list.chosen_id() == opened

    drive(tmp_path / "data", walk)


def test_renaming_in_place(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=1)

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.show("sessions")
        await driver.until(lambda: driver.sessions.model.session_at(1))
        driver.sessions.list.setCurrentIndex(driver.sessions.model.index(1))
        await driver.until(lambda: "session.rename" in driver.window.page("sessions").offers())
        driver.window.perform("session.rename")
        line = driver.sessions.title_line
        assert isinstance(line, TitleLine)
        assert line.text() == "Talk number 0"
        press(line, Qt.Key.Key_Escape)
        assert not line.isVisible()
        driver.window.perform("session.rename")
        line.setText("Zebras")
        press(line, Qt.Key.Key_Return)
        await driver.until(lambda: driver.sessions.head.title.full_text() == "Zebras")

    drive(tmp_path / "data", walk)


def test_notes_of_a_day_have_no_messages(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        await driver.show("sessions")
        await driver.until(lambda: driver.sessions.stack.state == "data")
        await driver.until(lambda: driver.sessions.model.session_at(1))
        driver.sessions.list.setCurrentIndex(driver.sessions.model.index(1))
        await driver.until(
            lambda: (
                driver.sessions.open_stack.told and "No messages" in driver.sessions.open_stack.told.accessibleName()
            )
        )

    drive(tmp_path / "data", walk)


def test_a_session_that_is_gone_says_so(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        await driver.show("sessions")
        driver.window.show_target(Target("sessions", session_id="nowhere"))
        await driver.until(lambda: driver.sessions.open_stack.state == "error")

    drive(tmp_path / "data", walk)
    assert sessions.open_page.__module__ == "hivemind_desktop.sessions"
