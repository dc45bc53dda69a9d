"""Dialogs that float over the window: the scrim behind them, shadows, a sheet from the right."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QGraphicsDropShadowEffect, QLayout, QWidget

from hivemind_desktop.theme import colors
from hivemind_desktop.theme.tokens import SHADOW

from .buttons import Button
from .labels import ElidedLabel
from .layouts import Item, box, column, line, row


def lift(widget: QWidget, blur: int = 24, down: int = 6) -> None:
    """Shadow for things that float; never for cards, which keep a hairline."""
    shadow = QGraphicsDropShadowEffect(widget)
    shadow.setBlurRadius(blur)
    shadow.setOffset(0, down)
    ink = QColor(SHADOW)
    ink.setAlphaF(0.24)
    shadow.setColor(ink)
    widget.setGraphicsEffect(shadow)


class Scrim(QWidget):
    """Dims the window behind a dialog for as long as that dialog is open."""

    def __init__(self, window: QWidget, dialog: QDialog) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._window = window
        self.setGeometry(window.rect())
        window.installEventFilter(self)
        dialog.finished.connect(self._go)
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._window.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(colors().scrim))

    def _go(self) -> None:
        self._window.removeEventFilter(self)
        self.hide()
        self.deleteLater()


def open_over(dialog: QDialog) -> None:
    """Open a dialog window-modal, with a scrim over its window. Returns at once: nothing blocks."""
    parent = dialog.parentWidget()
    if parent is not None:
        Scrim(parent.window(), dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def make_floating(dialog: QDialog) -> None:
    """No frame of the window system: the dialog draws its own rounded ground."""
    dialog.setWindowFlag(Qt.WindowType.FramelessWindowHint)
    dialog.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    dialog.setProperty("look", "floating")


class Sheet(QDialog):
    """From the right, full height; the page stays in sight. Esc closes, and nothing else happens.

    `content` fills the middle between head and foot; wrap it in `scrolling` when it may be taller.
    """

    def __init__(
        self, title: str, content: QWidget, parent: QWidget, *, foot: QLayout | None = None, width: int = 460
    ) -> None:
        super().__init__(parent)
        make_floating(self)
        self.setWindowTitle(title)
        self._window = parent.window()
        self.setFixedWidth(min(width, self._window.width()))
        close = Button("", "quiet", "x", tip=self.tr("Close (Esc)"), on_click=self.reject)
        head = row((ElidedLabel(title, "heading"), 1), close, gap=8, margins=(20, 12, 12, 10))
        below: list[Item] = [line(), foot] if foot is not None else []
        body = column(head, line(), (content, 1), *below, gap=0)
        self.setLayout(column(box(body, "sheet"), gap=0))
        self._close = close

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        window = self._window
        area = QRect(window.mapToGlobal(QPoint(0, 0)), window.size())
        left = area.left() + area.width() - self.width()
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = area.left()
        self.setGeometry(left, area.top(), self.width(), area.height())
        self._close.setFocus(Qt.FocusReason.TabFocusReason)
