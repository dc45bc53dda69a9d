"""A focus ring over what draws none itself, such as reading text: nothing moves, the mouse goes through it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from hivemind_desktop.theme import colors

_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class FocusRing(QWidget):
    """Lies over its widget while the keyboard is there and came by key."""

    def __init__(self, under: QWidget) -> None:
        super().__init__(under)
        self._under = under
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        under.installEventFilter(self)
        self.hide()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent):
            shown = event.type() == QEvent.Type.FocusIn and event.reason() in _BY_KEY
            self.setGeometry(self._under.rect())
            self.setVisible(shown)
            self.raise_()
        elif event.type() == QEvent.Type.Resize:
            self.setGeometry(self._under.rect())
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors().honey_edge), 2))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
