"""The whole errand in the real window with the real search model, once with the pointer and once by keyboard alone.

Drop, preview, import, search by other words, open at the message, Why, edit, undo, undo the import: nothing is left.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QWidget
from tests.desktop import hands
from tests.desktop.hands import CTRL, SHIFT
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.harvest import RunState
from hivemind.paths import DataDir, resource_path
from hivemind_desktop.widgets.dialogs import QuestionDialog

#: Nothing of the sample is found by these words; what is meant says "wedding" and "brother".
QUERY, MEANT = "bride and groom", "I have to say something at my brother's wedding"
ADDED = " The speech is in the blue folder."
#: The offscreen plugin says this when the file dialog proposes names.
NO_POPUPS = r"^This plugin does not support (raise\(\)|grabbing the keyboard)"
TABLES = ("memory_frames", "memory_frames_bits", "frame_tokens", "sessions", "messages")
SAMPLE = resource_path("samples", "chatgpt-sample.json")


@pytest.fixture(autouse=True)
def _bundled_model(search_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIVE_MIND_EMBEDDER_DIR", str(search_model))


async def embedded(driver: WindowDriver) -> None:
    """Until everything was read for its meaning, as the status bar says."""
    while True:
        facts = await driver.app.client.call(lambda engine: engine.embedding.facts("personal"))
        assert not facts.reason, facts.reason
        if facts.frames and facts.embedded == facts.frames:
            return
        await asyncio.sleep(0.1)


def holds(driver: WindowDriver, widget: QWidget) -> bool:
    """Whether keys go to this widget when the window is in front."""
    return driver.window.focusWidget() is widget


async def found_by_meaning(driver: WindowDriver) -> None:
    """The answer stands, it is by words and meaning, and its first row is the one that is meant."""
    memories = driver.memories
    await driver.until(lambda: driver.memories_controller.line == QUERY, "the typed words")
    await driver.until(lambda: memories._mode.accessibleName().startswith("Words and meaning"), "an answer by meaning")
    await driver.until(lambda: not driver.memories_controller.tasks.is_running("load"), "the answer")
    hit = memories.model.entry(0).hit
    assert hit is not None
    assert hit.text.startswith(MEANT)
    assert not set(QUERY.split()) & set(hit.text.lower().replace(".", " ").split()), "they share a word"
    assert hit.spans == (), "no word of it was matched"


async def opened(driver: WindowDriver, text: str) -> None:
    await driver.until(lambda: driver.memories.detail.view.text.text().strip().endswith(text), f"…{text}")
    assert driver.memories.detail.view.text.text().strip().startswith(MEANT)


async def at_its_message(driver: WindowDriver) -> None:
    conversation = driver.sessions.conversation
    await driver.until(lambda: conversation.opened_block() is not None, "the conversation")
    block = conversation.opened_block()
    assert block is not None
    assert block.message.text.startswith(MEANT)
    await driver.until(lambda: block.isVisible() and not block.visibleRegion().isEmpty(), "the message in sight")


def words_of_why(driver: WindowDriver) -> list[str]:
    why = driver.memories.why
    return [each.text() for each in why.findChildren(QLabel) if each.isVisibleTo(why)]


def reasons_read(driver: WindowDriver) -> None:
    """Why it was found, as it can be read: its rank, by meaning and not by a word, and the parts that add up."""
    assert driver.memories.why.isVisible()
    said = words_of_why(driver)
    assert "By meaning" in said
    assert "By words" not in said
    assert any(each.startswith("1 of ") for each in said)
    assert "Adds up to the score" in said


def rows_left(data: Path) -> dict[str, int]:
    """Rows of the tables themselves, whatever the window shows."""
    connection = apsw.Connection(str(DataDir(data).mind("personal")), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return {table: int(connection.execute(f"SELECT count(*) FROM {table}").get) for table in TABLES}
    finally:
        connection.close()


async def is_undone(driver: WindowDriver) -> None:
    outcomes = driver.import_controller.outcomes
    await driver.until(lambda: outcomes.shown is not None and outcomes.shown.state is RunState.UNDONE, "the undo")
    facts = await driver.app.client.call(lambda engine: engine.workspaces.facts("personal"))
    assert (facts.frames, facts.sessions) == (0, 0)


# with the pointer


async def click_words(driver: WindowDriver, words: str) -> None:
    """Click the button that reads like this, as soon as there is one."""
    await driver.until(lambda: hands.find_button(driver.window, words), f"a button “{words}”")
    found = hands.find_button(driver.window, words)
    assert found is not None
    await hands.click(found)


async def walk_with_pointer(driver: WindowDriver) -> None:
    memories = driver.memories
    await driver.until(lambda: driver.home.stack.state == "empty", "Home")
    card = await driver.preview(SAMPLE)
    await driver.until(lambda: card._items.text() == "12", "every conversation counted")
    facts = await driver.app.client.call(lambda engine: engine.workspaces.facts("personal"))
    assert facts.frames == 0, "a preview writes nothing"
    await click_words(driver, "Import")
    await driver.until(lambda: not driver.importing.report.isHidden(), "the report")
    await embedded(driver)
    await click_words(driver, "Search")
    await driver.until(lambda: holds(driver, memories.search), "the search line")
    await hands.type_words(QUERY)
    await found_by_meaning(driver)
    await hands.click_row(memories.list, memories.model.index(0))
    await opened(driver, "for five hours.")
    await driver.until(lambda: "By meaning" in words_of_why(driver), "the reasons")
    reasons_read(driver)
    await click_words(driver, "Open message")
    await at_its_message(driver)
    await hands.click(driver.window.rail.item("memories"))
    await click_words(driver, "Edit (E)")
    await driver.until(lambda: holds(driver, memories.detail.editor.text), "the editor")
    await hands.type_words(ADDED)
    await click_words(driver, "Save")
    await opened(driver, ADDED.strip())
    await click_words(driver, "Undo")
    await opened(driver, "for five hours.")
    await hands.click(driver.window.rail.item("import"))
    await click_words(driver, "Undo import…")
    await click_words(driver, "Undo import")
    await is_undone(driver)


@pytest.mark.timeout(120)
def test_with_the_pointer(tmp_path: Path) -> None:
    drive(tmp_path, walk_with_pointer)
    assert rows_left(tmp_path) == dict.fromkeys(TABLES, 0)


# by keyboard alone: nothing below touches a widget but through the keys


async def choose_file(driver: WindowDriver) -> None:
    """Ctrl+I, the path, Enter."""
    await hands.press(Qt.Key.Key_I, CTRL)
    await driver.until(lambda: isinstance(QApplication.activeWindow(), QFileDialog), "the file dialog")
    await hands.type_words(str(SAMPLE))
    await hands.press(Qt.Key.Key_Return)
    await driver.until(lambda: QApplication.activeModalWidget() is None, "the end of the dialog")


async def walk_by_keyboard(driver: WindowDriver) -> None:
    memories = driver.memories
    await driver.until(lambda: driver.home.stack.state == "empty", "Home")
    await choose_file(driver)
    await driver.until(lambda: driver.importing.preview is not None, "the preview")
    preview = driver.importing.preview
    assert preview is not None
    await driver.until(lambda: preview._items.text() == "12" and holds(driver, preview.go), "Import under the keyboard")
    await hands.press(Qt.Key.Key_Return)
    await driver.until(lambda: not driver.importing.report.isHidden(), "the report")
    await embedded(driver)
    await hands.press(Qt.Key.Key_F, CTRL | SHIFT)
    await driver.until(lambda: holds(driver, memories.search), "the search line")
    await hands.type_words(QUERY)
    await found_by_meaning(driver)
    await hands.tab_to(lambda here: here is memories.list)
    await hands.press(Qt.Key.Key_Home)
    await opened(driver, "for five hours.")
    await driver.until(lambda: "By meaning" in words_of_why(driver), "the reasons")
    await hands.press(Qt.Key.Key_W)
    await driver.until(lambda: not memories.why.isVisible(), "the reasons folded away")
    await hands.press(Qt.Key.Key_W)
    await driver.until(memories.why.isVisible, "the reasons again")
    reasons_read(driver)
    await hands.choose_command("open the message")
    await at_its_message(driver)
    await hands.press(Qt.Key.Key_2, CTRL)
    await driver.until(memories.isVisible, "Memories")
    await hands.press(Qt.Key.Key_E)
    await driver.until(lambda: holds(driver, memories.detail.editor.text), "the editor")
    await hands.type_words(ADDED)
    await hands.press(Qt.Key.Key_Return, CTRL)
    await opened(driver, ADDED.strip())
    await hands.press(Qt.Key.Key_Z, CTRL)
    await opened(driver, "for five hours.")
    await hands.press(Qt.Key.Key_4, CTRL)
    await driver.until(driver.importing.isVisible, "Import")
    await hands.choose_command("undo the import")
    await driver.until(lambda: isinstance(QApplication.activeWindow(), QuestionDialog), "the question")
    await hands.tab_to(lambda here: here.accessibleName() == "Undo import", back=True)
    await hands.press(Qt.Key.Key_Return)
    await is_undone(driver)


@pytest.mark.timeout(120)
@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_by_keyboard_alone(tmp_path: Path) -> None:
    drive(tmp_path, walk_by_keyboard)
    assert rows_left(tmp_path) == dict.fromkeys(TABLES, 0)
