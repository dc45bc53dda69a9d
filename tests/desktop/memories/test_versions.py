"""The slider over the history: where it stands in words, and what it asks for."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.desktop.memories.test_model import frame

from hivemind.domain.frames import PatchKind
from hivemind_desktop.memories.versions import VersionSlider

FIRST = frame(content="90 days", recorded_at="2026-01-01T00:00:00.000Z")
SECOND = frame(id=8, content="30 days", patch_kind=PatchKind.AMEND, recorded_at="2026-02-01T00:00:00.000Z")
GONE = frame(id=9, content="", patch_kind=PatchKind.RETRACT, recorded_at="2026-03-01T00:00:00.000Z")
BACK = frame(id=10, content="", patch_kind=PatchKind.RETRACT, recorded_at="2026-04-01T00:00:00.000Z")


def test_one_version_needs_no_slider(qtbot: QtBot) -> None:
    slider = VersionSlider()
    qtbot.addWidget(slider)
    slider.show_history([FIRST])
    assert slider.isHidden()


def test_walking_back_and_forth(qtbot: QtBot) -> None:
    slider = VersionSlider()
    qtbot.addWidget(slider)
    asked: list[int] = []
    slider.moved.connect(asked.append)
    slider.show_history([FIRST, SECOND, GONE, BACK])
    assert not slider.isHidden()
    assert asked == []
    assert slider._words.full_text() == "As it is now"
    qtbot.keyClick(slider.slider, Qt.Key.Key_Left)
    assert slider._words.full_text().endswith("version 3 of 4 · taken back then")
    qtbot.keyClick(slider.slider, Qt.Key.Key_Home)
    assert slider._words.full_text().endswith("version 1 of 4")
    assert "version 1 of 4" in slider.slider.accessibleDescription()
    slider._now.click()
    assert asked == [2, 0, 3]
    slider.show_history([FIRST, SECOND])
    assert asked == [2, 0, 3], "another memory is at its newest version"
