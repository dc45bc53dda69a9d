"""Sessions at work with the real engine.

Covers: controller, actions, panel, heading, filters, merge.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind.domain.sessions import SessionStatus
from hivemind_desktop import sessions
from hivemind_desktop.sessions.heading import TitleLine
from hivemind_desktop.sessions.merge import MergeSheet
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


def test_two_sessions_are_read_as_one_and_taken_apart(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=3)

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        rows = await driver.app.client.call(lambda engine: engine.sessions.list_rows("personal"))
        newest, oldest = rows[0].session, rows[2].session
        driver.window.show_target(Target("sessions", session_id=newest.id))
        page, panel = driver.window.page("sessions"), driver.sessions
        await driver.until(lambda: panel.conversation.count == 4)
        assert "session.split" not in page.offers()
        driver.window.perform("session.merge")
        (sheet,) = driver.window.findChildren(MergeSheet)
        await driver.until(lambda: sheet.stack.state == "data")
        sheet.search.setText("nowhere")
        sheet.search._ask()
        await driver.until(lambda: sheet.stack.state == "empty")
        sheet.search.setText("number 0")
        sheet.search._ask()
        await driver.until(lambda: sheet.stack.state == "data" and sheet.list.model.session_at(1) == oldest.id)
        assert not sheet.merge.isEnabled()
        sheet.list.view.setCurrentIndex(sheet.list.model.index(1))
        sheet.merge.click()
        await driver.until(lambda: len(panel.conversation.blocks) == 8, "both conversations")
        assert [block.message.text[:18] for block in panel.conversation.blocks[::4]] == [
            "We speak of zebra0", "We speak of zebra2",
        ]  # fmt: skip
        await driver.until(lambda: panel.model.count() == 2)
        assert "2 sessions read as one" in panel.head._facts.full_text()
        driver.window.show_target(Target("sessions", session_id=oldest.id))  # a memory of the part opens the whole
        await driver.until(lambda: page.tasks.is_running("open"))
        await driver.until(lambda: not page.tasks.is_running("open"))
        assert panel.head.title.full_text() == newest.title
        driver.window.perform("session.split")
        await driver.until(lambda: panel.conversation.count == 4)
        await driver.until(lambda: panel.model.count() == 3)

    drive(tmp_path / "data", walk)


def test_filters_narrow_the_list(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=3)

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.app.client.call(lambda engine: engine.memory.save("A heron", "personal"))
        await driver.show("sessions")
        panel, filters = driver.sessions, driver.sessions.filters
        await driver.until(lambda: panel.model.count() == 4)
        filters.choose_source("chatgpt")
        await driver.until(lambda: panel.model.count() == 3)
        assert filters.source.words() == "Source: ChatGPT"
        await driver.until(lambda: panel.model.session_at(1))
        first = panel.model.session_at(1)
        assert first is not None
        await driver.app.client.call(lambda engine: engine.sessions.archive("personal", first))
        filters.choose_status(SessionStatus.ARCHIVED)
        await driver.until(lambda: panel.model.count() == 1)
        assert filters.status.words() == "State: archived"
        assert panel.focus_search()
        for letter in "zoo":
            press(filters.search, 0, letter)
        await driver.until(lambda: panel.list_stack.state == "empty", "nothing found")
        filters.clear.click()
        await driver.until(lambda: panel.model.count() == 4 and panel.list_stack.state == "data")
        assert not filters.is_set
        assert filters.search.text() == ""
        filters.important.click()
        await driver.until(lambda: panel.list_stack.state == "empty")

    drive(tmp_path / "data", walk)


def test_keys_walk_the_memories_of_a_session(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=1, messages=30)

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        call, at = driver.app.client.call, 10
        (row,) = await call(lambda engine: engine.sessions.list_rows("personal"))
        opened = await call(lambda engine: engine.sessions.read("personal", row.session.id))
        message = opened.messages[at].id
        driver.window.show_target(Target("sessions", session_id=row.session.id, message_id=message))
        view = driver.sessions.conversation
        await driver.until(lambda: view.opened_at == at and view.opened_block())
        driver.window.perform("session.next")
        await driver.until(lambda: view.opened_at == at + 1)
        driver.window.perform("session.previous")
        await driver.until(lambda: view.opened_at == at)
        assert f"message {at + 1} of 30" in driver.sessions.head._place.full_text()
        assert driver.sessions.conversation.blocks[0].texts

    drive(tmp_path / "data", walk)
