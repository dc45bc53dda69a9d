"""The reasons of a hit: lanes, weights, the sum; a lane that did not search says so."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle
from tests.desktop.widgets.samples import WHY

from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.marks import Badge, Bar
from hivemind_desktop.widgets.why_panel import ReasonsView, WhyPanel


def words(widget: QWidget) -> list[str]:
    labels = [each for each in widget.findChildren(QLabel) if each.isVisible()]
    return [each.full_text() if isinstance(each, ElidedLabel) else each.text() for each in labels]


def button(widget: QWidget, name: str) -> QPushButton:
    return next(each for each in widget.findChildren(QPushButton) if each.accessibleName() == name)


def test_everything_is_shown(qtbot: QtBot) -> None:
    view = ReasonsView()
    qtbot.addWidget(view)
    view.show()
    view.set_reasons(WHY)
    settle()
    shown = words(view)
    for expected in ("0.82", "1st of 14", "By meaning", "not searched: no model yet", "opened 12 days ago", "1.00"):
        assert expected in shown
    assert [each.accessibleName() for each in view.findChildren(Badge)] == ["3rd", "1st"]
    assert {each.accessibleName(): each.share() for each in view.findChildren(Bar)} == {
        "Recent": 0.41,
        "Important": 1.0,
    }


def test_new_reasons_replace_the_old(qtbot: QtBot) -> None:
    view = ReasonsView()
    qtbot.addWidget(view)
    view.show()
    for _ in range(5):
        view.set_reasons(WHY)
        settle()
    assert len(view.findChildren(Bar)) == 2
    view.clear("This memory was opened, not searched for.")
    settle()
    assert sorted(words(view)) == ["", "This memory was opened, not searched for."]
    assert not button(view, "Copy explanation").isEnabled()


def test_copy_gives_text(qtbot: QtBot) -> None:
    view = ReasonsView()
    qtbot.addWidget(view)
    view.show()
    view.set_reasons(WHY)
    qtbot.mouseClick(button(view, "Copy explanation"), Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == WHY.as_text


def test_pane_can_be_folded_away(qtbot: QtBot) -> None:
    panel = WhyPanel()
    qtbot.addWidget(panel)
    panel.show()
    assert panel.minimumWidth() == 236
    with qtbot.waitSignal(panel.closed):
        qtbot.mouseClick(button(panel, "Close (W)"), Qt.MouseButton.LeftButton)
