"""Items of a navigation: icon, name, count; one tab stop for all of them, arrows inside."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from hivemind_desktop.theme import colors, figures, font, paint_icon, px

from .words import fill, no_mnemonic


@dataclass(frozen=True, slots=True)
class RailPage:
    """A page as the rail shows it. `group` is the caption above it, '' for none."""

    key: str
    name: str
    icon: str
    group: str = ""
    at_foot: bool = False


def paint_ring(painter: QPainter, rect: QRectF) -> None:
    painter.setPen(QPen(QColor(colors().honey_edge), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 7, 7)


def paint_ground_of(painter: QPainter, rect: QRectF, color: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawRoundedRect(rect, 7, 7)


class RailItem(QAbstractButton):
    """One page. Space or Enter opens it, the arrows walk to its neighbours."""

    walked = Signal(int)  # a Qt.Key: Up, Down, Home or End

    def __init__(self, page: RailPage) -> None:
        super().__init__()
        self._page, self._count, self._height = page, 0, 30
        self.setText(no_mnemonic(page.name))
        self.setCheckable(True)
        self.setAutoExclusive(True)  # one is checked; also makes it a radio button to screen readers
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_count(0)

    def set_count(self, count: int) -> None:
        self._count = count
        name = self._page.name
        self.setAccessibleName(fill(self.tr("%1, %2 waiting"), name, count) if count else name)
        self.update()

    def set_short(self, short: bool) -> None:
        self._height = 28 if short else 30
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(180, max(24, px(self._height)))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End):
            self.walked.emit(key)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter, rect = colors(), QPainter(self), QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or self.underMouse():
            paint_ground_of(painter, rect, c.pressed if self.isChecked() else c.hover)
        ink = c.honey_text if self.isChecked() else c.text_soft
        paint_icon(painter, self._page.icon, ink, QRectF(10, rect.center().y() - 8, 16, 16))
        painter.setPen(QColor(c.text if self.isChecked() else c.text_soft))
        painter.setFont(font("body", 600 if self.isChecked() else 500))
        painter.drawText(rect.adjusted(36, 0, -8, 0), Qt.AlignmentFlag.AlignVCenter, self._page.name)
        if self._count:
            self._paint_count(painter, rect)
        if self.hasFocus():
            paint_ring(painter, rect)

    def _paint_count(self, painter: QPainter, rect: QRectF) -> None:
        words = str(self._count) if self._count < 1000 else "999+"
        painter.setFont(figures("caption", 600))
        metrics = QFontMetricsF(painter.font())
        width, height = max(20.0, metrics.horizontalAdvance(words) + 12), metrics.height() + 4
        pill = QRectF(rect.right() - width - 7, rect.center().y() - height / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors().honey))
        painter.drawRoundedRect(pill, height / 2, height / 2)
        painter.setPen(QColor(colors().on_honey))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)


class NavItems(QObject):
    """Items that belong together: the open one is marked and is the tab stop, the arrows walk to the others."""

    chosen = Signal(str)  # RailPage.key
    reached = Signal(QWidget)  # the keyboard came to this item: bring it into sight

    def __init__(self) -> None:
        super().__init__()
        self.items: dict[str, RailItem] = {}

    def add(self, page: RailPage) -> RailItem:
        item = self.items[page.key] = RailItem(page)
        item.clicked.connect(lambda _checked=False: self.chosen.emit(page.key))
        item.walked.connect(lambda key: self._walk(item, key))
        self.stop_at(next(iter(self.items.values())))
        return item

    def show(self, key: str) -> None:
        """Mark the one that is open. Raises KeyError for a key that was not added."""
        self.items[key].setChecked(True)
        self.stop_at(self.items[key])

    def stop_at(self, stop: RailItem) -> None:
        """Tab comes to this one."""
        for item in self.items.values():
            item.setFocusPolicy(Qt.FocusPolicy.TabFocus if item is stop else Qt.FocusPolicy.NoFocus)

    def _walk(self, item: RailItem, key: int) -> None:
        items = [each for each in self.items.values() if not each.isHidden()]
        here = items.index(item)
        target = {
            Qt.Key.Key_Up: max(0, here - 1),
            Qt.Key.Key_Down: min(len(items) - 1, here + 1),
            Qt.Key.Key_Home: 0,
        }.get(Qt.Key(key), len(items) - 1)
        self.stop_at(items[target])
        items[target].setFocus(Qt.FocusReason.TabFocusReason)
        self.reached.emit(items[target])
