"""Bars to press and a strip instead of a scroll bar: mouse, keys, names, pictures. Covers: bars, strip."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import shot

from hivemind_desktop.widgets.bars import Bars, HistogramBar
from hivemind_desktop.widgets.strip import Strip


def test_bars_are_picked_by_mouse_and_keys(qtbot: QtBot) -> None:
    bars = Bars("Sessions by month")
    qtbot.addWidget(bars)
    bars.resize(240, bars.height())
    bars.show()
    empty = shot(bars)
    bars.show_bars([HistogramBar(n, f"Month {n}: {n}", "May 25" if n in (0, 11) else "") for n in range(12)])
    shown = shot(bars)
    assert shown != empty
    picked: list[int] = []
    bars.picked.connect(picked.append)
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(5 * 20 + 10, 20))
    assert picked == [5]
    bars.choose(5)
    assert shot(bars) != shown
    assert bars.accessibleName() == "Sessions by month. Month 5: 5"
    bars.setFocus()
    qtbot.keyClick(bars, Qt.Key.Key_Right)
    assert "Month 6" in bars.accessibleName()
    qtbot.keyClick(bars, Qt.Key.Key_End)
    qtbot.keyClick(bars, Qt.Key.Key_Return)
    qtbot.keyClick(bars, Qt.Key.Key_Home)
    qtbot.keyClick(bars, Qt.Key.Key_Left)
    qtbot.keyClick(bars, Qt.Key.Key_Space)
    assert picked == [5, 11, 0]


def test_few_bars_stay_narrow_and_none_do_nothing(qtbot: QtBot) -> None:
    bars = Bars("x")
    qtbot.addWidget(bars)
    bars.resize(400, bars.height())
    bars.show()
    picked: list[int] = []
    bars.picked.connect(picked.append)
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton)
    qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert picked == []
    bars.show_bars([HistogramBar(0, "nothing"), HistogramBar(0, "nothing")])
    shot(bars)
    assert bars._step() < 30


def test_the_strip_leads_to_a_message(qtbot: QtBot) -> None:
    strip = Strip()
    qtbot.addWidget(strip)
    strip.resize(54, 428)
    strip.show()
    asked: list[int] = []
    strip.asked.connect(asked.append)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(40, 200))
    qtbot.keyClick(strip, Qt.Key.Key_End)
    assert asked == [], "there is nothing to go to"
    strip.show_messages(101, frozenset({7}))
    plain = shot(strip)
    strip.show_opened(50)
    strip.show_seen(48, 53)
    assert shot(strip) != plain
    assert strip.accessibleName() == "Place in the conversation: message 51 of 101. 1 with an important memory"
    for at, place in ((0, 0), (14, 0), (214, 50), (427, 100)):
        qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(40, at))
        assert asked[-1] == place
    for key, place in (
        (Qt.Key.Key_Up, 47), (Qt.Key.Key_Down, 49), (Qt.Key.Key_PageUp, 38), (Qt.Key.Key_PageDown, 58),
        (Qt.Key.Key_Home, 0), (Qt.Key.Key_End, 100),
    ):  # fmt: skip
        qtbot.keyClick(strip, key)
        assert asked[-1] == place


def test_a_strip_of_a_hundred_thousand_messages_is_painted_at_once(qtbot: QtBot) -> None:
    strip = Strip()
    qtbot.addWidget(strip)
    strip.resize(54, 600)
    strip.show_messages(100_000, frozenset())
    strip.show()
    assert not shot(strip).isNull()
