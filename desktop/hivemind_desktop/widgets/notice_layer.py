"""Draws notices in a window: the toast at the bottom of the page, error and question dialogs over it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import (
    QAbstractAnimation,
    QEasingCurve,
    QEvent,
    QObject,
    QPoint,
    QPropertyAnimation,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QEnterEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from hivemind_desktop.notices import ErrorNotice, Question, Toast
from hivemind_desktop.theme import theme

from .buttons import Button
from .dialogs import ErrorDialog, QuestionDialog
from .floating import lift, open_over
from .labels import ElidedLabel
from .layouts import box, column, row
from .marks import Icon

TOAST_MS = 6000
#: Room around the card for its shadow, px.
_SHADOW = (18, 8, 18, 26)


class ToastCard(QWidget):
    """One line, an action and close. Goes after six seconds, but never while hovered or focused."""

    gone = Signal()

    def __init__(self, toast: Toast, area: QWidget) -> None:
        super().__init__(area)
        self._area = area
        self._words = ElidedLabel(toast.text)
        self._close = Button("", "quiet", "x", tip=self.tr("Close"), on_click=self.dismiss)
        self._action: Button | None = None
        parts: list[QWidget | int] = [Icon(toast.icon, toast.ink), self._words, 12]
        if toast.action is not None and toast.action_text:
            self._action = Button(toast.action_text, "link", on_click=toast.action)
            self._action.clicked.connect(self.dismiss)
            parts.append(self._action)
        card = box(row(*parts, self._close, gap=10, margins=(14, 6, 6, 6)), "dialog")
        lift(card)
        self.setLayout(column(card, gap=0, margins=_SHADOW))
        self.setAccessibleName(toast.text)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._time_up)
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        area.installEventFilter(self)

    def appear(self) -> None:
        place, duration = self._place(), theme().motion_ms("quick")
        start = place + QPoint(0, 12) if duration else place
        self.move(start)  # before it is shown: it must not flash, or meet the pointer, in the corner
        self.show()
        self.raise_()
        if duration:
            self._slide.setDuration(duration)
            self._slide.setStartValue(start)
            self._slide.setEndValue(place)
            self._slide.start()
        self._timer.start(TOAST_MS)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.accessibleName()))

    def dismiss(self) -> None:
        self._timer.stop()
        self._area.removeEventFilter(self)
        self.hide()
        self.gone.emit()
        self.deleteLater()

    def take_focus(self) -> None:
        """F6: the keyboard reaches the way back."""
        (self._action or self._close).setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._timer.start(TOAST_MS)
        super().leaveEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._area and isinstance(event, QResizeEvent):
            self._slide.stop()
            self.move(self._place())
        return False

    def _time_up(self) -> None:
        held = QApplication.focusWidget()
        if self.underMouse() or (held is not None and self.isAncestorOf(held)):
            self._timer.start(TOAST_MS)
        else:
            self.dismiss()

    def _place(self) -> QPoint:
        """Bottom centre of the page; narrower than the page by its margins."""
        room = self._area.width() - 32
        wanted = self.sizeHint()
        self.resize(min(wanted.width(), room), wanted.height())
        return QPoint((self._area.width() - self.width()) // 2, self._area.height() - self.height() - 4)

    def is_moving(self) -> bool:
        return self._slide.state() == QAbstractAnimation.State.Running


class NoticeLayer(QObject):
    """The surface `Notices` writes to. `area` is the page; toasts stand at its lower edge."""

    def __init__(self, area: QWidget) -> None:
        super().__init__(area)
        self._area = area
        self._toast: ToastCard | None = None

    @property
    def toast(self) -> ToastCard | None:
        """The toast in sight."""
        return self._toast

    def show_toast(self, toast: Toast) -> None:
        if self._toast is not None:
            self._toast.dismiss()
        card = self._toast = ToastCard(toast, self._area)
        card.gone.connect(lambda: self._forget(card))
        card.appear()

    def show_error(self, error: ErrorNotice, closed: Callable[[], None]) -> None:
        dialog = ErrorDialog(error, self._area.window())
        dialog.finished.connect(lambda _result: closed())
        open_over(dialog)

    def show_question(self, question: Question, answered: Callable[[str], None]) -> None:
        dialog = QuestionDialog(question, self._area.window())
        dialog.finished.connect(lambda _result: answered(dialog.answer))
        open_over(dialog)

    def _forget(self, card: ToastCard) -> None:
        if self._toast is card:
            self._toast = None
