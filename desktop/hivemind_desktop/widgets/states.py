"""The four states of a page: loading, error, empty, data. One stack that shows exactly one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from hivemind_desktop.theme import colors, px

from .buttons import Button
from .labels import label
from .layouts import column, row, scrolling
from .marks import Icon

State = Literal["loading", "error", "empty", "data"]

SKELETON_AFTER_MS = 150
REASON_AFTER_MS = 5000
#: Longest line of a state's sentence, px at 100 %.
SENTENCE = 380


class StateView(QWidget):
    """One picture, a heading, one sentence, the next step. `details`: of an error, for a report; not shown."""

    def __init__(
        self,
        icon_name: str,
        title: str,
        sentence: str,
        *actions: QWidget,
        ink: str = "text_faint",
        details: str = "",
    ) -> None:
        super().__init__()
        self.next_steps, self.details = actions, details
        heading = label(title, "heading", wrap=True)
        words = label(sentence, "body", "soft", wrap=True)
        for each in (heading, words):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            each.setMaximumWidth(px(SENTENCE))
        middle = QWidget()
        middle.setLayout(
            column(
                None,
                row(None, Icon(icon_name, ink, 24, "sunken"), None),
                4,
                row(None, (heading, 1000), None),
                row(None, (words, 1000), None),
                6,
                row(None, *actions, None),
                None,
                gap=6,
                margins=(12, 12, 12, 12),
            )
        )
        self.setLayout(column(scrolling(middle), gap=0))  # a small pane or large text scrolls, nothing is cut
        self.setAccessibleName(f"{title}. {sentence}")


class Skeleton(QWidget):
    """Where rows will be, and a word of what is loading. Still: nothing pulses, nothing to reduce."""

    _SHARES = (0.9, 0.7, 0.8, 0.6)
    _ROW = 64

    def __init__(self) -> None:
        super().__init__()
        self._words = label("", "label", "soft")
        self._reason = label("", "label", "faint", wrap=True)
        for each in (self._words, self._reason):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._reason.setMaximumWidth(px(SENTENCE))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # cut rather than push the page
        self.setLayout(
            column(
                self._ROW * len(self._SHARES) + 20,
                row(None, Icon("loader-circle", "text_faint"), self._words, None, gap=8),
                row(None, (self._reason, 1000), None),
                None,
                gap=6,
                margins=(24, 16, 24, 12),
            )
        )

    def set_words(self, words: str, reason: str = "") -> None:
        self._words.setText(words)
        self._reason.setText(reason)
        self.setAccessibleName(f"{words} {reason}".strip())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors().hover))
        room = min(self.width() - 48, 560)
        for number, share in enumerate(self._SHARES):
            for top, width, height in ((0, 0.42, 12), (20, share, 9), (36, share * 0.8, 9)):
                bar = QRectF(24, 20 + number * self._ROW + top, room * width, height)
                painter.drawRoundedRect(bar, 4, 4)


class StateStack(QStackedWidget):
    """Wraps the data view of a page.

    Loading shows nothing new for the first 150 ms, so that quick answers do not flicker; after 5 s it adds
    the reason it was given.
    """

    state_changed = Signal(str)

    def __init__(self, data: QWidget) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._state: State = "loading"
        self._data, self._blank, self._skeleton = data, QWidget(), Skeleton()
        self._told: StateView | None = None
        self._words = self._reason = ""
        self._is_late = False
        for each in (self._blank, self._skeleton, data):
            self.addWidget(each)
        self.setCurrentWidget(self._blank)
        self._soon = self._timer(SKELETON_AFTER_MS, self._show_skeleton)
        self._late = self._timer(REASON_AFTER_MS, self._show_reason)

    @property
    def state(self) -> State:
        return self._state

    @property
    def told(self) -> StateView | None:
        """The view of the error or empty state in force."""
        return self._told

    def show_loading(self, words: str, reason: str = "") -> None:
        """words: what is loading. reason: why it may take long, shown after 5 s."""
        self._words = words
        self._reason = reason or self.tr("This takes longer than usual. It goes on in the background.")
        if self._state != "loading":
            self._enter("loading")
        if not self._soon.isActive() and self.currentWidget() is not self._skeleton:
            self._is_late = False
            self._soon.start()
            self._late.start()
        self._skeleton.set_words(words, self._reason if self._is_late else "")

    def show_error(
        self, title: str, hint: str, on_retry: Callable[[], object] | None = None, details: str = ""
    ) -> None:
        """title: what happened. hint: what is safe and what to do. details: for a report, copied on request."""
        actions: list[QWidget] = []
        if on_retry is not None:
            actions.append(Button(self.tr("Try again"), "", "rotate-cw", on_click=on_retry))
        copied = "\n".join(filter(None, (title, hint, details)))
        copy = Button(self.tr("Copy details"), "quiet", "copy")
        copy.clicked.connect(lambda _checked=False: QGuiApplication.clipboard().setText(copied))
        self._tell("error", StateView("octagon-alert", title, hint, *actions, copy, ink="danger", details=details))

    def show_empty(
        self,
        icon_name: str,
        title: str,
        sentence: str,
        action_text: str = "",
        action: Callable[[], object] | None = None,
    ) -> None:
        """Nothing here yet, or nothing found: why, and the one next step."""
        actions = [Button(action_text, on_click=action)] if action is not None and action_text else []
        self._tell("empty", StateView(icon_name, title, sentence, *actions))

    def show_data(self) -> None:
        self._enter("data")
        self.setCurrentWidget(self._data)
        self._forget()

    def _tell(self, state: State, view: StateView) -> None:
        self._enter(state)
        self._forget()
        self._told = view
        self.addWidget(view)
        self.setCurrentWidget(view)

    def _enter(self, state: State) -> None:
        self._soon.stop()
        self._late.stop()
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)

    def _forget(self) -> None:
        if self._told is not None:
            self.removeWidget(self._told)
            self._told.deleteLater()
            self._told = None

    def _show_skeleton(self) -> None:
        self.setCurrentWidget(self._skeleton)
        self._forget()

    def _show_reason(self) -> None:
        self._is_late = True
        self._skeleton.set_words(self._words, self._reason)

    def _timer(self, wait_ms: int, then: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(wait_ms)
        timer.timeout.connect(then)
        return timer
