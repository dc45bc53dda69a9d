"""Status: the log recomputed, and the result of every check with what it stands on."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.calls import LogCheck, Verdict
from hivemind.domain.checks import CheckResult
from hivemind.domain.report_order import Overview
from hivemind_desktop.theme import px
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import day, number
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.table import Column, Table
from hivemind_desktop.widgets.words import fill

from .parts import fact, page_of, status_cell, told

ROW, HEAD = 36, 40
_MOST_FINDINGS = 6


class StatusTab(QWidget):
    """`check_again` when the log should be recomputed."""

    check_again = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sign = Icon("fingerprint", "text_soft", 24)
        self.headline = ElidedLabel("", "heading")
        self.facts = ElidedLabel("", "label", "faint")
        self.again = Button(self.tr("Check again"), "", "rotate-cw", on_click=self.check_again.emit)
        self.found = label("", "label", "soft", wrap=True)
        shown = [
            fact(self.tr("Entries")), fact(self.tr("Signature")), fact(self.tr("Anchors compared")),
            fact(self.tr("Erased texts")),
        ]  # fmt: skip
        self.entries, self.signed, self.anchors, self.erased = (value for _, value in shown)
        words = box(column(self.headline, self.facts, gap=1))
        head = row(self.sign, (words, 1), self.again, gap=12)
        body = column(head, self.found, line(), row(*((each, 1) for each, _ in shown), gap=12), gap=9)
        body.setContentsMargins(16, 12, 14, 12)
        self.law = ElidedLabel("", "label", "faint")
        self.table = Table(
            self.tr("Results of the checks"),
            (
                Column(self.tr("Article"), 118),
                Column(self.tr("Result"), 142),
                Column(self.tr("Check")),
                Column(self.tr("Applies from"), 128, faint=True, needs=560),
            ),
        )
        self.table.selectionModel().currentRowChanged.connect(lambda now, _before: self._show_detail(now.row()))
        self.detail = label("", "label", wrap=True)
        self.evidence = label("", "label", "soft", wrap=True)
        self.findings = label("", "label", "soft", wrap=True)
        below = column(self.detail, self.evidence, self.findings, gap=5)
        below.setContentsMargins(24, 8, 24, 10)
        results = box(column(self.table, line(), box(below), gap=0, margins=(1, 4, 1, 4)), "card")
        shows = told(
            self.tr("What this shows"),
            self.tr("Results of named technical checks on records of this app: what was asked, who answered, "
                    "what a person decided. Later changes to the log become visible."),
        )  # fmt: skip
        hides = told(
            self.tr("What this does not show"),
            self.tr("It is no legal assessment. It says nothing about work outside this app, and whoever controls "
                    "this computer and its key could replace the whole log."),
        )  # fmt: skip
        heading = row(label(self.tr("EU AI Act"), "heading"), (self.law, 1), gap=10)
        page = page_of(box(body, "card"), heading, results, row((shows, 1), (hides, 1), gap=12))
        self.setLayout(column(page, gap=0))
        self._checks: tuple[CheckResult, ...] = ()

    def show_checking(self) -> None:
        self.again.setEnabled(False)
        self.again.set_words(self.tr("Checking"))

    def show_ready(self) -> None:
        self.again.setEnabled(True)
        self.again.set_words(self.tr("Check again"))

    def show_overview(self, seen: Overview) -> None:
        self._show_log(seen.log, seen)
        law = seen.standing.law
        words = fill(self.tr("law basis as of %1 · %2"), day(f"{law.as_of}T12:00:00.000Z"), seen.standing.overall)
        self.law.set_full_text(f"{words} · {self.tr('older than 180 days')}" if law.old else words)
        self._checks = seen.standing.checks
        before = max(0, self.table.currentIndex().row())
        self.table.set_rows(
            [
                (
                    fill(self.tr("Art. %1"), one.article), status_cell(one.status), one.title,
                    day(f"{one.applies_from}T12:00:00.000Z"),
                )
                for one in self._checks
            ]
        )  # fmt: skip
        self.table.setFixedHeight(px(ROW) * len(self._checks) + px(HEAD))
        self.table.selectRow(min(before, len(self._checks) - 1))
        self._show_detail(min(before, len(self._checks) - 1))

    def _show_log(self, log: LogCheck, seen: Overview) -> None:
        words, sign, ink = {
            Verdict.INTACT: (self.tr("No break found in the log"), "fingerprint", "ok"),
            Verdict.GAPS: (self.tr("No break found, with gaps that are named"), "triangle-alert", "warn"),
            Verdict.TAMPERED: (self.tr("The log does not add up"), "octagon-alert", "danger"),
        }[log.verdict]
        self.sign.set_icon(sign, ink)
        self.headline.set_full_text(words)
        began = fill(self.tr("first entry %1"), day(seen.first_entry)) if seen.first_entry else ""
        head = fill(self.tr("head %1"), log.head[:16]) if log.head else ""
        self.facts.set_full_text(" · ".join(filter(None, (head, began))))
        told_of = [str(one) for one in (*log.findings, *log.gaps)]
        more = len(told_of) - _MOST_FINDINGS
        lines = told_of[:_MOST_FINDINGS] + ([fill(self.tr("and %1 more"), number(more))] if more > 0 else [])
        self.found.setText("\n".join(lines))
        self.found.setVisible(bool(lines))
        self.entries.set_full_text(number(log.entries))
        self.signed.set_full_text(fill(self.tr("key %1"), log.signer[:8]) if log.signer else self.tr("not signed"))
        self.anchors.set_full_text(number(log.anchors))
        self.erased.set_full_text(number(log.erased))

    def _show_detail(self, place: int) -> None:
        if not 0 <= place < len(self._checks):
            return
        one = self._checks[place]
        self.detail.setText(f"{one.duty_of}. {one.detail}")
        unknown = self.tr("not known")
        values = [f"{each.label}: {unknown if each.value is None else number(each.value)}" for each in one.evidence]
        self.evidence.setText(" · ".join(values))
        self.evidence.setVisible(bool(values))
        self.findings.setText("\n".join(f"{each.condition} {each.step}" for each in one.findings))
        self.findings.setVisible(bool(one.findings))
