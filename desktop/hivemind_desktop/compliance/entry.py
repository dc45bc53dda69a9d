"""One call of the log: what was asked and answered, and its figures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.calls import Interaction
from hivemind.engine.evidence_service import CallText
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import moment, number
from hivemind_desktop.widgets.labels import ElidedLabel, Prose, label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, line, row, scrolling
from hivemind_desktop.widgets.words import fill

from .parts import cost, kind_words


class EntryPanel(QWidget):
    """`moved` by -1 or 1 within the filter. `back` is for where the list is not beside it."""

    moved = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._uuid = ""
        self.title = ElidedLabel("", "heading")
        self.back = Button("", "quiet", "chevron-left", tip=self.tr("Back to the list"))
        self.previous = Button("", "quiet", "arrow-up", tip=self.tr("Previous in this filter"))
        self.next = Button("", "quiet", "arrow-down", tip=self.tr("Next in this filter"))
        self.previous.clicked.connect(lambda _checked=False: self.moved.emit(-1))
        self.next.clicked.connect(lambda _checked=False: self.moved.emit(1))
        self._texts = column(gap=5)
        self._facts = column(gap=4)
        inner = QWidget()
        inner.setLayout(column(self._texts, line(), self._facts, None, gap=9, margins=(18, 4, 18, 16)))
        head = row(self.back, (self.title, 1), self.previous, self.next, gap=4, margins=(18, 10, 12, 4))
        self.setLayout(column(box(head), (scrolling(inner), 1), gap=0))
        self.setAccessibleName(self.tr("The chosen call"))

    def show_call(self, one: Interaction, place: int, count: int) -> None:
        """Its figures at once; its texts follow."""
        if one.call_uuid != self._uuid:
            clear_layout(self._texts)
        self._uuid = one.call_uuid
        self.title.set_full_text(fill(self.tr("%1 of %2"), number(place + 1), number(count)))
        self.previous.setEnabled(place > 0)
        self.next.setEnabled(place < count - 1)
        clear_layout(self._facts)
        unknown = self.tr("unknown")
        tokens = [unknown if value is None else number(value) for value in (one.input_tokens, one.output_tokens)]
        for name, value in (
            (self.tr("Time"), moment(one.timestamp)),
            (self.tr("Kind"), kind_words(one.kind)),
            (self.tr("Ended"), self._ended(one)),
            (self.tr("Model"), one.model),
            (self.tr("Provider"), one.provider),
            (self.tr("Tokens"), fill(self.tr("%1 in, %2 out"), *tokens)),
            (self.tr("Cost"), cost(one.cost_usd)),
            (self.tr("Id"), one.call_uuid),
        ):
            caption = label(name, "caption", "faint")
            caption.setFixedWidth(74)
            self._facts.addWidget(box(row(caption, (ElidedLabel(value, "label"), 1), gap=6)))

    def show_texts(self, call_uuid: str, texts: Sequence[CallText]) -> None:
        """Of the call in sight; those of another one come too late and are dropped."""
        if call_uuid != self._uuid:
            return
        clear_layout(self._texts)
        names = {"input": self.tr("Asked"), "output": self.tr("Answered"), "error": self.tr("Error")}
        for text in texts:
            self._texts.addWidget(label(names.get(text.field, text.field), "caption", "faint"))
            if text.body is None:
                erased = fill(self.tr("Erased by entry %1"), number(text.erased_by_seq or 0))
                self._texts.addWidget(label(erased, "label", "soft", wrap=True))
            else:
                self._texts.addWidget(Prose(text.body))
        if not texts:
            self._texts.addWidget(label(self.tr("No text was kept with this call."), "label", "soft", wrap=True))

    def _ended(self, one: Interaction) -> str:
        return {
            "finished": self.tr("finished"),
            "failed": self.tr("failed"),
            "started": self.tr("no end: still running, or the program stopped"),
        }.get(one.state, one.state)
