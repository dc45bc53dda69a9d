"""One event on a timeline: disc and rail left, words right."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from hivemind_desktop.theme import colors, paint_icon

from .labels import ElidedLabel
from .layouts import column


class Step(QWidget):
    """What happened, when and by whom; `below` may hold a diff. `last` ends the rail."""

    def __init__(
        self, icon_name: str, title: str, facts: str, *below: QWidget, last: bool = False, ink: str = "text_soft"
    ) -> None:
        super().__init__()
        self._icon, self._last, self._ink = icon_name, last, ink
        words = (ElidedLabel(title, "label"), ElidedLabel(facts, "caption", "faint"))
        self.setLayout(column(*words, *below, gap=1, margins=(34, 2, 0, 12)))
        self.setAccessibleName(f"{title}. {facts}")

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter = colors(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = self.width() - 22 if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else 0
        if not self._last:
            painter.setPen(QPen(QColor(c.line), 2))
            painter.drawLine(left + 11, 26, left + 11, self.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.sunken))
        painter.drawEllipse(QRectF(left, 1, 22, 22))
        paint_icon(painter, self._icon, c.of(self._ink), QRectF(left + 5, 6, 12, 12), 2)
