"""One question on the page: what is asked, what goes along, the answer as it is written, and what becomes of it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from hivemind.domain.ask import (
    AnswerEnd,
    AnswerWaiting,
    AnswerWithheld,
    ApprovalWanted,
    CorrectionSeen,
    PreparedQuestion,
    ToolUsed,
)
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import duration, memories, number
from hivemind_desktop.widgets.labels import ElidedLabel, label, set_tone
from hivemind_desktop.widgets.layouts import clear_layout, column, row
from hivemind_desktop.widgets.marks import Badge, Icon
from hivemind_desktop.widgets.safe_browser import SafeBrowser
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.words import fill, one_line

from .answers import cost_words, number_of
from .tiles import RecallStrip

#: Words that arrive are shown together this often, ms.
FLUSH_MS = 60


class TurnView(QWidget):
    """Emits what a person asks for; the controller tells it what happens."""

    send_asked = Signal()
    dropped = Signal()
    decided = Signal(str, bool)
    cited = Signal(int)
    dismissed = Signal(object)
    rewrite_asked = Signal()
    discard_asked = Signal()
    retry_asked = Signal()
    model_asked = Signal()
    keep_asked = Signal(bool)
    copy_asked = Signal()

    def __init__(self, prepared: PreparedQuestion) -> None:
        super().__init__()
        self.prepared = prepared
        self.end: AnswerEnd | None = None
        self._waiting = ""
        self._began = 0.0
        self.strip = RecallStrip(prepared)
        self.strip.changed.connect(self._follow)
        self.send = Button(self.tr("Send"), "primary", "arrow-up", on_click=self.send_asked.emit)
        self.drop = Button(self.tr("Do not ask"), "quiet", on_click=self.dropped.emit)
        self._before = QWidget()
        told = label(self.tr("Nothing has been sent yet."), "caption", "faint")
        self._before.setLayout(row((told, 1), self.drop, self.send, gap=8))
        question = label(one_line(prepared.question, 2_000), "heading", wrap=True)
        asked = row(Icon("user", "text_soft", 14, "sunken"), (question, 1), gap=9)
        self.setLayout(column(asked, self.strip, self._before, self._answer_part(), gap=9))
        self._flush = QTimer(self)
        self._flush.setSingleShot(True)
        self._flush.setInterval(FLUSH_MS)
        self._flush.timeout.connect(self._show_waiting_text)
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._tick)
        self._follow()

    def _answer_part(self) -> QWidget:
        prepared = self.prepared
        place = self.tr("AI · %1, on this computer") if prepared.local else self.tr("AI · %1")
        self.author = ElidedLabel(one_line(prepared.model, 80), "strong")
        self.place = ElidedLabel(fill(place, prepared.provider_label), "caption", "faint")
        self.state = label("", "caption", "honey", digits=True)
        head = row(Icon("bot", "text_soft", 14, "sunken"), self.author, (self.place, 1), self.state, gap=9)
        self.steps: QVBoxLayout = column(gap=5)
        self.body = SafeBrowser()
        self.body.setAccessibleName(self.tr("The answer, written by an AI"))
        self.body.asked.connect(self._press_place)
        self.after: QVBoxLayout = column(gap=6)
        self.mark = Badge(self.tr("Written by an AI"), "bot", "info")
        self.facts = ElidedLabel("", "caption", "faint")
        self.copy = Button(self.tr("Copy"), "quiet", "copy", on_click=self.copy_asked.emit)
        self.draft = Button(
            self.tr("Save as draft page"), "quiet", "book-open-text", on_click=lambda: self.keep_asked.emit(True)
        )
        self.keep = Button(self.tr("Save as memory"), "", "plus", on_click=lambda: self.keep_asked.emit(False))
        self._foot = QWidget()
        facts = row(self.mark, (self.facts, 1), gap=8)
        self._foot.setLayout(column(facts, row(None, self.copy, self.draft, self.keep, gap=6), gap=6))
        self._foot.hide()
        self.answer = QWidget()
        self.answer.setLayout(column(head, self.steps, self.body, self.after, self._foot, gap=7))
        self.answer.hide()
        return self.answer

    # what happens

    def begin(self) -> None:
        """It is on its way: what was shown is the record of what was sent."""
        self._before.hide()
        self.strip.set_sent()
        self.answer.show()
        self._began = time.monotonic()
        self._clock.start()
        self._tick()

    def add_text(self, text: str) -> None:
        """A piece of the answer; pieces are shown together."""
        self._waiting += text
        if not self._flush.isActive():
            self._flush.start()

    def add_step(self, used: ToolUsed) -> None:
        sign, ink = ("check", "ok") if used.done else ("ban", "text_faint")
        self.steps.addLayout(row(Icon(sign, ink, 14), (ElidedLabel(used.summary, "caption", "faint"), 1), gap=7))

    def ask_approval(self, wanted: ApprovalWanted) -> Banner:
        """The model wants to write; the focus is on the answer that changes nothing."""
        allow = Button(self.tr("Allow once"))
        deny = Button(self.tr("Do not allow"), "primary")
        words = fill(self.tr("The AI wants to write: %1"), one_line(wanted.words, 300))
        banner = Banner("honey", words, allow, deny)
        for button, allowed in ((allow, True), (deny, False)):
            button.clicked.connect(lambda _c=False, allowed=allowed: self._decide(banner, wanted.id, allowed))
        self.steps.addWidget(banner)
        deny.setFocus()
        return banner

    def show_correction(self, seen: CorrectionSeen) -> Banner:
        dismiss = Button(self.tr("It was none"), "link")
        banner = Banner("info", fill(self.tr("Noted as a correction: %1"), one_line(seen.detail, 160)), dismiss)
        dismiss.clicked.connect(banner.hide)
        dismiss.clicked.connect(lambda _c=False: self.dismissed.emit(seen))
        self.steps.addWidget(banner)
        return banner

    def show_waiting(self, waiting: AnswerWaiting) -> None:
        self.state.setText(fill(self.tr("%1. Tries again in %2"), waiting.reason, duration(waiting.seconds)))

    def show_withheld(self, withheld: AnswerWithheld) -> None:
        """The answer is taken back until its end is recorded."""
        self._stop_clock("")
        self._clear_text()
        clear_layout(self.after)
        again = Button(self.tr("Write again"), "primary", on_click=self.rewrite_asked.emit)
        discard = Button(self.tr("Discard the answer"), on_click=self.discard_asked.emit)
        words = self.tr("The answer is there, and is not shown: the log could not record it. %1")
        self.after.addWidget(Banner("danger", fill(words, withheld.hint), discard, again))

    def show_failure(self, title: str, hint: str) -> None:
        """It did not work; what was shown of the answer goes, because it is not complete."""
        self._stop_clock(self.tr("No answer"))
        self._clear_text()
        clear_layout(self.after)
        again = Button(self.tr("Try again"), "", "rotate-cw", on_click=self.retry_asked.emit)
        other = Button(self.tr("Choose another model"), "link", on_click=self.model_asked.emit)
        self.after.addWidget(Banner("danger", f"{title}. {hint}", other, again))

    def show_stopped(self) -> None:
        self._stop_clock(self.tr("Stopped"))
        self._clear_text()
        clear_layout(self.after)
        words = self.tr("Stopped. What had arrived is not kept; the log says that the question was asked.")
        self.after.addWidget(
            Banner("info", words, Button(self.tr("Try again"), "", "rotate-cw", on_click=self.retry_asked.emit))
        )

    def show_discarded(self) -> None:
        clear_layout(self.after)
        self.after.addWidget(label(self.tr("The answer was discarded."), "label", "faint"))

    def show_end(self, end: AnswerEnd, pieces: Sequence[str]) -> None:
        """The whole answer, what it cost, and what can be done with it. `pieces`: its text as HTML, with links."""
        self.end = end
        self._stop_clock("")
        clear_layout(self.after)
        if end.nothing:
            self._show_nothing()
            return
        self._waiting = ""
        self.body.show_html(pieces[0])
        for piece in pieces[1:]:
            self.body.add_html(piece)
        self.body.show()
        self._clear_banners()
        self.author.set_full_text(one_line(end.model, 80))
        self.facts.set_full_text(self._facts(end))
        if end.uncited:
            words = fill(self.tr("%1 in the answer names no memory that was sent."), _numbers(end.uncited))
            self.after.addWidget(Banner("warn", words))
        self._foot.show()

    def _show_nothing(self) -> None:
        self.body.hide()
        self.place.set_full_text(self.tr("no model was asked"))
        words = self.tr("I have nothing on that. This persona answers only from memories, and none was found.")
        self.after.addWidget(label(words, "body", wrap=True))

    def _facts(self, end: AnswerEnd) -> str:
        known = end.input_tokens is not None and end.output_tokens is not None
        tokens = fill(self.tr("%1 tokens in · %2 out"), number(end.input_tokens or 0), number(end.output_tokens or 0))
        cited = fill(self.tr("rests on %1"), memories(len(end.citations)))
        parts = (tokens if known else self.tr("tokens unknown"), cost_words(end.cost_usd, self.prepared.local),
                 duration(end.seconds), cited)  # fmt: skip
        return " · ".join(parts)

    # parts

    def _follow(self) -> None:
        kept = len(self.strip.chosen())
        self.send.set_words(fill(self.tr("Send with %1"), memories(kept)) if kept else self.tr("Send without memories"))

    def _decide(self, banner: Banner, approval: str, allowed: bool) -> None:
        banner.hide()
        self.decided.emit(approval, allowed)

    def _press_place(self, place: str) -> None:
        found = number_of(place)
        if found is not None:
            self.cited.emit(found)

    def _show_waiting_text(self) -> None:
        cursor = QTextCursor(self.body.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(self._waiting)
        self._waiting = ""

    def _clear_text(self) -> None:
        self._waiting = ""
        self.body.clear()
        self.body.hide()
        self._clear_banners()

    def _clear_banners(self) -> None:
        """Approvals that wait have no answer any more."""
        for at in range(self.steps.count()):
            item = self.steps.itemAt(at)
            widget = item.widget() if item is not None else None
            if isinstance(widget, Banner) and widget.property("look") == "banner-honey":
                widget.hide()

    def _tick(self) -> None:
        spent = duration(time.monotonic() - self._began)
        self.state.setText(fill(self.tr("Writing · %1"), spent))

    def _stop_clock(self, words: str) -> None:
        self._clock.stop()
        self._flush.stop()
        self.state.setText(words)
        set_tone(self.state, "faint")


def _numbers(values: tuple[int, ...]) -> str:
    return ", ".join(f"[{one}]" for one in values[:8])
