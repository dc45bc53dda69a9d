"""The sheet is filled completely, from tokens alone, and the palette says the same."""

from __future__ import annotations

import re
from string import Template

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from hivemind.paths import resource_path
from hivemind_desktop.theme.stylesheet import palette, read_template, stylesheet
from hivemind_desktop.theme.tokens import DARK, LIGHT, Colors


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_nothing_is_left_to_fill(colors: Colors) -> None:
    made = stylesheet(read_template(), colors, ("Noto Sans",))
    assert "$" not in made
    assert colors.honey_edge in made
    assert '"Inter", "Noto Sans"' in made


def test_no_colour_is_written_in_the_sheet() -> None:
    text = resource_path("qss", "hivemind.qss").read_text(encoding="utf-8")
    assert not re.search(r"#[0-9A-Fa-f]{3,8}\b|\brgba?\(", text)


def test_an_unknown_token_is_an_error() -> None:
    with pytest.raises(KeyError, match="no_such_token"):
        stylesheet(Template("QWidget { color: $no_such_token; }"), LIGHT)


def test_scale_grows_text_and_never_shrinks_targets() -> None:
    template = Template("$body_px $tall_20")
    assert stylesheet(template, LIGHT, scale=0.9) == "12 20"
    assert stylesheet(template, LIGHT, scale=1.5) == "20 30"


def test_palette_and_sheet_agree(qapp: QApplication) -> None:
    made = palette(DARK)
    assert made.color(QPalette.ColorRole.Window) == QColor(DARK.canvas)
    assert made.color(QPalette.ColorRole.PlaceholderText) == QColor(DARK.text_faint)
    disabled = made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert disabled == QColor(DARK.text_faint)


def test_a_token_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(AttributeError):
        LIGHT.of("honey_dark")
    assert LIGHT.as_dict()["canvas"] == LIGHT.canvas
