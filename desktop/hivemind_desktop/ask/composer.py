"""The box for a question: its text, who answers and how freely, and Send or Stop. The model is always in sight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from hivemind.domain.ask import Autonomy, Persona
from hivemind_desktop.theme import px
from hivemind_desktop.widgets.buttons import Button, chip
from hivemind_desktop.widgets.drop_menu import DropMenu
from hivemind_desktop.widgets.focus_ring import FocusRing
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, column, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.words import fill


class QuestionBox(QPlainTextEdit):
    """Enter asks, Shift+Enter makes a new line, Esc stops."""

    entered = Signal()
    escaped = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and held == Qt.KeyboardModifier.NoModifier:
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


class Composer(QWidget):
    """Emits `asked` with the question, `stopped`, and `model_asked` when the person wants another model."""

    asked = Signal(str)
    stopped = Signal()
    model_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._personas: tuple[Persona, ...] = ()
        self.persona = ""
        self.autonomy = Autonomy.NORMAL
        self._running = self._usable = False
        self.text = QuestionBox()
        self.text.setAccessibleName(self.tr("Your question"))
        self.text.setPlaceholderText(self.tr("Ask about what is remembered"))
        self.text.setTabChangesFocus(True)
        self.text.setAcceptDrops(False)
        self.text.setFixedHeight(px(56))
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.viewport().setAutoFillBackground(False)
        FocusRing(self.text)
        self.text.entered.connect(self._press)
        self.text.escaped.connect(self._escape)
        self.text.textChanged.connect(self._follow)
        self.persona_chip = chip(self.tr("Persona"), "chevron-down", on_click=self._open_personas)
        self.autonomy_chip = chip(self.tr("Autonomy"), "chevron-down", on_click=self._open_levels)
        for each in (self.persona_chip, self.autonomy_chip):
            each.setCheckable(False)
        self.go = Button(self.tr("Ask"), "primary", "arrow-up", on_click=self._press)
        self.model = ElidedLabel("", "label")
        self.change = Button(self.tr("Change…"), "link", on_click=self.model_asked.emit)
        self.change.setAccessibleName(self.tr("Choose another model"))
        hint = label(self.tr("Enter asks · Shift+Enter new line · Esc stops"), "caption", "faint")
        tools = row(self.persona_chip, self.autonomy_chip, None, self.go, gap=6)
        card = box(column(self.text, tools, gap=4, margins=(12, 8, 10, 10)), "card")
        # The model's line gives way last: the hint is cut first.
        foot = row(Icon("cpu", "text_soft", 14), (self.model, 1), self.change, hint, gap=7, margins=(4, 0, 4, 0))
        self.setLayout(column(card, foot, gap=4))
        self._hint = hint
        self.set_level(Autonomy.NORMAL)
        self._follow()

    def show_personas(self, personas: Sequence[Persona]) -> None:
        self._personas = tuple(personas)
        if not any(one.id == self.persona for one in personas) and personas:
            self.set_persona(personas[0].id)

    def set_persona(self, name: str) -> None:
        self.persona = name
        found = next((one for one in self._personas if one.id == name), None)
        words = found.name if found else name
        self.persona_chip.set_words(fill(self.tr("As: %1"), words))
        self.persona_chip.setToolTip(found.tagline if found else "")

    def set_level(self, level: Autonomy) -> None:
        self.autonomy = level
        self.autonomy_chip.set_words(self._level_words(level)[0])
        self.autonomy_chip.setToolTip(self._level_words(level)[1])

    def show_model(self, words: str, usable: bool) -> None:
        """`words`: the model, its service and what it costs; in sight at every width."""
        self.model.set_full_text(words)
        self._usable = usable
        self._follow()

    def set_running(self, running: bool) -> None:
        """While a question is on its way, Stop stands in the place of Ask."""
        self._running = running
        self.go.set_words(self.tr("Stop") if running else self.tr("Ask"))
        self.go.set_icon("square" if running else "arrow-up")
        self._follow()

    def fit(self, width: int) -> None:
        """Give the model's line the room of the hint on a narrow page."""
        self._hint.setVisible(width >= px(700))

    def _follow(self) -> None:
        words = bool(self.text.toPlainText().strip())
        self.go.setEnabled(self._running or (self._usable and words))

    def _press(self) -> None:
        if self._running:
            if self.sender() is not self.text:
                self.stopped.emit()
        elif self.go.isEnabled():
            self.asked.emit(self.text.toPlainText())

    def _escape(self) -> None:
        if self._running:
            self.stopped.emit()

    def _open_personas(self) -> None:
        menu = DropMenu(self)
        for one in self._personas:
            menu.offer(f"{one.name}: {one.tagline}", partial(self.set_persona, one.id), one.id == self.persona)
        menu.open_below(self.persona_chip)

    def _open_levels(self) -> None:
        menu = DropMenu(self)
        for level in Autonomy:
            name, told = self._level_words(level)
            menu.offer(f"{name}: {told}", partial(self.set_level, level), level is self.autonomy)
        menu.open_below(self.autonomy_chip)

    def _level_words(self, level: Autonomy) -> tuple[str, str]:
        return {
            Autonomy.NORMAL: (self.tr("Asks first"), self.tr("every time it wants to write")),
            Autonomy.TRUSTED: (self.tr("May add"), self.tr("asks before it changes what is there")),
            Autonomy.FREE: (self.tr("May write"), self.tr("never asks; each change can be undone")),
        }[level]
