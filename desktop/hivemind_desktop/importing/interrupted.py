"""Imports that were cut off: each can go on, stay as it is, or be taken out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.harvest import InterruptedRun
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import conversations
from hivemind_desktop.widgets.layouts import clear_layout, column
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.words import fill, one_line

from .model import source_name


class InterruptedImports(QWidget):
    """A banner for each. The signals carry the InterruptedRun."""

    resume_asked = Signal(object)
    leave_asked = Signal(object)
    remove_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._place = column(gap=6)
        self.setLayout(self._place)
        self.hide()

    def count(self) -> int:
        return self._place.count()

    def show_runs(self, runs: Sequence[InterruptedRun]) -> None:
        clear_layout(self._place)
        self.setVisible(bool(runs))
        for run in runs:
            self._place.addWidget(self._banner(run))

    def _banner(self, run: InterruptedRun) -> Banner:
        report = run.report
        words = self.tr("%1 (%2) was interrupted. %3 are in and can be searched.")
        text = fill(words, source_name(report), one_line(report.name, 80), conversations(report.new + report.updated))
        if not run.there:
            gone = self.tr("Its file is not where it was: put it back to go on, or import it again.")
            text = f"{text} {gone}"
        again = Button(self.tr("Resume"), "link", on_click=lambda: self.resume_asked.emit(run))
        again.setEnabled(run.there)
        leave = Button(self.tr("Keep what is in"), "link", on_click=lambda: self.leave_asked.emit(run))
        remove = Button(self.tr("Remove…"), "link", on_click=lambda: self.remove_asked.emit(run))
        return Banner("warn", text, again, leave, remove)
