"""Labels never read HTML, elide honestly, and reading text is as tall as it is long."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot

from hivemind_desktop.theme import Theme
from hivemind_desktop.widgets.labels import ElidedLabel, Prose, label, set_tone
from hivemind_desktop.widgets.layouts import column, scrolling

HOSTILE = "<img src='file:///etc/passwd'><b>bold</b> &amp; <a href='x'>y</a>"


def test_html_stays_text(qtbot: QtBot) -> None:
    plain, elided, prose = label(HOSTILE), ElidedLabel(HOSTILE), Prose(HOSTILE)
    for each in (plain, elided, prose):
        qtbot.addWidget(each)
        each.resize(900, 40)
        each.show()
    assert plain.textFormat() == elided.textFormat() == Qt.TextFormat.PlainText
    assert plain.text() == elided.text() == prose.text() == HOSTILE
    assert prose.document().toHtml().count("&lt;b&gt;bold&lt;/b&gt;") == 1


def test_elided_label_comes_back_when_there_is_room(qtbot: QtBot) -> None:
    words = ElidedLabel("a title that is much too long for sixty pixels")
    qtbot.addWidget(words)
    words.resize(60, 20)
    words.show()
    assert words.text().endswith("…") and words.toolTip() == words.full_text()
    assert words.sizeHint().width() > 200
    words.resize(words.sizeHint())
    settle()
    assert words.text() == words.full_text() and words.toolTip() == ""


def test_elided_label_is_one_line_with_a_name(qtbot: QtBot) -> None:
    words = ElidedLabel("first\nsecond \u202e third")
    qtbot.addWidget(words)
    assert words.full_text() == words.accessibleName() == "first second third"
    words.set_full_text("other")
    assert words.accessibleName() == "other"


def test_figures_survive_the_sheet(qtbot: QtBot) -> None:
    counted = label("1111", "heading", digits=True)
    qtbot.addWidget(counted)
    counted.show()
    assert counted.font().isFeatureSet(QFont.Tag("tnum"))
    assert counted.font().pixelSize() == 15
    metrics = QFontMetricsF(counted.font())
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("8888")


def test_tone_changes_on_screen(qtbot: QtBot) -> None:
    words = label("state")
    qtbot.addWidget(words)
    words.show()
    before = shot(words)
    set_tone(words, "danger")
    assert shot(words) != before
    set_tone(words, "")
    assert shot(words) == before


@pytest.fixture
def page(qtbot: QtBot) -> tuple[QScrollArea, Prose]:
    prose = Prose("word " * 200)
    content = QWidget()
    content.setLayout(column(prose, None))
    area = scrolling(content)
    qtbot.addWidget(area)
    area.resize(400, 150)
    area.show()
    settle()
    return area, prose


def test_prose_is_as_tall_as_its_text(page: tuple[QScrollArea, Prose]) -> None:
    area, prose = page
    tall = prose.height()
    assert prose.document().size().height() <= tall <= prose.document().size().height() + 2
    area.resize(800, 150)
    settle()
    assert prose.height() < tall
    prose.set_text("short")
    assert prose.height() < 40


def test_prose_follows_the_text_size(page: tuple[QScrollArea, Prose], theme: Theme) -> None:
    before = page[1].height()
    theme.set_text_percent(150)
    settle()
    assert page[1].height() > before


def test_fit_width_tells_the_height_before_the_layout_does(qtbot: QtBot) -> None:
    prose = Prose("word " * 200)
    qtbot.addWidget(prose)
    prose.fit_width(300)
    narrow = prose.height()
    prose.fit_width(600)
    assert prose.height() < narrow


def test_the_wheel_scrolls_the_page_not_the_text(page: tuple[QScrollArea, Prose]) -> None:
    area, prose = page
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(prose.viewport(), event)
    assert not event.isAccepted(), "an ignored turn goes to the page"
    assert area.verticalScrollBar().maximum() > 0


def test_prose_can_be_read_and_copied_but_not_changed(page: tuple[QScrollArea, Prose], qtbot: QtBot) -> None:
    _, prose = page
    before = prose.text()
    prose.setFocus()
    qtbot.keyClicks(prose, "x")
    assert prose.text() == before
    qtbot.keyClick(prose, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    prose.copy()
    assert QApplication.clipboard().text() == before


def test_mono_prose_uses_the_fixed_face(qtbot: QtBot) -> None:
    prose = Prose("a 4f3c", mono=True)
    qtbot.addWidget(prose)
    prose.show()
    assert prose.font().families()[0] == "JetBrains Mono"
