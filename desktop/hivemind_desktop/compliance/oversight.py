"""Oversight: what people decided, and how fast. Policies and time-outs never count as people."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from hivemind.domain.audit_report import Oversight
from hivemind_desktop.theme import px
from hivemind_desktop.widgets.figures import moment, number, percent
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import box, column, row
from hivemind_desktop.widgets.table import Column, Table
from hivemind_desktop.widgets.words import fill, one_line

from .parts import page_of, seconds

ROW, HEAD = 36, 40


class OversightTab(QWidget):
    """Figures of the period, then decisions by kind, by person, and the latest ones."""

    def __init__(self) -> None:
        super().__init__()
        names = (
            self.tr("decisions by people"), self.tr("approved unchanged"), self.tr("median decision time"),
            self.tr("in under 2 s"), self.tr("expired unanswered"),
        )  # fmt: skip
        self.figures = [label("–", "display", digits=True) for _ in names]
        cards = [
            box(column(value, label(name, "caption", "faint", wrap=True), gap=0))
            for value, name in zip(self.figures, names, strict=True)
        ]
        head = row(*((each, 1) for each in cards), gap=10, margins=(16, 12, 16, 12))
        self.apart = label("", "label", "soft", wrap=True)
        self.kinds = Table(
            self.tr("Decisions by kind"),
            (
                Column(self.tr("Decision")),
                Column(self.tr("Count"), 90, right=True),
                Column(self.tr("Share"), 110, right=True),
                Column(self.tr("Median"), 110, right=True, faint=True, needs=420),
                Column(self.tr("Under 2 s"), 110, right=True, faint=True, needs=520),
            ),
        )
        self.people = Table(
            self.tr("Decisions by person"),
            (
                Column(self.tr("Person")),
                Column(self.tr("Decisions"), 110, right=True),
                Column(self.tr("Median"), 120, right=True),
            ),
        )
        self.latest = Table(
            self.tr("The latest decisions"),
            (
                Column(self.tr("Time"), 170, faint=True),
                Column(self.tr("About")),
                Column(self.tr("Decision"), 120),
                Column(self.tr("Took"), 100, right=True, faint=True, needs=460),
            ),
        )
        self.extract = label("", "heading")
        tables = [box(column(each, margins=(1, 4, 1, 4)), "card") for each in (self.kinds, self.people, self.latest)]
        self._cards = tables
        page = page_of(box(head, "card"), self.apart, tables[0], tables[1], self.extract, tables[2])
        self.setLayout(column(page, gap=0))

    def show_oversight(self, seen: Oversight) -> None:
        values = (
            number(seen.total), "–" if seen.approval_rate is None else percent(seen.approval_rate),
            seconds(seen.median), number(seen.fast), number(seen.timed_out),
        )  # fmt: skip
        for shown, value in zip(self.figures, values, strict=True):
            shown.setText(value)
        self.apart.setText(
            fill(
                self.tr("Counted apart: %1 expired, %2 settled by a policy, %3 stated by other programs or at a "
                        "terminal. A time was recorded for %4 of %5 decisions."),
                *map(number, (seen.timed_out, seen.by_policy, seen.elsewhere, seen.timed, seen.total)),
            )
        )  # fmt: skip
        words = {
            "approved": self.tr("Approved"), "modified": self.tr("Modified"), "denied": self.tr("Denied"),
            "stopped": self.tr("Stopped"),
        }  # fmt: skip
        self.kinds.set_rows(
            [
                (
                    words.get(one.kind, one.kind), number(one.count),
                    "–" if one.share is None else percent(one.share), seconds(one.median), number(one.fast),
                )
                for one in seen.kinds
            ]
        )  # fmt: skip
        self.people.set_rows([(one_line(one.id, 80), number(one.count), seconds(one.median)) for one in seen.people])
        self.latest.set_rows(
            [
                (moment(one.time), one_line(one.subject, 120), words.get(one.kind, one.kind), seconds(one.seconds))
                for one in seen.latest
            ]
        )
        self.extract.setText(
            fill(self.tr("The latest %1 of %2, an extract"), number(len(seen.latest)), number(seen.total))
            if seen.latest
            else self.tr("No person decided anything in this period")
        )
        counts = (4, len(seen.people), len(seen.latest))
        for table, card, rows in zip((self.kinds, self.people, self.latest), self._cards, counts, strict=True):
            table.setFixedHeight(px(ROW) * min(rows, 12) + px(HEAD))
            card.setVisible(bool(rows))
