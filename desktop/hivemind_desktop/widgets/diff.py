"""Two versions of a text, line by line: sign, tint and words, so colour is not needed to read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from hivemind_desktop.theme import colors, font, px

from .words import fill, one_line


@dataclass(frozen=True, slots=True)
class DiffLine:
    sign: Literal["-", "+", " "]
    text: str


class DiffView(QWidget):
    """Lines as they are given; a line longer than the view ends in …, its whole text is spoken."""

    LINE = 22

    def __init__(self, lines: Sequence[DiffLine]) -> None:
        super().__init__()
        self._lines = tuple(DiffLine(each.sign, one_line(each.text)) for each in lines)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("; ".join(self._spoken(each) for each in self._lines))

    def sizeHint(self) -> QSize:
        return QSize(200, px(self.LINE) * len(self._lines) + 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font("mono"))
        for number, each in enumerate(self._lines):
            self._paint_line(painter, QRectF(0, 6 + number * px(self.LINE), self.width(), px(self.LINE) - 1), each)

    def _spoken(self, each: DiffLine) -> str:
        pattern = {"-": self.tr("removed: %1"), "+": self.tr("added: %1"), " ": self.tr("same: %1")}[each.sign]
        return fill(pattern, each.text)

    @staticmethod
    def _paint_line(painter: QPainter, rect: QRectF, each: DiffLine) -> None:
        c = colors()
        ground = {"-": c.removed_tint, "+": c.added_tint, " ": c.sunken}[each.sign]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(rect, 4, 4)
        painter.setPen(QColor({"-": c.danger, "+": c.ok, " ": c.text_faint}[each.sign]))
        sign = "\u2212" if each.sign == "-" else each.sign
        painter.drawText(rect.adjusted(8, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, sign)
        painter.setPen(QColor(c.text))
        metrics = QFontMetricsF(painter.font())
        shown = metrics.elidedText(each.text, Qt.TextElideMode.ElideRight, rect.width() - 32)
        painter.drawText(rect.adjusted(24, 0, -8, 0), Qt.AlignmentFlag.AlignVCenter, shown)
