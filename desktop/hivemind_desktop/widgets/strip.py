"""A whole conversation as a narrow strip in place of a scroll bar: a tick per message, a frame around what is seen."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from hivemind_desktop.theme import colors, figures, px

from .figures import number
from .words import fill

_EDGE = 14.0
#: Ticks closer than this are left out: they would be a grey bar, px.
_APART = 2.5
_PAGE = 10


class Strip(QWidget):
    """Emits `asked` with the number of a message (from 0) when somebody presses or drags there.

    One tab stop; arrows, Page, Home and End move.
    """

    asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._count, self._seen, self._opened = 0, (0, 0), -1
        self._marked: frozenset[int] = frozenset()
        self.setFixedWidth(px(54))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._tell()

    def show_messages(self, count: int, marked: frozenset[int]) -> None:
        """marked: numbers of messages that stand out, drawn in honey."""
        self._count, self._marked, self._opened, self._seen = count, marked, -1, (0, 0)
        self._tell()

    def show_seen(self, first: int, last: int) -> None:
        if (first, last) != self._seen:
            self._seen = (first, last)
            self._tell()

    def show_opened(self, opened: int) -> None:
        """The message the person came for, -1 for none."""
        self._opened = opened
        self._tell()

    def _tell(self) -> None:
        at = self._opened if self._opened >= 0 else self._seen[0]
        words = fill(self.tr("Place in the conversation: message %1 of %2"), number(at + 1), number(self._count))
        marks = fill(self.tr("%1 with an important memory"), number(len(self._marked))) if self._marked else ""
        self.setAccessibleName(". ".join(filter(None, (words, marks))))
        self.update()

    def _y(self, place: float) -> float:
        return _EDGE + place * (self.height() - 2 * _EDGE) / max(1, self._count - 1)

    def _ask(self, y: float) -> None:
        if self._count:
            share = (y - _EDGE) / max(1.0, self.height() - 2 * _EDGE)
            self.asked.emit(min(self._count - 1, max(0, round(share * (self._count - 1)))))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._ask(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._ask(event.position().y())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        first = self._seen[0]
        places = {
            Qt.Key.Key_Up: first - 1, Qt.Key.Key_Down: first + 1, Qt.Key.Key_PageUp: first - _PAGE,
            Qt.Key.Key_PageDown: first + _PAGE, Qt.Key.Key_Home: 0, Qt.Key.Key_End: self._count - 1,
        }  # fmt: skip
        place = places.get(Qt.Key(event.key()))
        if place is None or not self._count:
            super().keyPressEvent(event)
        else:
            self.asked.emit(min(self._count - 1, max(0, place)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._count:
            return
        c, painter = colors(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        right = self.width() - 9.0
        painter.setPen(QPen(QColor(c.honey_edge if self.hasFocus() else c.border), 2 if self.hasFocus() else 1))
        painter.setBrush(QColor(c.sunken))
        top, bottom = self._y(self._seen[0]) - 6, self._y(self._seen[1]) + 6
        painter.drawRoundedRect(QRectF(right - 15.5, top, 19, max(12.0, bottom - top)), 5, 5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.edge))
        every = max(1, round(_APART * self._count / max(1.0, self.height() - 2 * _EDGE)))
        for place in range(0, self._count, every):
            wide = 6 if place % 2 else 9
            painter.drawRoundedRect(QRectF(right - wide, self._y(place) - 0.5, wide, 1), 0.5, 0.5)
        painter.setBrush(QColor(c.honey_edge))
        for place in self._marked | ({self._opened} if self._opened >= 0 else set()):
            painter.drawRoundedRect(QRectF(right - 12, self._y(place) - 1.5, 12, 3), 1.5, 1.5)
        self._paint_number(painter, right)

    def _paint_number(self, painter: QPainter, right: float) -> None:
        if self._opened < 0:
            return
        painter.setFont(figures("caption"))
        painter.setPen(QColor(colors().text_soft))
        rect = QRectF(0, self._y(self._opened) - 8, right - 18, 16)
        painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, number(self._opened + 1))
