"""The search line of a page and the row of filters below it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QMenu, QSizePolicy, QWidget

from hivemind_desktop.theme import colors, font, paint_icon, px

from .buttons import Button
from .layouts import row
from .words import fill, no_mnemonic

#: Wait after the last key before searching while somebody types.
PAUSE_MS = 180
#: Below this width the key hint makes room for the words.
HINT_NEEDS = 260


class SearchLine(QLineEdit):
    """Emits `asked` when typing pauses, and at once on Enter. Esc empties it."""

    asked = Signal(str)

    def __init__(self, hint: str, key: str = "Ctrl+F") -> None:
        super().__init__()
        self._key = key
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        self.setTextMargins(24, 0, 60 if key else 4, 0)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self.textEdited.connect(lambda _text: self._pause.start())
        self.returnPressed.connect(self._ask)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), px(36))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, px(36))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self._ask()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setTextMargins(24, 0, 60 if self._shows_key() else 4, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        c, painter = colors(), QPainter(self)
        paint_icon(painter, "search", c.text_faint, QRectF(11, self.height() / 2 - 8, 16, 16))
        if self._shows_key():
            painter.setPen(QColor(c.text_faint))
            painter.setFont(font("caption"))
            place = self.rect().adjusted(0, 0, -12, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._key)

    def _shows_key(self) -> bool:
        return bool(self._key) and self.width() > HINT_NEEDS

    def _ask(self) -> None:
        self._pause.stop()
        self.asked.emit(self.text())


class ChipRow(QWidget):
    """Filters in one line; those that do not fit are in the menu behind '+n'."""

    GAP = 6

    def __init__(self, chips: Sequence[Button], trailing: QWidget | None = None, margin: int = 24) -> None:
        super().__init__()
        self._chips, self._trailing, self._margin = list(chips), trailing, margin
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._more = Button("+0", "chip", tip=self.tr("More filters"), on_click=self._open_menu)
        self._more.hide()
        end = [trailing] if trailing else []
        margins = (margin, 8, margin, 12)
        self.setLayout(row(*self._chips, self._more, None, *end, gap=self.GAP, margins=margins))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_chips(self, chips: Sequence[Button]) -> None:
        """Show these chips instead, in this order; those that are no longer among them are hidden."""
        layout = self.layout()
        assert isinstance(layout, QBoxLayout)
        for each in self._chips:
            layout.removeWidget(each)
            if each not in chips:
                each.hide()
        self._chips = list(chips)
        for place, each in enumerate(self._chips):
            layout.insertWidget(place, each)
        self.refit()

    def hidden_chips(self) -> list[Button]:
        return [each for each in self._chips if each.isHidden()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refit()

    def refit(self) -> None:
        """Decide again what fits; call after a chip's words have changed."""
        taken = self._trailing.sizeHint().width() + 12 if self._trailing else 0
        room = self.width() - 2 * self._margin - taken
        needed = [each.sizeHint().width() + self.GAP for each in self._chips]
        more = self._more.sizeHint().width() + self.GAP
        fits = len(needed)
        while fits and sum(needed[:fits]) + (more if fits < len(needed) else 0) > room:
            fits -= 1
        for number, each in enumerate(self._chips):
            each.setVisible(number < fits)
        rest = len(needed) - fits
        self._more.set_words(f"+{rest}")
        self._more.setAccessibleName(fill(self.tr("%1 more filters"), rest))
        self._more.setVisible(rest > 0)

    def _fill_menu(self) -> None:
        self._menu.clear()
        for each in self.hidden_chips():
            action = self._menu.addAction(no_mnemonic(each.words()))
            action.setCheckable(True)
            action.setChecked(each.isChecked())
            action.triggered.connect(lambda _checked=False, each=each: each.click())

    def _open_menu(self) -> None:
        self._menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))
