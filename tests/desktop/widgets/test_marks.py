"""Painted signs: named where they say something, in the colour of their token, honest at both ends."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import shot

from hivemind_desktop.theme import Theme, colors
from hivemind_desktop.theme.tokens import ENTITY
from hivemind_desktop.widgets.marks import Badge, Bar, Icon, KindDot, MindMark, Monogram, badge_size


def picture(qtbot: QtBot, widget: QWidget, width: int = 0) -> QImage:
    qtbot.addWidget(widget)
    if width:
        widget.resize(width, widget.height())
    widget.show()
    return shot(widget)


def holds(image: QImage, color: str) -> bool:
    wanted = QColor(color)
    return any(image.pixelColor(x, y) == wanted for x in range(image.width()) for y in range(image.height()))


@pytest.mark.parametrize("tone", ["ok", "warn", "danger", "info"])
def test_badge_stands_on_the_tint_of_its_tone(qtbot: QtBot, tone: str) -> None:
    badge = Badge("Finished", "circle-check", tone)  # type: ignore[arg-type]
    image = picture(qtbot, badge)
    assert badge.accessibleName() == "Finished"
    assert holds(image, colors().of(f"{tone}_tint"))
    assert badge.size() == badge_size("Finished", "circle-check")


def test_badge_changes_its_state_and_width(qtbot: QtBot) -> None:
    badge = Badge("Waiting")
    before = picture(qtbot, badge)
    badge.set_state("Finished with a longer word", "circle-check", "ok")
    badge.adjustSize()
    assert badge.accessibleName() == "Finished with a longer word"
    assert shot(badge).width() > before.width()


@pytest.mark.parametrize(("share", "filled"), [(0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (7.0, 1.0), (-1.0, 0.0)])
def test_bar_fills_its_share(qtbot: QtBot, share: float, filled: float) -> None:
    bar = Bar("Import", share)
    image = picture(qtbot, bar, 200)
    trough, middle = QColor(colors().line), image.height() // 2
    full = sum(image.pixelColor(x, middle) != trough for x in range(4, 196))
    assert full / 192 == pytest.approx(filled, abs=0.02)
    assert bar.share() == pytest.approx(min(1.0, max(0.0, share)))


def test_bar_speaks(qtbot: QtBot) -> None:
    bar = Bar("Import", 0.5)
    qtbot.addWidget(bar)
    assert bar.accessibleName() == "Import"
    assert (bar.minimum(), bar.value(), bar.maximum()) == (0, 5000, 10000)


def test_bar_with_unknown_end_is_empty(qtbot: QtBot) -> None:
    bar = Bar("Import", None)
    image = picture(qtbot, bar, 200)
    assert bar.share() is None
    assert not holds(image, colors().honey)
    bar.set_share(0.5)
    assert holds(shot(bar), colors().honey)


def test_icon_changes(qtbot: QtBot) -> None:
    sign = Icon("circle-dashed", "text_faint", 16, "sunken")
    before = picture(qtbot, sign)
    assert holds(before, colors().sunken)
    sign.set_icon("circle-check", "ok")
    assert shot(sign) != before


def test_letter_tile_and_hexagon_take_any_name(qtbot: QtBot) -> None:
    for name in ("", "ß", "用户", "👩‍💻 team", "<b>"):
        assert not picture(qtbot, Monogram(name)).isNull()
        assert holds(picture(qtbot, MindMark(name)), colors().honey)


def test_mind_has_its_colour(qtbot: QtBot) -> None:
    assert holds(picture(qtbot, MindMark("Legal", ENTITY["person"].color)), ENTITY["person"].color)


def test_entity_disc_is_the_same_in_both_schemes(qtbot: QtBot, theme: Theme) -> None:
    for kind, look in ENTITY.items():
        assert holds(picture(qtbot, KindDot(kind)), look.color)
    assert holds(picture(qtbot, KindDot("a type of tomorrow")), ENTITY["concept"].color)
