"""A small window in the colours it stands for, to choose a theme by sight."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from hivemind_desktop.theme import colors, font, paint_icon, px
from hivemind_desktop.theme.tokens import Colors

_WINDOW = 116


class ThemePreview(QAbstractButton):
    """One theme to choose. Two schemes are shown side by side, divided in the middle."""

    def __init__(self, name: str, facts: str, schemes: tuple[Colors, ...]) -> None:
        super().__init__()
        self._facts, self._schemes = facts, schemes
        self.setText(name)
        self.setAccessibleName(f"{name}, {facts}")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(120)

    def sizeHint(self) -> QSize:
        return QSize(200, _WINDOW + px(48))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter, on = colors(), QPainter(self), self.isChecked()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(1.5, 1.5, self.width() - 3, _WINDOW)
        for number, scheme in enumerate(self._schemes):
            painter.save()
            if number:
                painter.setClipRect(frame.adjusted(round(frame.width() * 0.56), -2, 2, 2))
            _paint_window(painter, frame, scheme)
            painter.restore()
        painter.setPen(QPen(QColor(c.honey_edge if on else c.border), 2 if on else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, 9, 9)
        if self.hasFocus():
            painter.setPen(QPen(QColor(c.honey_edge), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, _WINDOW + 4, -1, -1), 7, 7)
        self._paint_words(painter, on)

    def _paint_words(self, painter: QPainter, on: bool) -> None:
        c, top = colors(), _WINDOW + 8
        center = QPointF(13, top + px(11))
        painter.setPen(QPen(QColor(c.honey_edge if on else c.edge), 1.5))
        painter.setBrush(QColor(c.surface))
        painter.drawEllipse(center, 7, 7)
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.honey_edge))
            painter.drawEllipse(center, 3.5, 3.5)
        painter.setFont(font("body", 600 if on else 500))
        painter.setPen(QColor(c.text))
        room = self.width() - 34
        painter.drawText(QRectF(28, top, room, px(22)), Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.setFont(font("caption"))
        painter.setPen(QColor(c.text_faint))
        shown = QFontMetricsF(painter.font()).elidedText(self._facts, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(28, top + px(20), room, px(17)), Qt.AlignmentFlag.AlignVCenter, shown)


def _paint_window(painter: QPainter, frame: QRectF, s: Colors) -> None:
    """Rail, a title with its button, three rows, the first one chosen."""

    def bar(x: float, y: float, width: float, color: str, tall: float = 4) -> None:
        painter.setBrush(QColor(color))
        painter.drawRoundedRect(QRectF(frame.left() + x, frame.top() + y, width, tall), tall / 2, tall / 2)

    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(s.canvas))
    painter.drawRoundedRect(frame, 9, 9)
    rail = frame.width() * 0.27
    painter.setBrush(QColor(s.window))
    painter.drawRoundedRect(QRectF(frame.left(), frame.top(), rail, frame.height()), 9, 9)
    painter.drawRect(QRectF(frame.left() + rail - 10, frame.top(), 10, frame.height()))
    paint_icon(painter, "hexagon-filled", s.honey, QRectF(frame.left() + 9, frame.top() + 9, 13, 13), 1.5)
    bar(26, 13, max(4.0, rail - 38), s.text)
    painter.setBrush(QColor(s.pressed))
    painter.drawRoundedRect(QRectF(frame.left() + 6, frame.top() + 29, rail - 12, 13), 4, 4)
    for number, share in enumerate((0.9, 0.7, 0.8, 0.55, 0.65)):
        bar(12, 34 + number * 16, max(4.0, rail - 30) * share, s.text_faint if number else s.text, 3)
    left, wide = rail + 12, frame.width() - rail - 23
    bar(left, 14, 46, s.text, 5)
    painter.setBrush(QColor(s.honey))
    painter.drawRoundedRect(QRectF(frame.right() - 40, frame.top() + 10, 29, 12), 4, 4)
    for number, (first, second) in enumerate(((0.42, 0.78), (0.34, 0.84), (0.5, 0.66))):
        y = 31 + number * 27
        painter.setPen(QPen(QColor(s.line), 1))
        painter.setBrush(QColor(s.surface if number else s.honey_tint))
        painter.drawRoundedRect(QRectF(frame.left() + left, frame.top() + y, wide, 22), 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        bar(left + 7, y + 6, wide * first, s.text)
        bar(left + 7, y + 13, wide * second, s.text_faint, 3)
