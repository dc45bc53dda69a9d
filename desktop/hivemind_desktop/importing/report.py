"""The report of an import: a sum that adds up, what was left out and why, and the way back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QWidget

from hivemind.domain.harvest import ImportReport, KeptFrame, RunState, UndoReport
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import conversations, duration, memories, mind_name, moment, number, sessions
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, line, row
from hivemind_desktop.widgets.marks import Badge, Icon, Monogram
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.words import fill, one_line

from .lines import ReportLine
from .model import Line, adds_up, report_lines, report_title, source_name, state_badge, sum_parts

#: Memories listed at most that an undo left in place.
MOST_KEPT = 200


class ReportView(QWidget):
    """One report. `items_asked`: a line and an offset; `review_asked`: a list; `session_asked`: a conversation."""

    undo_asked = Signal()
    search_asked = Signal()
    csv_asked = Signal()
    erase_asked = Signal()
    items_asked = Signal(object, int)
    review_asked = Signal(str)
    session_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._body = column(gap=8)
        self.setLayout(self._body)

    def show_report(self, report: ImportReport, workspace: str) -> None:
        clear_layout(self._body)
        self._body.addWidget(self._head(report, workspace))
        if report.error:
            self._body.addWidget(Banner("danger", one_line(report.error, 600)))
        self._body.addWidget(label(self.tr("Conversations"), "caption", "faint"))
        self._body.addWidget(sum_strip(report))
        parts: list[QWidget] = []
        for each in report_lines(report):
            parts += [line(), self._line(each)]
        self._body.addWidget(box(column(*parts[1:], gap=0), "card"))

    def _line(self, shown: Line) -> ReportLine:
        made = ReportLine(shown)
        made.items_asked.connect(lambda offset: self.items_asked.emit(made, offset))
        made.review_asked.connect(self.review_asked)
        made.session_asked.connect(self.session_asked)
        return made

    def _head(self, report: ImportReport, workspace: str) -> QWidget:
        _, icon, tone = state_badge(report.state)
        ink = tone if tone not in ("neutral", "honey") else "text_soft"
        facts = (
            one_line(report.name, 120),
            fill(self.tr("import %1"), report.run_id),
            duration(report.seconds),
            fill(self.tr("into %1"), mind_name(workspace)),
        )
        words = box(
            column(label(report_title(report), "heading"), ElidedLabel(" · ".join(facts), "label", "faint"), gap=0)
        )
        buttons: list[QWidget] = [Button(self.tr("Save as CSV"), "quiet", "download", on_click=self.csv_asked.emit)]
        buttons.append(
            Button("", "quiet", "eraser", tip=self.tr("Erase all of it for good…"), on_click=self.erase_asked.emit)
        )
        if report.state is not RunState.UNDONE and (report.new or report.updated):
            buttons.append(Button(self.tr("Undo import…"), "", "undo-2", on_click=self.undo_asked.emit))
            buttons.append(Button(self.tr("Search"), "primary", "search", on_click=self.search_asked.emit))
        return box(row(Icon(icon, ink, 20), (words, 1), *buttons, gap=10))


def sum_strip(report: ImportReport) -> QFrame:
    """found = new + updated + already there + skipped + failed: shown as the sum it is."""
    parts: list[QWidget] = []
    signs = ("", "=", "+", "+", "+", "+")
    for sign, (name, value) in zip(signs, sum_parts(report), strict=True):
        if sign:
            parts.append(label(sign, "title", "faint"))
        shown = QWidget()
        shown.setLayout(column(label(number(value), "title", digits=True), label(name, "caption", "faint"), gap=0))
        parts.append(shown)
    good = adds_up(report)
    translate = QCoreApplication.translate
    words = translate("ReportView", "Adds up") if good else translate("ReportView", "Does not add up")
    verdict = label(words, "label", "ok" if good else "danger")
    mark = Icon("circle-check" if good else "circle-x", "ok" if good else "danger")
    return box(row(*parts, None, verdict, mark, gap=12, margins=(18, 12, 18, 12)), "well")


class UndoneView(QFrame):
    """What an undo took away, and what it left with the reason. Emits `memory_asked` with a frame's id."""

    memory_asked = Signal(int)

    def __init__(self, undone: UndoReport) -> None:
        super().__init__()
        self.setProperty("look", "card")
        gone = fill(
            self.tr("%1 removed, %2 removed"), memories(undone.frames_removed), sessions(undone.sessions_removed)
        )
        kept = self.tr("Nothing was kept: everything this import brought is gone.")
        if undone.kept:
            kept = fill(self.tr("%1 stayed, because somebody has worked with them:"), memories(len(undone.kept)))
        rows = [self._kept_row(each) for each in undone.kept[:MOST_KEPT]]
        head = row(Icon("undo-2", "text_soft", 18), (label(gone, "strong", wrap=True), 1), gap=10)
        self.setLayout(column(head, label(kept, "body", "soft", wrap=True), *rows, gap=6, margins=(16, 12, 16, 12)))

    def _kept_row(self, kept: KeptFrame) -> QFrame:
        open_it = Button(self.tr("Open"), "link", on_click=lambda: self.memory_asked.emit(kept.frame_id))
        open_it.setAccessibleName(fill(self.tr("Open memory %1"), kept.frame_id))
        words = fill(self.tr("Memory %1: %2"), kept.frame_id, one_line(kept.reason, 160))
        return box(row((ElidedLabel(words, "label"), 1), open_it, gap=8))


class EarlierImports(QWidget):
    """A row per run. Emits `report_asked` with the run's id."""

    report_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._runs: tuple[ImportReport, ...] = ()
        self._place = column(gap=0)
        self._title = label(self.tr("Earlier imports"), "heading")
        self.setLayout(column(self._title, self._place, gap=8))

    def show_runs(self, runs: Sequence[ImportReport]) -> None:
        self.setVisible(bool(runs))
        if tuple(runs) == self._runs:
            return
        self._runs = tuple(runs)
        clear_layout(self._place)
        parts: list[QWidget] = []
        for each in self._runs:
            parts += [line(), self._row(each)]
        if parts:
            self._place.addWidget(box(column(*parts[1:], gap=0), "card"))

    def _row(self, run: ImportReport) -> QFrame:
        facts = f"{one_line(run.name, 80)} · {conversations(run.found)}"
        word, icon, tone = state_badge(run.state)
        report = Button(self.tr("Report"), "link", on_click=lambda: self.report_asked.emit(run.run_id))
        report.setAccessibleName(fill(self.tr("Report of import %1"), run.run_id))
        parts = (
            Monogram(source_name(run), 26),
            label(source_name(run), "label"),
            (ElidedLabel(facts, "label", "faint"), 1),
            label(moment(run.started_at), "label", "faint", digits=True),
            Badge(word, icon, tone),
            report,
        )
        return box(row(*parts, gap=12, margins=(14, 7, 10, 7)))
