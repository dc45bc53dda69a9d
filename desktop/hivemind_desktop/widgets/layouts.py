"""Rows, columns, boxes and hairlines: how parts are put side by side."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

#: None is a stretch, an int a fixed gap in px, (widget, n) a widget with a stretch factor.
Item = QWidget | QLayout | int | tuple[QWidget, int] | None
#: left, top, right, bottom in px
Margins = tuple[int, int, int, int]
NO_MARGINS: Margins = (0, 0, 0, 0)


def row(*items: Item, gap: int = 8, margins: Margins = NO_MARGINS) -> QHBoxLayout:
    layout = QHBoxLayout()
    _fill(layout, items, gap, margins)
    return layout


def column(*items: Item, gap: int = 8, margins: Margins = NO_MARGINS) -> QVBoxLayout:
    layout = QVBoxLayout()
    _fill(layout, items, gap, margins)
    return layout


def _fill(layout: QBoxLayout, items: tuple[Item, ...], gap: int, margins: Margins) -> None:
    layout.setSpacing(gap)
    layout.setContentsMargins(*margins)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item)
        elif isinstance(item, tuple):
            layout.addWidget(item[0], item[1])
        else:
            layout.addWidget(item)


def box(layout: QLayout, look: str = "") -> QFrame:
    """look: '', card, well, dialog, sheet, window, canvas, surface or banner-…"""
    frame = QFrame()
    if look:
        frame.setProperty("look", look)
    frame.setLayout(layout)
    return frame


def line(*, vertical: bool = False) -> QFrame:
    frame = QFrame()
    frame.setProperty("look", "vline" if vertical else "line")
    return frame


def paint_ground(widget: QWidget, look: str) -> None:
    """Let a plain QWidget draw the background of its look; without this only frames do."""
    widget.setProperty("look", look)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def scrolling(content: QWidget) -> QScrollArea:
    """A column that scrolls up and down and is as wide as its place."""
    content.setProperty("look", "clear")
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    return area


def clear_layout(layout: QBoxLayout) -> None:
    """Take everything out of a layout and let it go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def widgets_of(layout: QBoxLayout) -> list[QWidget]:
    """The widgets that stand in a layout, in order."""
    found = []
    for at in range(layout.count()):
        item = layout.itemAt(at)
        widget = item.widget() if item is not None else None
        if widget is not None:
            found.append(widget)
    return found
