"""Privacy: everything that left this computer, from the ledger, and what stays here in any case."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal

from hivemind.domain.upkeep import Destination
from hivemind_desktop.theme import px
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import moment, number, size
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.table import Cell, Column, Row, Table
from hivemind_desktop.widgets.words import fill, one_line

from .parts import Section, SectionController

#: Height of a row and of the header with its hairlines, px at 100 %.
ROW, HEAD = 36, 44


class PrivacySection(Section):
    """The ledger is shown even when it is empty: it lists what could send, too."""

    read_again = Signal()

    def __init__(self) -> None:
        again = Button(QCoreApplication.translate("PrivacySection", "Read again"), "", "rotate-cw")
        super().__init__(QCoreApplication.translate("PrivacySection", "Privacy"), again)
        again.clicked.connect(lambda _checked=False: self.read_again.emit())
        self.settings["ledger"] = again
        self.today = label("", "display", digits=True)
        self.month = label("", "label", "soft", wrap=True)
        sums = column(label(self.tr("Sent today"), "caption", "faint"), self.today, self.month, gap=2)
        told = column(
            label(
                self.tr("Your memories and searches stay on this computer until you let a service use them."), "label",
                wrap=True,
            ),
            label(
                self.tr("A line is written before anything is sent. What is not listed was not sent by Hive-Mind."),
                "caption", "faint", wrap=True,
            ),
            None,
            gap=4,
        )  # fmt: skip
        head = row((box(sums), 2), line(vertical=True), (box(told), 4), gap=18, margins=(18, 14, 18, 12))
        self.table = Table(
            self.tr("Everything that was sent in 30 days"),
            (
                Column(self.tr("Goes to")),
                Column(self.tr("For"), 150, needs=420),
                Column(self.tr("Calls"), 64, right=True, faint=True, needs=560),
                Column(self.tr("Last"), 140, faint=True, needs=500),
                Column(self.tr("Today"), 74, right=True, faint=True, needs=640),
                Column(self.tr("30 days"), 108, right=True),
            ),
        )
        note = self.tr("What an AI app does with what it has read here is outside this ledger.")
        self.fill(box(head, "card"), 6, self.heading(self.tr("Where something went"), self.tr("in the last 30 days")))
        self.fill(box(column(self.table, margins=(1, 4, 1, 5)), "card"), 2)
        self.fill(row(Icon("info", "text_faint", 14), (label(note, "caption", "faint", wrap=True), 1), gap=7))

    def show_destinations(self, found: list[Destination]) -> None:
        month = sum(each.bytes_month for each in found)
        self.today.setText(size(sum(each.bytes_today for each in found)))
        calls = sum(each.calls for each in found)
        self.month.setText(fill(self.tr("%1 in 30 days, %2 calls"), size(month), number(calls)))
        rows: list[Row] = [
            (
                Cell(one_line(each.host, 100), "arrow-up-right"), one_line(each.feature, 60), number(each.calls),
                moment(each.last_at), size(each.bytes_today), size(each.bytes_month),
            )
            for each in found
        ]  # fmt: skip
        never = Cell(self.tr("never"), "", "neutral")
        rows += [
            (Cell(self.tr("Crash reports"), "circle-dashed"), self.tr("finding faults"), "0", never, size(0), size(0)),
            (Cell(self.tr("Update check"), "circle-dashed"), self.tr("not built in"), "0", never, size(0), size(0)),
        ]
        self.table.set_rows(rows)
        self.table.setFixedHeight(px(ROW) * len(rows) + px(HEAD))


class PrivacyController(SectionController):
    """Reads the ledger anew each time the section is opened."""

    def __init__(self, view: PrivacySection, desk: Desk) -> None:
        super().__init__(view, desk)
        self.privacy = view
        view.read_again.connect(lambda: self.tasks.start("load", self.load()))

    async def load(self) -> None:
        found = await self.desk.client.call(lambda engine: engine.privacy.destinations())
        self.privacy.show_destinations(found)


def open_section(desk: Desk) -> SectionController:
    return PrivacyController(PrivacySection(), desk)
