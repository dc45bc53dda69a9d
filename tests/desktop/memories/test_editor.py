"""Writing a memory: what can be saved, and the two keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from hivemind_desktop.memories.editor import LIMIT, MemoryEditor


@pytest.fixture
def editor(qtbot: QtBot) -> MemoryEditor:
    made = MemoryEditor()
    qtbot.addWidget(made)
    made.show()
    return made


def test_only_a_changed_text_with_words_can_be_saved(editor: MemoryEditor) -> None:
    saved: list[str] = []
    editor.saved.connect(saved.append)
    editor.begin("Edit memory", "As it was")
    assert not editor._save.isEnabled()
    for text in ("   \n", "As it was", "x" * (LIMIT + 1)):
        editor.text.setPlainText(text)
        editor._try_save()
    assert saved == []
    assert editor._said.text()
    editor.text.setPlainText("As it is")
    assert editor.is_changed
    editor._save.click()
    assert saved == ["As it is"]
    assert not editor._said.text()


def test_keys(editor: MemoryEditor, qtbot: QtBot) -> None:
    saved: list[str] = []
    left: list[int] = []
    editor.saved.connect(saved.append)
    editor.left.connect(lambda: left.append(1))
    editor.begin("New memory", "")
    editor.text.setPlainText("Something")
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert saved == ["Something"]
    assert left == [1]
