"""Left navigation: every page by name, grouped, with counts of what waits for a person."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QWidget

from hivemind_desktop.theme import colors, figures, font, paint_icon, px, theme

from .labels import label
from .layouts import column, paint_ground, scrolling
from .marks import paint_mind
from .nav_items import NavItems, RailItem, RailPage, paint_ground_of, paint_ring
from .words import fill, no_mnemonic, one_line

WIDTH = 208
#: With large text names still fit here; the page needs the rest.
WIDEST = 250
#: Below this height captions go and rows become lower, so that every page stays in sight.
SHORT = 640


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
            paint_ground_of(painter, rect, c.hover)
        paint_mind(painter, QRectF(7, middle - 13, 26, 26), self._name, self._color)
        words = rect.adjusted(42, 0, -26, 0)
        self._paint_line(painter, QRectF(words.left(), middle - px(17), words.width(), px(18)), self._name, True)
        self._paint_line(painter, QRectF(words.left(), middle + px(1), words.width(), px(17)), self._facts, False)
        paint_icon(painter, "chevrons-up-down", c.text_faint, QRectF(rect.right() - 21, middle - 7, 14, 14))
        if self.hasFocus():
            paint_ring(painter, rect)

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
        self._group = NavItems()
        self._items = self._group.items
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
        self._group.chosen.connect(self.page_chosen.emit)
        self._group.reached.connect(self._area.ensureWidgetVisible)

    def show_page(self, key: str) -> None:
        """Mark the page that is open. Raises KeyError for a page the rail was not given."""
        self._group.show(key)

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
        return self._group.add(page)
