"""Left navigation: every page by name, grouped, with counts of what waits for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QWidget

from hivemind_desktop.theme import colors, figures, font, paint_icon, px, theme

from .labels import label
from .layouts import column, paint_ground, scrolling
from .marks import paint_mind
from .words import fill, no_mnemonic, one_line

WIDTH = 208
#: With large text names still fit here; the page needs the rest.
WIDEST = 250
#: Below this height captions go and rows become lower, so that every page stays in sight.
SHORT = 640


@dataclass(frozen=True, slots=True)
class RailPage:
    """A page as the rail shows it. `group` is the caption above it, '' for none."""

    key: str
    name: str
    icon: str
    group: str = ""
    at_foot: bool = False


def _paint_ring(painter: QPainter, rect: QRectF) -> None:
    painter.setPen(QPen(QColor(colors().honey_edge), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 7, 7)


def _paint_ground(painter: QPainter, rect: QRectF, color: str) -> None:
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
            _paint_ground(painter, rect, c.pressed if self.isChecked() else c.hover)
        ink = c.honey_text if self.isChecked() else c.text_soft
        paint_icon(painter, self._page.icon, ink, QRectF(10, rect.center().y() - 8, 16, 16))
        painter.setPen(QColor(c.text if self.isChecked() else c.text_soft))
        painter.setFont(font("body", 600 if self.isChecked() else 500))
        painter.drawText(rect.adjusted(36, 0, -8, 0), Qt.AlignmentFlag.AlignVCenter, self._page.name)
        if self._count:
            self._paint_count(painter, rect)
        if self.hasFocus():
            _paint_ring(painter, rect)

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


class MindSwitcher(QAbstractButton):
    """Which mind is open: hexagon in the mind's colour, its name, its size. A press asks to switch."""

    def __init__(self) -> None:
        super().__init__()
        self._name = self._facts = self._color = ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_mind(self, name: str, facts: str, color: str = "") -> None:
        """facts: such as `24,377 memories`. color: one of the entity palette, '' for honey."""
        self._name, self._facts, self._color = one_line(name, 60), one_line(facts, 60), color
        self.setText(no_mnemonic(self._name))
        self.setAccessibleName(fill(self.tr("Mind: %1, %2. Switch mind"), self._name, self._facts))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(180, px(46))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter, rect = colors(), QPainter(self), QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = rect.center().y()
        if self.underMouse():
            _paint_ground(painter, rect, c.hover)
        paint_mind(painter, QRectF(7, middle - 13, 26, 26), self._name, self._color)
        words = rect.adjusted(42, 0, -26, 0)
        self._paint_line(painter, QRectF(words.left(), middle - px(17), words.width(), px(18)), self._name, True)
        self._paint_line(painter, QRectF(words.left(), middle + px(1), words.width(), px(17)), self._facts, False)
        paint_icon(painter, "chevrons-up-down", c.text_faint, QRectF(rect.right() - 21, middle - 7, 14, 14))
        if self.hasFocus():
            _paint_ring(painter, rect)

    @staticmethod
    def _paint_line(painter: QPainter, rect: QRectF, text: str, strong: bool) -> None:
        painter.setFont(font("strong") if strong else figures("caption"))
        painter.setPen(QColor(colors().text if strong else colors().text_faint))
        shown = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)


class NavRail(QWidget):
    """The rail. One tab stop for all pages, arrows inside; the mind switcher above is another."""

    page_chosen = Signal(str)  # RailPage.key

    def __init__(self, pages: Sequence[RailPage]) -> None:
        super().__init__()
        paint_ground(self, "window")
        self._follow_text_size()
        theme().changed.connect(self._follow_text_size)
        self.setAccessibleName(self.tr("Pages"))
        self.mind = MindSwitcher()
        self._items: dict[str, RailItem] = {}
        self._captions: list[QLabel] = []
        layout, group = column(self.mind, 8, gap=1, margins=(10, 10, 10, 10)), ""
        for page in pages:
            if page.group != group and not page.at_foot:
                group = page.group
                layout.addWidget(self._caption(group))
            if not page.at_foot:
                layout.addWidget(self._add(page))
        layout.addStretch(1)
        for page in pages:
            if page.at_foot:
                layout.addWidget(self._add(page))
        inner = QWidget()
        inner.setLayout(layout)
        # At 200 % on a small screen the rail scrolls; names never go.
        self._area = scrolling(inner)
        self.setLayout(column(self._area, gap=0))
        self._one_tab_stop(next(iter(self._items.values()), None))

    def show_page(self, key: str) -> None:
        """Mark the page that is open. Raises KeyError for a page the rail was not given."""
        self._items[key].setChecked(True)
        self._one_tab_stop(self._items[key])

    def set_count(self, key: str, count: int) -> None:
        """Things on this page that wait for a person; 0 hides the pill."""
        self._items[key].set_count(count)

    def item(self, key: str) -> RailItem:
        return self._items[key]

    def resizeEvent(self, event: QResizeEvent) -> None:
        short = event.size().height() < px(SHORT)
        for caption in self._captions:
            caption.setVisible(not short)
        for item in self._items.values():
            item.set_short(short)
        super().resizeEvent(event)

    def _follow_text_size(self) -> None:
        self.setFixedWidth(min(px(WIDTH), WIDEST))

    def _caption(self, text: str) -> QLabel:
        result = label(text, "caption", "faint")
        result.setContentsMargins(10, 11, 0, 3)
        self._captions.append(result)
        return result

    def _add(self, page: RailPage) -> RailItem:
        item = self._items[page.key] = RailItem(page)
        item.clicked.connect(lambda _checked=False: self.page_chosen.emit(page.key))
        item.walked.connect(lambda key: self._walk(item, key))
        return item

    def _walk(self, item: RailItem, key: int) -> None:
        items = list(self._items.values())
        here = items.index(item)
        target = {
            Qt.Key.Key_Up: max(0, here - 1),
            Qt.Key.Key_Down: min(len(items) - 1, here + 1),
            Qt.Key.Key_Home: 0,
        }.get(Qt.Key(key), len(items) - 1)
        self._one_tab_stop(items[target])
        items[target].setFocus(Qt.FocusReason.TabFocusReason)
        self._area.ensureWidgetVisible(items[target])

    def _one_tab_stop(self, stop: RailItem | None) -> None:
        for item in self._items.values():
            item.setFocusPolicy(Qt.FocusPolicy.TabFocus if item is stop else Qt.FocusPolicy.NoFocus)
