"""Pictures of widgets for people to look at: one widget, a dialog over its window, many on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from hivemind_desktop.theme import colors, font

GAP = 16
CAPTION = 24


def settle(rounds: int = 5) -> None:
    """Let layouts, posted events and deferred deletes happen."""
    for _ in range(rounds):
        QApplication.sendPostedEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()


def shot(widget: QWidget) -> QImage:
    """What the widget looks like now. It has to be shown."""
    settle()
    return widget.grab().toImage()


def grab(widget: QWidget, path: Path) -> QImage:
    """Save a picture of the widget as PNG and return it."""
    picture = shot(widget)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not picture.save(str(path)):
        raise OSError(f"picture not written: {path}")
    return picture


def shot_with(window: QWidget, dialog: QDialog) -> QImage:
    """The window with an open dialog where the window system would put it."""
    picture, front = shot(window), shot(dialog)
    corner = dialog.mapToGlobal(QPoint(0, 0)) - window.mapToGlobal(QPoint(0, 0))
    painter = QPainter(picture)
    painter.drawImage(corner, front)
    painter.end()
    return picture


def sheet(pictures: Sequence[tuple[str, QImage]], columns: int, path: Path) -> None:
    """Many pictures on one PNG, each with its name above it."""
    wide = max(picture.width() for _, picture in pictures)
    tall = max(picture.height() for _, picture in pictures) + CAPTION
    lines = -(-len(pictures) // columns)
    result = QImage(columns * (wide + GAP) + GAP, lines * (tall + GAP) + GAP, QImage.Format.Format_RGB32)
    result.fill(QColor(colors().window))
    painter = QPainter(result)
    painter.setFont(font("label"))
    painter.setPen(QColor(colors().text))
    for number, (name, picture) in enumerate(pictures):
        left, top = GAP + number % columns * (wide + GAP), GAP + number // columns * (tall + GAP)
        painter.drawText(QRect(left, top, wide, CAPTION), Qt.AlignmentFlag.AlignVCenter, name)
        painter.drawImage(left, top + CAPTION, picture)
    painter.end()
    path.parent.mkdir(parents=True, exist_ok=True)
    if not result.save(str(path)):
        raise OSError(f"sheet not written: {path}")
