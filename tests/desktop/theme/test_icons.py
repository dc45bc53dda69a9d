"""Icons take the colour asked for, stay sharp, and every one that the code names is bundled."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter
from PySide6.QtWidgets import QApplication

import hivemind_desktop.theme
from hivemind.paths import resource_path
from hivemind_desktop.theme import icon, paint_icon
from hivemind_desktop.theme.icons import Icons
from hivemind_desktop.theme.tokens import ENTITY

SOURCES = Path(hivemind_desktop.theme.__file__).parents[1]
BUNDLED = {path.stem for path in resource_path("icons").glob("*.svg")}


def drawn(color: str, size: int = 48) -> QImage:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_icon(painter, "house", color, QRectF(0, 0, size, size))
    painter.end()
    return image


def inks(image: QImage) -> set[str]:
    """Colours of the pixels that are fully covered."""
    seen = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {color.name() for color in seen if color.alpha() == 255}


def test_painted_in_the_colour_asked_for() -> None:
    assert inks(drawn("#3863c8")) == {"#3863c8"}
    assert inks(drawn("#f55663")) == {"#f55663"}


def test_an_icon_that_is_not_bundled_is_an_error(qapp: QApplication) -> None:
    painter_target = QImage(8, 8, QImage.Format.Format_ARGB32)
    painter = QPainter(painter_target)
    with pytest.raises(FileNotFoundError, match=r"no-such-icon\.svg"):
        paint_icon(painter, "no-such-icon", "#000000", QRectF(0, 0, 8, 8))
    painter.end()


def test_disabled_has_its_own_ink() -> None:
    made = icon("house", "#3863c8", 48, disabled="#f55663")
    assert inks(made.pixmap(QSize(48, 48), QIcon.Mode.Disabled).toImage()) == {"#f55663"}
    assert inks(made.pixmap(QSize(48, 48), QIcon.Mode.Normal).toImage()) == {"#3863c8"}


def test_room_is_left_on_the_side_asked_for() -> None:
    right = icon("square", "#3863c8", 16, room=4).pixmap(QSize(20, 16)).toImage()
    left = icon("square", "#3863c8", 16, room=-4).pixmap(QSize(20, 16)).toImage()
    assert {right.pixelColor(x, 8).alpha() for x in range(17, 20)} == {0}
    assert {left.pixelColor(x, 8).alpha() for x in range(3)} == {0}


def test_the_same_icon_is_made_once(qapp: QApplication) -> None:
    icons = Icons()
    assert icons.icon("house", "#3863c8") is icons.icon("house", "#3863c8")
    before = icons.icon("house", "#3863c8")
    icons.clear()
    assert icons.icon("house", "#3863c8") is not before


def test_every_bundled_icon_draws_and_holds_nothing_foreign(qapp: QApplication) -> None:
    icons = Icons()
    for name in sorted(BUNDLED):
        svg = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
        assert "currentColor" in svg and 'stroke-width="2"' in svg, name
        assert not re.search(r"<script|href|url\(|<image|<style", svg), name
        image = QImage(24, 24, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        icons.paint(painter, name, QColor("#123456").name(), QRectF(0, 0, 24, 24))
        painter.end()
        assert any(image.pixelColor(x, y).alpha() for x in range(24) for y in range(24)), name


def test_every_entity_icon_is_bundled() -> None:
    assert {look.icon for look in ENTITY.values()} <= BUNDLED


def test_icons_named_in_the_code_are_bundled() -> None:
    """Names handed to Icon, Button, paint_icon and the like as literals."""
    takers = {
        "Icon": 0,
        "paint_icon": 1,
        "icon": 0,
        "StateView": 0,
        "show_empty": 0,
        "Step": 0,
        "JobRow": 0,
        "set_icon": 0,
    }
    takers |= {"Button": 2, "Badge": 1, "StatusItem": 0, "RailPage": 2, "Command": 2, "chip": 1, "Lane": 0}
    named: dict[str, str] = {}
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                place = takers.get(name)
                if place is not None and len(node.args) > place:
                    value = node.args[place]
                    if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
                        named[value.value] = f"{path.name}:{node.lineno}"
    assert named
    assert {name: where for name, where in named.items() if name not in BUNDLED} == {}


def test_the_licence_is_beside_the_icons() -> None:
    words = resource_path("icons", "LUCIDE-ISC.txt").read_text(encoding="utf-8")
    assert "ISC License" in words and "Feather" in words
