"""On and off, painted: a track with a knob that moves and carries a tick, and the word that stands beside it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton

from hivemind_desktop.theme import colors, paint_icon

from .labels import label


class Switch(QAbstractButton):
    """A checkable button. `name`: what it switches, for screen readers. `word`: a label that says On or Off."""

    def __init__(self, name: str, on: bool = False, *, on_turn: Callable[[bool], object] | None = None) -> None:
        """on_turn: called with the new state when a person turns it, not when the program does."""
        super().__init__()
        self.setAccessibleName(name)
        self.setCheckable(True)
        self.setChecked(on)
        self.word = label("", "label", "soft")
        self.word.setMinimumWidth(28)
        self._say(on)
        self.toggled.connect(self._say)
        if on_turn is not None:
            self.clicked.connect(lambda checked=False: on_turn(checked))
        self.setFixedSize(self.sizeHint())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(40, 26)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def _say(self, on: bool) -> None:
        self.word.setText(self.tr("On") if on else self.tr("Off"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter, on = colors(), QPainter(self), self.isChecked()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.5)
        track = QRectF(2.5, 3.5, 35, 19)
        painter.setPen(QPen(QColor(c.honey_edge if on else c.edge), 1))
        painter.setBrush(QColor(c.honey if on else c.surface))
        painter.drawRoundedRect(track, 9.5, 9.5)
        knob = QRectF(track.right() - 17 if on else track.left() + 2, track.top() + 2, 15, 15)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.on_honey if on else c.edge))
        painter.drawEllipse(knob)
        if on:
            paint_icon(painter, "check", c.honey, knob.adjusted(3, 3, -3, -3), 3)
        if self.hasFocus():
            painter.setPen(QPen(QColor(c.text if on else c.honey_edge), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(track.adjusted(-1, -1, 1, 1), 10.5, 10.5)
