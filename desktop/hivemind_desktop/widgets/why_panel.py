"""Why a memory was found: rank by words, rank by meaning, what weighed in afterwards, the final score."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLayout, QWidget

from hivemind_desktop.theme import px, theme

from .buttons import Button
from .labels import ElidedLabel, label
from .layouts import box, column, line, row, scrolling
from .marks import Badge, Bar, Icon
from .words import fill

WIDTH = (236, 264)


@dataclass(frozen=True, slots=True)
class Lane:
    """One way of searching. rank: such as `3rd`; '' when this lane did not find it, then facts say why."""

    icon: str
    name: str
    rank: str
    facts: str
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class Weight:
    """One thing that weighed in: value 0 to 1 for the bar, its number as text, the reason in words."""

    name: str
    value: float
    number: str
    reason: str


@dataclass(frozen=True, slots=True)
class Match:
    """A word of the question and the stored one that answers it best. where: '' for the memory's own words."""

    asked: str
    found: str
    similarity: str
    where: str


@dataclass(frozen=True, slots=True)
class Part:
    """One addend of the score, with its sign."""

    name: str
    number: str


@dataclass(frozen=True, slots=True)
class Reasons:
    """Everything the panel shows, ready to read. `as_text` is what Copy puts on the clipboard.

    late: the score of late interaction, '' where it took no part. sentence: why it was not found, '' for a hit.
    """

    score: str
    place: str
    lanes: tuple[Lane, ...]
    weights: tuple[Weight, ...]
    recipe: str
    as_text: str
    matched: str = ""
    late: str = ""
    late_note: str = ""
    matches: tuple[Match, ...] = ()
    cues: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    sentence: str = ""


class ReasonsView(QWidget):
    """The reasons of one hit, to copy. Fills a pane or, on narrow windows, a sheet. `asked`: the offered question."""

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._as_text = ""
        self._middle = column(gap=0)
        self._recipe = ElidedLabel("", "caption", "faint")
        self._copy = Button("", "quiet", "copy", tip=self.tr("Copy explanation"), on_click=self._copy_text)
        foot = row((self._recipe, 1), self._copy, gap=4, margins=(18, 4, 12, 8))
        self.setLayout(column(self._middle, line(), foot, gap=0))
        self.clear(self.tr("Choose a found memory to see the reasons."))

    def clear(self, sentence: str, ask: str = "") -> None:
        """No reasons to show: say why, such as that the list was not searched. ask: a question to offer instead."""
        words = QWidget()
        offer: list[QWidget] = [Button(ask, "link", on_click=self.asked.emit)] if ask else []
        told = label(sentence, "body", "soft", wrap=True)
        words.setLayout(column(told, *(row(each, None) for each in offer), None, margins=(18, 4, 12, 8)))
        self._put(words, "", "")

    def set_reasons(self, reasons: Reasons) -> None:
        caption = self.tr("final score") if not reasons.sentence else self.tr("score, if weighed")
        score = row(
            label(reasons.score, "display", digits=True),
            column(None, label(reasons.place, "strong"), label(caption, "caption", "faint"), None, gap=0),
            None,
            gap=10,
        )
        content = QWidget()
        parts: list[QWidget | QLayout | int] = [score, 4]
        if reasons.sentence:
            parts.append(label(reasons.sentence, "body", "soft", wrap=True))
        parts += [_lane_well(each) for each in reasons.lanes]
        parts += self._matches(reasons)
        if reasons.weights:
            parts += [6, label(self.tr("Then weighed by"), "caption", "faint")]
            parts += [_weight_row(each) for each in reasons.weights]
        if reasons.cues:
            parts += [6, label(self.tr("What else spoke for it"), "caption", "faint")]
            parts += [label(each, "label", "soft", wrap=True) for each in reasons.cues]
        if reasons.parts:
            parts += [6, label(self.tr("Adds up to the score"), "caption", "faint")]
            parts += [_figure_row(each.name, each.number) for each in reasons.parts]
            parts += [line(), _figure_row(self.tr("Score"), reasons.score)]
        content.setLayout(column(*parts, None, gap=6, margins=(18, 4, 12, 8)))
        self._put(content, reasons.recipe, reasons.as_text)

    def _matches(self, reasons: Reasons) -> list[QWidget | QLayout | int]:
        """Late interaction: its score, and word by word what answered what."""
        if not reasons.late:
            return []
        made: list[QWidget | QLayout | int] = [6, _figure_row(self.tr("Word by word"), reasons.late)]
        made.append(label(reasons.late_note, "caption", "faint", wrap=True))
        for each in reasons.matches:
            words = fill(self.tr("%1 → %2"), each.asked, each.found)
            made.append(_figure_row(words, each.similarity, each.where))
        return made

    def _put(self, content: QWidget, recipe: str, as_text: str) -> None:
        while (item := self._middle.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        self._middle.addWidget(scrolling(content), 1)
        self._recipe.set_full_text(recipe)
        self._as_text = as_text
        self._copy.setEnabled(bool(as_text))

    def _copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self._as_text)


class WhyPanel(QWidget):
    """The pane beside the detail; emits `closed` when the person folds it away."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._follow_text_size()
        theme().changed.connect(self._follow_text_size)
        self.setAccessibleName(self.tr("Why this was found"))
        self.reasons = ReasonsView()
        close = Button("", "quiet", "x", tip=self.tr("Close (W)"), on_click=self.closed.emit)
        head = row((ElidedLabel(self.tr("Why this was found"), "heading"), 1), close, gap=4, margins=(18, 12, 12, 4))
        self.setLayout(column(head, (self.reasons, 1), gap=0))

    def _follow_text_size(self) -> None:
        self.setMinimumWidth(px(WIDTH[0]))
        self.setMaximumWidth(px(WIDTH[1]))


def _lane_well(lane: Lane) -> QFrame:
    words = box(column(ElidedLabel(lane.name, "label"), ElidedLabel(lane.facts, "caption", "faint"), gap=0))
    parts: list[QWidget | tuple[QWidget, int]] = [Icon(lane.icon, "text_faint", 15), (words, 1)]
    if lane.rank:
        parts.append(Badge(lane.rank, "", "honey" if lane.is_best else "neutral"))
    return box(row(*parts, gap=9, margins=(10, 7, 10, 7)), "well")


def _weight_row(weight: Weight) -> QWidget:
    number = label(weight.number, "label", "soft", digits=True)
    widget = QWidget()
    head = row((ElidedLabel(weight.name, "label"), 1), number, gap=6)
    bar = Bar(weight.name, weight.value, height=4)
    widget.setLayout(column(head, bar, ElidedLabel(weight.reason, "caption", "faint"), gap=3))
    return widget


def _figure_row(name: str, number: str, note: str = "") -> QWidget:
    """A name and its figure on one line; a note below in small letters."""
    widget = QWidget()
    head = row((ElidedLabel(name, "label"), 1), label(number, "label", "soft", digits=True), gap=6)
    below = (ElidedLabel(note, "caption", "faint"),) if note else ()
    widget.setLayout(column(head, *below, gap=0))
    widget.setAccessibleName(f"{name}: {number} {note}".strip())
    return widget
