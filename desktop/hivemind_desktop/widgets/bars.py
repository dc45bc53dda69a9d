"""A small histogram to press: one bar per stretch of time, one of them in sight. What it says stands in words too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from hivemind_desktop.theme import colors, figures, px

#: Height of the words below the bars, and of a bar that stands for nothing, px at 100 %.
_FOOT, _LEAST = 16, 2
_WIDEST = 22


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """`words` name it and its count, for tooltip and screen reader; `tick` stands below it, '' for nothing."""

    value: int
    words: str
    tick: str = ""


class Bars(QWidget):
    """Emits `picked` with a bar's number. One tab stop; arrows walk, Enter picks."""

    picked = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._bars: tuple[HistogramBar, ...] = ()
        self._chosen = self._at = -1
        self.setFixedHeight(px(58))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def bars(self) -> tuple[HistogramBar, ...]:
        return self._bars

    def show_bars(self, bars: Sequence[HistogramBar]) -> None:
        if tuple(bars) != self._bars:
            self._bars = tuple(bars)
            self._chosen = self._at = -1
            self._tell()

    def choose(self, number: int) -> None:
        """Mark the bar that is in sight, without saying `picked`; -1 for none."""
        if number != self._chosen:
            self._chosen = number
            if not self.hasFocus():
                self._at = number
            self._tell()

    def _tell(self) -> None:
        at = self._at if 0 <= self._at < len(self._bars) else self._chosen
        words = self._bars[at].words if 0 <= at < len(self._bars) else ""
        self.setAccessibleName(". ".join(filter(None, (self._name, words))))
        self.update()

    def _bar_at(self, x: float) -> int:
        return min(len(self._bars) - 1, max(0, int((x - self._left()) / self._step()))) if self._bars else -1

    def _step(self) -> float:
        return min(float(px(_WIDEST)), self.width() / max(1, len(self._bars)))

    def _left(self) -> float:
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        return self.width() - self._step() * len(self._bars) if rtl else 0.0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._bars:
            self._at = self._bar_at(event.position().x())
            self.picked.emit(self._at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -len(self._bars), Qt.Key.Key_End: 10**6}
        step = steps.get(Qt.Key(event.key()))
        if step is not None and self._bars:
            self._at = min(len(self._bars) - 1, max(0, self._at + step))
            self._tell()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._at >= 0:
            self.picked.emit(self._at)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._at = self._at if self._at >= 0 else max(0, self._chosen)
        self._tell()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._bars:
            QToolTip.showText(event.globalPos(), self._bars[self._bar_at(event.pos().x())].words, self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._bars:
            return
        c, painter = colors(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        step, floor, left = self._step(), self.height() - px(_FOOT) - 3, self._left()
        top = max(each.value for each in self._bars) or 1
        for number, each in enumerate(self._bars):
            painter.setPen(Qt.PenStyle.NoPen)
            tall = max(float(_LEAST), (floor - 5) * each.value / top)
            bar = QRectF(left + number * step + step * 0.14, floor - tall, step * 0.72, tall)
            painter.setBrush(QColor(c.honey if number == self._chosen else c.edge if each.value else c.line))
            painter.drawRoundedRect(bar, 2, 2)
            if number == self._chosen:
                painter.setBrush(QColor(c.honey_edge))
                painter.drawRoundedRect(QRectF(bar.left(), floor + 1, bar.width(), 2), 1, 1)
            if self.hasFocus() and number == self._at:
                painter.setPen(QPen(QColor(c.honey_edge), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(bar.left() - 2, 1, bar.width() + 4, floor + 3), 3, 3)
            self._paint_tick(painter, each.tick, bar)

    def _paint_tick(self, painter: QPainter, tick: str, bar: QRectF) -> None:
        if not tick:
            return
        painter.setFont(figures("caption"))
        painter.setPen(QColor(colors().text_faint))
        width, top = 90.0, self.height() - px(_FOOT)
        right = bar.left() + width > self.width()
        left = bar.right() - width if right else bar.left()
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRectF(left, top, width, px(_FOOT)), side | Qt.AlignmentFlag.AlignVCenter, tick)
