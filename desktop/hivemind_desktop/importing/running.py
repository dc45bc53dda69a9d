"""The card of a running import: phases, percent, pace, counts, and the ways to stop."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from hivemind.events import Progress
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import number, percent
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.marks import Bar, Icon, Monogram
from hivemind_desktop.widgets.words import one_line

from .model import Pace
from .phases import PhaseList

#: The words about the pace are true for this long, ms.
TICK_MS = 1000


class RunningImport(QFrame):
    """Emits what the person wants: `pause`, `resume`, `cancel` or `background`."""

    wanted = Signal(str)

    def __init__(self, title: str, facts: str) -> None:
        super().__init__()
        self.setProperty("look", "card")
        self._pace, self._paused = Pace(), False
        self._pause = Button(self.tr("Pause"), "", "pause", on_click=self._toggle)
        self._cancel = Button(self.tr("Cancel…"), on_click=lambda: self.wanted.emit("cancel"))
        away = Button(self.tr("Run in background"), "quiet", on_click=lambda: self.wanted.emit("background"))
        words = box(column(label(title, "heading"), ElidedLabel(facts, "label", "faint"), gap=0))
        head = row(Monogram(title, 36), (words, 1), self._pause, self._cancel, away, gap=10)
        self._percent = label("", "display", digits=True)
        self._left = label(self.tr("starting"), "strong")
        self._speed = label("", "caption", "faint", digits=True)
        self._items, items = figure(self.tr("conversations"))
        self._messages, messages = figure(self.tr("messages"))
        self._memories, memories = figure(self.tr("memories"))
        pace = column(6, self._left, self._speed, gap=0)
        big = row(self._percent, 10, pace, None, items, 22, messages, 22, memories, gap=0)
        self._bar = Bar(title, None, height=8)
        self._now = ElidedLabel("", "label", "soft")
        now = row(Icon("file-text", "text_faint", 14), label(self.tr("Now"), "caption", "faint"), (self._now, 1), gap=7)
        self._phases = PhaseList()
        self.setLayout(
            column(head, 10, big, 2, self._bar, 2, now, line(), 4, self._phases, gap=6, margins=(18, 16, 18, 14))
        )
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._show_pace)
        self._tick.start()

    def show_progress(self, progress: Progress) -> None:
        self._pace.take(progress)
        share = progress.done / progress.total if progress.total else None
        self._percent.setText(percent(share) if share is not None else "")
        self._percent.setVisible(share is not None)
        self._bar.set_share(share)
        self._items.setText(number(progress.items))
        self._messages.setText(number(progress.messages))
        self._memories.setText(number(progress.frames))
        if progress.current:
            self._now.set_full_text(one_line(progress.current))
        self._phases.show_progress(progress)
        self._show_pace()

    def show_paused(self, paused: bool) -> None:
        self._paused = paused
        if paused:
            self._pace.pause()
        self._pause.set_words(self.tr("Resume") if paused else self.tr("Pause"))
        self._pause.set_icon("play" if paused else "pause")
        self._show_pace()

    @property
    def is_paused(self) -> bool:
        return self._paused

    def show_stopping(self) -> None:
        """Cancelling has been asked for: the conversation at hand is finished first."""
        self._pause.setEnabled(False)
        self._cancel.setEnabled(False)
        self._left.setText(self.tr("stopping"))
        self._tick.stop()

    def _toggle(self) -> None:
        self.wanted.emit("resume" if self._paused else "pause")

    def _show_pace(self) -> None:
        if self._paused:
            self._left.setText(self.tr("paused"))
            self._speed.setText(self.tr("What is in can be searched."))
            return
        ahead, speed = self._pace.words()
        self._left.setText(ahead)
        self._speed.setText(speed)


def figure(name: str) -> tuple[QLabel, QWidget]:
    """A running count over its name."""
    count = label(number(0), "heading", digits=True)
    shown = QWidget()
    shown.setLayout(column(count, label(name, "caption", "faint"), gap=0))
    return count, shown
