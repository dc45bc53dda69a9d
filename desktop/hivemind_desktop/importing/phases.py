"""The phases of a running import: what is done, what runs with its share, what waits."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QWidget

from hivemind.events import Progress
from hivemind_desktop.widgets.figures import conversations, memories, percent, size
from hivemind_desktop.widgets.labels import ElidedLabel, label, set_tone
from hivemind_desktop.widgets.layouts import column, row
from hivemind_desktop.widgets.marks import Bar, Icon
from hivemind_desktop.widgets.words import fill

#: Phases in the order they happen. The last three go hand in hand: a conversation is in when all three are done.
PHASES = ("look", "read", "save", "index")
_MARK = {
    "done": ("circle-check", "ok"),
    "running": ("loader-circle", "honey_text"),
    "waiting": ("circle-dashed", "text_faint"),
}


def phase_name(phase: str) -> str:
    translate = QCoreApplication.translate
    return {
        "look": translate("PhaseList", "Look inside"),
        "read": translate("PhaseList", "Read conversations"),
        "save": translate("PhaseList", "Save"),
        "index": translate("PhaseList", "Index words"),
    }[phase]


class PhaseRow(QWidget):
    """Sign, name, share, facts."""

    def __init__(self, phase: str) -> None:
        super().__init__()
        self._state = "waiting"
        self._icon = Icon(*_MARK["waiting"])
        self._name = label(phase_name(phase), "body", "faint")
        self._name.setFixedWidth(190)
        self._bar = Bar(phase_name(phase), 0.0, height=5)
        self._bar.setMaximumWidth(180)
        self._share = label("", "label", "soft", digits=True)
        self._share.setFixedWidth(64)
        self._share.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._facts = ElidedLabel("", "label", "faint")
        self.setLayout(
            row(self._icon, self._name, (self._bar, 2), self._share, 6, (self._facts, 3), gap=10, margins=(0, 4, 0, 4))
        )
        self._bar.hide()
        self._share.hide()

    def show_state(self, state: str, share: float | None, facts: str) -> None:
        if state != self._state:  # dressing a label anew is dear, and this runs ten times a second
            self._state = state
            self._icon.set_icon(*_MARK[state])
            set_tone(self._name, "faint" if state == "waiting" else "")
        if (share is not None) != self._bar.isVisibleTo(self):
            self._bar.setVisible(share is not None)
            self._share.setVisible(share is not None)
        if share is not None:
            self._bar.set_share(share)
            self._share.setText(percent(share))
        self._facts.set_full_text(facts)


class PhaseList(QWidget):
    """All phases of an import."""

    def __init__(self) -> None:
        super().__init__()
        self._rows = {phase: PhaseRow(phase) for phase in PHASES}
        self.setLayout(column(*self._rows.values(), gap=0))

    def show_progress(self, progress: Progress) -> None:
        """total 0: the reader has not said yet how much there is."""
        if not progress.total:
            self._rows["look"].show_state("running", None, "")
            return
        self._rows["look"].show_state("done", None, size(progress.total))
        share = progress.done / progress.total
        self._rows["read"].show_state("running", share, conversations(progress.items))
        self._rows["save"].show_state("running", None, fill(self.tr("%1 written"), memories(progress.frames)))
        words = fill(self.tr("search works for %1"), conversations(progress.items))
        self._rows["index"].show_state("running", None, words)
