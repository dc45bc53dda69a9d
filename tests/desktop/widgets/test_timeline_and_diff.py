"""History: steps on a rail and the lines that changed, readable without colour."""

from __future__ import annotations

from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import shot

from hivemind_desktop.theme import colors
from hivemind_desktop.widgets.diff import DiffLine, DiffView
from hivemind_desktop.widgets.timeline import Step


def test_diff_speaks_its_signs(qtbot: QtBot) -> None:
    view = DiffView((DiffLine("-", "for 90 days"), DiffLine("+", "for 30\ndays"), DiffLine(" ", "same")))
    qtbot.addWidget(view)
    assert view.accessibleName() == "removed: for 90 days; added: for 30 days; same: same"


def test_diff_tints_each_line(qtbot: QtBot) -> None:
    view = DiffView((DiffLine("-", "old"), DiffLine("+", "new"), DiffLine(" ", "x" * 400)))
    qtbot.addWidget(view)
    view.resize(240, view.sizeHint().height())
    view.show()
    image = shot(view)
    tints = [image.pixelColor(230, 6 + 22 * number + 3) for number in range(2)]
    assert tints == [QColor(colors().removed_tint), QColor(colors().added_tint)]


def test_last_step_ends_the_rail(qtbot: QtBot) -> None:
    middle, end = Step("circle", "First said", "14 May 2025"), Step("circle", "First said", "14 May 2025", last=True)
    for step in (middle, end):
        qtbot.addWidget(step)
        step.resize(300, 60)
        step.show()
    assert middle.accessibleName() == "First said. 14 May 2025"
    rail = [shot(step).pixelColor(11, 50) for step in (middle, end)]
    assert rail[0] == QColor(colors().line) and rail[1] != rail[0]
