"""The drop zone takes local files and folders, and says so while they are held over it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot
from tests.desktop.widgets import samples

from hivemind_desktop.theme import colors
from hivemind_desktop.widgets.drop_zone import DropZone


@pytest.fixture
def zone(qtbot: QtBot) -> DropZone:
    made = samples.drop_zone()
    qtbot.addWidget(made)
    made.resize(700, 290)
    made.show()
    settle()
    return made


def carrying(*urls: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    return data


def enter(zone: DropZone, data: QMimeData) -> bool:
    event = QDragEnterEvent(
        QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    zone.dragEnterEvent(event)
    return event.isAccepted()


def drop(zone: DropZone, data: QMimeData) -> None:
    event = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    zone.dropEvent(event)  # Qt delivers drops only while its own drag is running


def test_files_and_folders_arrive_as_paths(zone: DropZone, qtbot: QtBot, tmp_path: Path) -> None:
    data = carrying(QUrl.fromLocalFile(str(tmp_path / "ä export.zip")).toString(), tmp_path.as_uri())
    with qtbot.waitSignal(zone.dropped) as dropped:
        drop(zone, data)
    assert dropped.args == [[tmp_path / "ä export.zip", tmp_path]]


def test_only_local_files_are_taken(zone: DropZone, qtbot: QtBot) -> None:
    text = QMimeData()
    text.setText("just words")
    assert not enter(zone, text)
    assert not enter(zone, carrying("https://example.org/x.zip"))
    with qtbot.assertNotEmitted(zone.dropped):
        drop(zone, carrying("https://example.org/x.zip"))


def test_it_says_that_nothing_is_saved_yet(zone: DropZone, tmp_path: Path) -> None:
    before = shot(zone)
    assert enter(zone, carrying(tmp_path.as_uri()))
    assert zone._title.text() == "Drop to look inside, nothing is saved yet"
    assert shot(zone).pixelColor(350, 280) == QColor(colors().honey_tint)
    zone.dragLeaveEvent(QDragLeaveEvent())
    assert shot(zone) == before


def test_the_keyboard_has_a_button(zone: DropZone) -> None:
    assert zone.accessibleName().startswith("Drop your export here.")
    assert next(each.accessibleName() for each in zone.findChildren(QPushButton)) == "Choose a file…"
