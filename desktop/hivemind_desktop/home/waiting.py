"""Cards of a Home that holds something: what waits for a decision, what arrived, the import at work, the sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.harvest import ImportReport
from hivemind.events import Progress
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import conversations, day, memories, number, percent, vendor
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import Item, box, clear_layout, column, line, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.shell import Banner, JobRow
from hivemind_desktop.widgets.words import fill, one_line

from .model import AtAGlance


@dataclass(frozen=True, slots=True)
class CardRow:
    """One row of a card: icon, what, facts, and the button that leads there."""

    icon: str
    ink: str
    what: str
    facts: str
    button: str
    target: str


class RowsCard(QWidget):
    """A heading over rows; emits the `target` of a row that was pressed. Hidden while it has none."""

    asked = Signal(str)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._rows: tuple[CardRow, ...] = ()
        self._place = column(gap=0)
        self.setLayout(column(label(title, "heading"), self._place, 8, gap=6))
        self.hide()

    def rows(self) -> tuple[CardRow, ...]:
        return self._rows

    def show_rows(self, rows: Sequence[CardRow]) -> None:
        self.setVisible(bool(rows))
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        clear_layout(self._place)
        parts: list[Item] = []
        for each in self._rows:
            parts += [line(), self._row(each)]
        if parts:
            self._place.addWidget(box(column(*parts[1:], gap=0), "card"))

    def _row(self, each: CardRow) -> QWidget:
        opener = Button(each.button, "link", on_click=lambda: self.asked.emit(each.target))
        opener.setAccessibleName(fill(self.tr("%1: %2"), each.button, each.what))
        words = box(column(ElidedLabel(each.what, "label"), ElidedLabel(each.facts, "caption", "faint"), gap=0))
        return box(row(Icon(each.icon, each.ink), (words, 1), opener, gap=12, margins=(14, 7, 10, 7)))


class HomeCards(QWidget):
    """`asked`: a target of a row; `sample_unwanted`: the sample is to be removed."""

    asked = Signal(str)
    sample_unwanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        remove = Button(self.tr("Remove the sample"), "link", on_click=self.sample_unwanted.emit)
        self.sample = Banner(
            "honey", self.tr("The sample is among your memories, to try things with."), remove, icon_name="file-text"
        )
        self.sample.hide()
        follow = Button(self.tr("Follow"), "link", on_click=lambda: self.asked.emit("import"))
        self._job = JobRow("import", self.tr("An import is running"), follow)
        self.job = box(column(self._job, margins=(14, 10, 14, 12)), "card")
        self.job.hide()
        self.waiting = RowsCard(self.tr("Waiting for you"))
        self.arrived = RowsCard(self.tr("What arrived"))
        self.quiet = label(self.tr("Nothing waits for you."), "label", "faint")
        for card in (self.waiting, self.arrived):
            card.asked.connect(self.asked)
        self.setLayout(column(self.sample, self.job, self.quiet, self.waiting, self.arrived, gap=8))

    def show_glance(self, glance: AtAGlance) -> None:
        self.sample.setVisible(glance.sample_run is not None)
        rows = self._waiting_rows(glance)
        self.waiting.show_rows(rows)
        self.quiet.setVisible(not rows)
        self.arrived.show_rows([self._arrived_row(run) for run in glance.arrived])

    def show_progress(self, progress: Progress) -> None:
        """An import at work, or its end."""
        self.job.setVisible(not progress.finished)
        share = progress.done / progress.total if progress.total else None
        words = (percent(share) if share is not None else "", conversations(progress.items), memories(progress.frames))
        self._job.set_progress(share, " · ".join(filter(None, words)))

    def _waiting_rows(self, glance: AtAGlance) -> list[CardRow]:
        rows = []
        review = glance.review
        if glance.interrupted:
            what = fill(self.tr("Imports that were interrupted: %1"), number(glance.interrupted))
            facts = self.tr("What is in can be searched. Go on with it, or take it out.")
            rows.append(CardRow("triangle-alert", "warn", what, facts, self.tr("Look"), "import"))
        if review.quarantined:
            what = fill(self.tr("%1 held back"), memories(review.quarantined))
            facts = self.tr("They read like orders to an AI. No AI gets them until you release them.")
            rows.append(CardRow("shield-alert", "warn", what, facts, self.tr("Review"), "review quarantined"))
        if review.masked:
            what = fill(self.tr("%1 with a masked key or password"), memories(review.masked))
            facts = self.tr("The words behind the marks are only in the archive on this computer.")
            rows.append(CardRow("key-round", "warn", what, facts, self.tr("Review"), "review masked"))
        return rows

    def _arrived_row(self, run: ImportReport) -> CardRow:
        what = fill(self.tr("%1 from %2"), conversations(run.new + run.updated), vendor(run.source) or run.name)
        facts = " · ".join((one_line(run.name, 80), day(run.started_at)))
        return CardRow("import", "text_faint", what, facts, self.tr("Report"), f"report {run.run_id}")
