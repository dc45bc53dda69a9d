"""What of an export comes in: which mind, which dates, which titles not, what tools said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLayout, QLineEdit

from hivemind.domain.minds import MindFacts
from hivemind.domain.surveys import ImportOptions
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.drop_menu import DropMenu
from hivemind_desktop.widgets.figures import conversations, mind_name, number
from hivemind_desktop.widgets.labels import ElidedLabel, label, set_tone
from hivemind_desktop.widgets.layouts import column, row
from hivemind_desktop.widgets.switch import Switch
from hivemind_desktop.widgets.words import fill

_NAME_WIDTH = 130


class DayLine(QLineEdit):
    """A day as `2025-05-14`; empty means no border."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(self.tr("year-month-day"))
        self.setMaxLength(10)
        self.setFixedWidth(132)
        self.setAcceptDrops(False)

    def day(self) -> str | None:
        return self.text().strip() or None


class OptionsForm(QFrame):
    """`mind_chosen`: another mind is the target. `titles_asked`: the list of conversations is to be shown."""

    mind_chosen = Signal(str)
    titles_asked = Signal()

    def __init__(self, workspace: str) -> None:
        super().__init__()
        self.workspace = workspace
        self.left_out: set[str] = set()
        self._minds: tuple[str, ...] = (workspace,)
        self.mind = Button(mind_name(workspace), "", "chevron-down", trailing=True, on_click=self._open_minds)
        self.since, self.until = DayLine(self.tr("From this day on")), DayLine(self.tr("Up to this day"))
        self.words = QLineEdit()
        self.words.setAccessibleName(self.tr("Leave out titles with these words"))
        self.words.setPlaceholderText(self.tr("words, separated by commas"))
        self.words.setAcceptDrops(False)
        self._titles = ElidedLabel("", "label", "soft")
        choose = Button(self.tr("Choose titles…"), "", on_click=self.titles_asked.emit)
        self.tools = Switch(self.tr("Make memories of what tools said"))
        self._trouble = label("", "label", "danger", wrap=True)
        self._trouble.hide()
        dates = row(self.since, label(self.tr("to"), "label", "faint"), self.until, None, gap=8)
        tool_words = ElidedLabel(self.tr("It is in the archive either way"), "label", "soft")
        self.setLayout(
            column(
                self._line(self.tr("Into"), row(self.mind, None)),
                self._line(self.tr("Dates"), dates),
                self._line(self.tr("Leave out"), row((self.words, 1), choose, gap=8)),
                self._line("", row((self._titles, 1))),
                self._line(self.tr("What tools said"), row(self.tools, self.tools.word, (tool_words, 1), gap=10)),
                self._trouble,
                gap=6,
            )
        )
        self.show_left_out()

    @staticmethod
    def _line(name: str, content: QLayout) -> QLayout:
        words = label(name, "label", "soft")
        words.setFixedWidth(_NAME_WIDTH)
        line = row(words, gap=8)
        line.addLayout(content, 1)
        return line

    def show_minds(self, minds: Sequence[MindFacts]) -> None:
        self._minds = tuple(each.workspace for each in minds if not each.problem) or (self.workspace,)

    def show_left_out(self) -> None:
        count = len(self.left_out)
        none = self.tr("Every conversation comes in. What is in already is not doubled.")
        self._titles.set_full_text(fill(self.tr("%1 left out by you"), conversations(count)) if count else none)

    def options(self) -> ImportOptions:
        words = tuple(filter(None, (each.strip() for each in self.words.text().split(","))))
        left_out = tuple(sorted(self.left_out))
        return ImportOptions(self.since.day(), self.until.day(), left_out, words, self.tools.isChecked())

    def show_trouble(self, words: str) -> None:
        """What is wrong with the dates; '' for nothing."""
        self._trouble.setText(words)
        self._trouble.setVisible(bool(words))
        set_tone(self._trouble, "danger")

    def summary(self) -> str:
        """The options in force in a few words, for while they are folded."""
        options = self.options()
        parts = [fill(self.tr("into %1"), mind_name(self.workspace))]
        if options.since or options.until:
            parts.append(self.tr("some dates"))
        count = len(options.leave_out) + len(options.leave_out_titles)
        parts.append(fill(self.tr("%1 left out"), number(count)) if count else self.tr("nothing left out"))
        return " · ".join(parts)

    def _open_minds(self) -> None:
        menu = DropMenu(self)
        for each in self._minds:
            menu.offer(mind_name(each), partial(self.choose_mind, each), each == self.workspace)
        menu.open_below(self.mind)

    def choose_mind(self, workspace: str) -> None:
        if workspace != self.workspace:
            self.workspace = workspace
            self.mind.set_words(mind_name(workspace))
            self.mind_chosen.emit(workspace)
