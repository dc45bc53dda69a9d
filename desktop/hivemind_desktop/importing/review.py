"""What imports held back or masked, to look through: reveal, release, keep, or say that it is no secret."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QFrame, QWidget

from hivemind.domain.review import Revealed, ReviewCounts, ReviewEntry, ReviewKind, ReviewPage
from hivemind_desktop.widgets.buttons import Button, chip
from hivemind_desktop.widgets.figures import day, number, speaker_name
from hivemind_desktop.widgets.labels import ElidedLabel, Prose, label
from hivemind_desktop.widgets.layouts import Item, box, clear_layout, column, row, widgets_of
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.words import fill, one_line


class ReviewCard(QFrame):
    """One memory to decide about. `wanted`: open, reveal, release, keep or unmask."""

    wanted = Signal(str)
    focused = Signal()

    def __init__(self, entry: ReviewEntry) -> None:
        super().__init__()
        self.entry = entry
        self.setProperty("look", "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        held = entry.kind is ReviewKind.QUARANTINED
        reasons = one_line(", ".join(entry.reasons), 200)
        self.setAccessibleName(". ".join((reasons, one_line(entry.text, 200))))
        name = speaker_name(entry.speaker, entry.speaker)
        facts = " · ".join(filter(None, (name, one_line(entry.session_title, 80), day(entry.event_at))))
        self.text = Prose(entry.text)
        self.text.setAccessibleName(self.tr("Memory"))
        self._revealed = label("", "caption", "warn", wrap=True)
        self._revealed.hide()
        icon, ink = ("shield-alert", "warn") if held else ("key-round", "warn")
        head = row(Icon(icon, ink), (ElidedLabel(reasons, "strong"), 1), gap=8)
        self.setLayout(
            column(
                head, ElidedLabel(facts, "caption", "faint"), self.text, self._revealed, self._buttons(held),
                gap=5, margins=(16, 12, 14, 10),
            )
        )  # fmt: skip

    def _buttons(self, held: bool) -> QWidget:
        parts: list[Item] = [self._button(self.tr("Open the memory"), "open", "link"), None]
        if held:
            parts += [
                self._button(self.tr("Release"), "release"),
                self._button(self.tr("Keep held back"), "keep", "primary"),
            ]
        else:
            self.reveal = self._button(self.tr("Reveal"), "reveal", "quiet", "eye")
            self.reveal.setEnabled(self.entry.original)
            if not self.entry.original:
                self.reveal.setToolTip(self.tr("The words behind the mark were never kept."))
            unmask = self._button(self.tr("Not a secret"), "unmask")
            unmask.setEnabled(self.entry.original)
            parts += [self.reveal, unmask, self._button(self.tr("Keep masked"), "keep", "primary")]
        return box(row(*parts, gap=8))

    def _button(self, words: str, what: str, look: str = "", icon: str = "") -> Button:
        return Button(words, look, icon, on_click=lambda: self.wanted.emit(what))  # type: ignore[arg-type]

    def show_revealed(self, revealed: Revealed) -> None:
        """The words behind the marks, for these eyes only; they go when the card goes."""
        self.text.set_text(revealed.text)
        kinds = ", ".join(dict.fromkeys(one_line(each.label, 60) for each in revealed.secrets))
        self._revealed.setText(fill(self.tr("Shown in the clear, only here: %1"), kinds))
        self._revealed.show()
        self.reveal.setEnabled(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()


class ReviewView(QFrame):
    """`wanted`: what is to be done with a card's memory; `kind_chosen`: the other list; `more_asked`: the next page."""

    wanted = Signal(str, object)
    kind_chosen = Signal(object)
    more_asked = Signal(int)
    closed = Signal()
    current_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kind = ReviewKind.QUARANTINED
        self.current: ReviewCard | None = None
        self.held = chip(self.tr("Held back"), on_click=lambda: self.kind_chosen.emit(ReviewKind.QUARANTINED))
        self.masked = chip(self.tr("Masked"), on_click=lambda: self.kind_chosen.emit(ReviewKind.MASKED))
        close = Button(self.tr("Close the list"), "quiet", "x", on_click=self.closed.emit)
        head = row(label(self.tr("To review"), "heading"), 8, self.held, self.masked, None, close, gap=6)
        self._about = label("", "label", "soft", wrap=True)
        self._place = column(gap=8)
        self._none = label(self.tr("Nothing is left to decide here."), "body", "soft")
        self._more = Button(self.tr("Show more"), "link")
        self._cursor = 0
        self._more.clicked.connect(lambda _checked=False: self.more_asked.emit(self._cursor))
        self.setLayout(column(head, self._about, self._place, self._none, row(self._more, None), gap=8))
        self.hide()

    def cards(self) -> list[ReviewCard]:
        return [each for each in widgets_of(self._place) if isinstance(each, ReviewCard)]

    def show_counts(self, counts: ReviewCounts) -> None:
        self.held.set_words(fill(self.tr("Held back: %1"), number(counts.quarantined)))
        self.masked.set_words(fill(self.tr("Masked: %1"), number(counts.masked)))

    def show_page(self, kind: ReviewKind, page: ReviewPage, *, first: bool) -> None:
        self.kind = kind
        self.held.setChecked(kind is ReviewKind.QUARANTINED)
        self.masked.setChecked(kind is ReviewKind.MASKED)
        held = self.tr("These read like orders to an AI. No AI gets them until you release them.")
        masked = self.tr("A key or password in these was replaced by a mark. The words stay in the archive here.")
        self._about.setText(held if kind is ReviewKind.QUARANTINED else masked)
        if first:
            clear_layout(self._place)
            self.current = None
        for entry in page.entries:
            self._place.addWidget(self._card(entry))
        self._cursor = page.cursor or 0
        self._more.setVisible(page.cursor is not None)
        self._settle()

    def drop(self, card: ReviewCard) -> None:
        """It was decided about: the next one is at hand."""
        at = self.cards().index(card) if card in self.cards() else 0
        had_focus = card.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        self._place.removeWidget(card)
        card.hide()
        card.deleteLater()
        self.current = None
        self._settle(at)
        if had_focus and self.current is not None:
            self.current.setFocus(Qt.FocusReason.OtherFocusReason)

    def _settle(self, at: int = 0) -> None:
        cards = self.cards()
        self._none.setVisible(not cards)
        if self.current is None and cards:
            self.current = cards[min(at, len(cards) - 1)]

    def _card(self, entry: ReviewEntry) -> ReviewCard:
        card = ReviewCard(entry)
        card.wanted.connect(lambda what: self.wanted.emit(what, card))
        card.focused.connect(lambda: self._take(card))
        return card

    def _take(self, card: ReviewCard) -> None:
        self.current = card
        self.current_changed.emit()
