"""Maintenance: what this installation stands on and what is wrong with it, checking a mind, building its index anew."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from hivemind.domain.minds import DoctorReport, MindFacts
from hivemind.events import Area
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import memories, mind_name, number, sessions, size
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, line, row
from hivemind_desktop.widgets.marks import Badge, MindMark
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.words import fill, one_line

from .parts import Section, SectionController, group, setting

#: Findings named of a mind that does not add up.
MOST_FINDINGS = 5


class UpkeepSection(Section):
    """Emits what is asked for; results stand below the buttons until the next one."""

    verify_asked = Signal()
    reindex_asked = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("Maintenance"))
        self.problems: QVBoxLayout = column(gap=6)
        self.minds: QVBoxLayout = column(gap=0)
        self.verify = Button(self.tr("Check this mind"), "", "shield-check", on_click=self.verify_asked.emit)
        self.reindex = Button(self.tr("Rebuild the index…"), "", "rotate-cw", on_click=self.reindex_asked.emit)
        self.settings |= {"verify": self.verify, "reindex": self.reindex}
        self.result = label("", "label", "soft", wrap=True)
        self.result.setContentsMargins(16, 2, 14, 2)
        self.result.hide()
        check = setting(
            self.tr("Check this mind"),
            self.tr("Reads every memory, the word index, the vectors and the interaction log. Changes nothing."),
            self.verify,
        )
        again = setting(
            self.tr("Rebuild the word index"),
            self.tr("When a word that is there is not found. Search works meanwhile; memories are not changed."),
            self.reindex,
        )
        self.fill(self.problems, self.heading(self.tr("Minds on this computer")), box(self.minds, "card"), 6)
        self.fill(self.heading(self.tr("Check and mend")), group(check, again), self.result)

    def show_report(self, report: DoctorReport) -> None:
        clear_layout(self.problems)
        for problem in report.problems:
            words = fill(self.tr("%1. %2"), one_line(problem.title, 200), one_line(problem.hint, 400))
            self.problems.addWidget(Banner("warn", words))
        clear_layout(self.minds)
        for at, mind in enumerate(report.minds):
            if at:
                self.minds.addWidget(line())
            self.minds.addWidget(self._mind(mind))

    def say(self, words: str) -> None:
        """What was found, '' to say nothing."""
        self.result.setText(words)
        self.result.setVisible(bool(words))

    def set_busy(self, busy: bool) -> None:
        self.verify.setEnabled(not busy)
        self.reindex.setEnabled(not busy)

    def _mind(self, mind: MindFacts) -> QFrame:
        name = mind_name(mind.workspace)
        if mind.problem:
            facts, badge = one_line(mind.problem, 200), Badge(self.tr("Cannot be opened"), "triangle-alert", "danger")
        else:
            parts = (memories(mind.frames), sessions(mind.sessions), size(mind.size))
            facts, badge = " · ".join(parts), Badge(fill(self.tr("file format %1"), number(mind.schema)), "", "neutral")
        words = box(column(ElidedLabel(name, "strong"), ElidedLabel(facts, "caption", "faint"), gap=0))
        return box(row(MindMark(name), (words, 1), badge, gap=10, margins=(14, 8, 14, 8)))


class UpkeepController(SectionController):
    """Asks the doctor when the section is shown; checks and rebuilds on request."""

    areas = frozenset({Area.WORKSPACES, Area.FRAMES})

    def __init__(self, view: UpkeepSection, desk: Desk) -> None:
        super().__init__(view, desk)
        self.upkeep = view
        view.verify_asked.connect(lambda: self.tasks.start("work", self._verify()))
        view.reindex_asked.connect(lambda: self.tasks.start("work", self._reindex()))

    async def load(self) -> None:
        report = await self.desk.client.call(lambda engine: engine.workspaces.doctor())
        self.upkeep.show_report(report)

    def perform(self, action_id: str) -> None:
        {"mind.verify": self.upkeep.verify_asked, "mind.reindex": self.upkeep.reindex_asked}[action_id].emit()

    async def _verify(self) -> None:
        workspace = self.desk.workspace
        self.upkeep.set_busy(True)
        self.upkeep.say(self.tr("Reading every memory and the interaction log"))
        try:
            findings = await self.desk.client.call(lambda engine: engine.safety.verify(workspace))
        except BaseException:
            self.upkeep.say("")
            raise
        finally:
            self.upkeep.set_busy(False)
        if not findings:
            self.upkeep.say(self.tr("No damage found."))
            return
        words = fill(
            self.tr("%1 things do not add up. Make a copy of the file before you go on."), number(len(findings))
        )
        self.upkeep.say("\n".join([words, *(one_line(each, 200) for each in findings[:MOST_FINDINGS])]))

    async def _reindex(self) -> None:
        workspace = self.desk.workspace
        self.upkeep.set_busy(True)
        self.upkeep.say(self.tr("Comparing the index with the memories"))
        try:
            plan = await self.desk.client.call(lambda engine: engine.safety.plan_reindex(workspace))
            text = fill(
                self.tr("%1 are read, %2 of them are not indexed as they are written. Search works meanwhile."),
                memories(plan.frames), number(plan.changed),
            )  # fmt: skip
            self.upkeep.say("")
            if not await self.desk.notices.confirm(self.tr("Rebuild the word index?"), text, self.tr("Rebuild")):
                return
            self.upkeep.say(self.tr("Rebuilding the word index"))
            done = await self.desk.client.call(lambda engine: engine.safety.reindex(workspace))
            self.upkeep.say(
                fill(self.tr("Done: %1 indexed, %2 put right."), memories(done.frames), number(done.changed))
            )
        except BaseException:
            self.upkeep.say("")
            raise
        finally:
            self.upkeep.set_busy(False)


def open_section(desk: Desk) -> SectionController:
    return UpkeepController(UpkeepSection(), desk)
