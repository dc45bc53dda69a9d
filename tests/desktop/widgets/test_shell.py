"""Header, banner, job row and status bar say what they are told, also when it changes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot

from hivemind_desktop.theme import colors
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.marks import Bar
from hivemind_desktop.widgets.shell import Banner, JobRow, PageHeader, StatusBar, StatusItem


def words_in(widget: QWidget) -> list[str]:
    return [each.full_text() if isinstance(each, ElidedLabel) else each.text() for each in widget.findChildren(QLabel)]


def test_header_facts_change_and_give_way(qtbot: QtBot) -> None:
    action = Button("Add files…")
    header = PageHeader("Import", "2 running", action)
    qtbot.addWidget(header)
    header.resize(300, 60)
    header.show()
    header.set_facts("a long story about how many imports there are and what they do")
    settle()
    assert header.width() == 300
    assert action.geometry().right() <= 300 - 24
    assert "a long story" in words_in(header)[1]


def test_banner_has_tint_words_and_name(qtbot: QtBot) -> None:
    banner = Banner("warn", "Another program is writing. Nothing is lost.", Button("Look", "link"))
    qtbot.addWidget(banner)
    banner.resize(500, 40)
    banner.show()
    assert shot(banner).pixelColor(250, 3) == QColor(colors().warn_tint)
    banner.set_text("<b>It</b> is free again.")
    assert banner.accessibleName() == "<b>It</b> is free again."
    assert words_in(banner) == ["<b>It</b> is free again."]


def test_job_row_shows_share_and_facts(qtbot: QtBot) -> None:
    job = JobRow("import", "ChatGPT export", Button("", "quiet", "pause", tip="Pause"))
    qtbot.addWidget(job)
    job.show()
    job.set_progress(0.6053, "2,913 of about 4,812")
    bar = job.findChild(Bar)
    assert bar.share() == 0.6053 and bar.accessibleName() == "ChatGPT export"
    assert words_in(job) == ["ChatGPT export", "2,913 of about 4,812"]
    job.set_progress(None, "reading")
    assert bar.share() is None


def test_status_item_replaces_its_words(qtbot: QtBot) -> None:
    item = StatusItem("circle-check", "Search by words and meaning", "ok")
    qtbot.addWidget(item)
    item.show()
    before = shot(item)
    item.set_state("circle-dashed", "Search by words only", "warn", tip="No model yet")
    assert item.words() == item.accessibleName() == "Search by words only"
    assert item.toolTip() == "No model yet"
    assert shot(item) != before


def test_status_item_opens_something(qtbot: QtBot) -> None:
    item = StatusItem("shield", "Sent today: 0 bytes")
    qtbot.addWidget(item)
    item.show()
    with qtbot.waitSignal(item.clicked):
        qtbot.keyClick(item, Qt.Key.Key_Space)
    assert min(item.width(), item.height()) >= 24


def test_status_bar_is_28_px_and_gives_way(qtbot: QtBot) -> None:
    items = [StatusItem("shield", f"A rather long sentence about fact number {number}") for number in range(5)]
    bar = StatusBar(items[:3], items[3:])
    qtbot.addWidget(bar)
    bar.resize(600, 28)
    bar.show()
    settle()
    assert (bar.width(), bar.sizeHint().height()) == (600, 28)
    assert items[-1].geometry().right() <= 600
