"""Settings as seen: measured facts in place of promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QFrame, QLabel, QWidget

from hivemind.domain.minds import DoctorReport, MindFacts
from hivemind.settings import Settings
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import memories, mind_name, number, sessions, size
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, line, row, scrolling
from hivemind_desktop.widgets.marks import Badge, Icon, MindMark
from hivemind_desktop.widgets.page import PageView
from hivemind_desktop.widgets.shell import PageHeader
from hivemind_desktop.widgets.states import StateStack
from hivemind_desktop.widgets.words import fill, one_line

WIDTH = 760


class SettingsPanel(PageView):
    """Emits `changed` with the name of a setting and its new value."""

    changed = Signal(str, object)
    folder_asked = Signal()
    verify_asked = Signal()

    def __init__(self, settings: Settings, data_dir: str) -> None:
        super().__init__()
        self._facts = column(gap=0)
        self._problems = column(gap=6)
        self._minds = column(gap=0)
        self._versions = label("", "label", "soft", wrap=True)
        self._verified = label("", "body", "soft", wrap=True)
        self._verified.hide()
        self.verify = Button(self.tr("Check this mind"), "", "shield-check", on_click=self.verify_asked.emit)
        content = QWidget()
        content.setMaximumWidth(WIDTH)
        content.setLayout(
            column(
                label(self.tr("Appearance"), "heading"),
                self._appearance(settings),
                14,
                label(self.tr("Search"), "heading"),
                self._problems,
                self._card(self._facts),
                14,
                label(self.tr("Data"), "heading"),
                self._data(data_dir),
                self._card(self._minds),
                row(self.verify, (self._verified, 1), None, gap=12),
                14,
                label(self.tr("About"), "heading"),
                self._about(),
                None,
                gap=8,
                margins=(24, 6, 24, 20),
            )
        )
        middle = QWidget()
        middle.setLayout(row((content, 1000), None, gap=0))
        self.stack = StateStack(scrolling(middle))
        self.setLayout(column(PageHeader(self.tr("Settings")), (self.stack, 1), gap=0))

    def show_report(self, report: DoctorReport) -> None:
        """What this installation stands on, measured."""
        clear_layout(self._problems)
        for problem in report.problems:
            words = fill(self.tr("%1. %2"), one_line(problem.title, 200), one_line(problem.hint, 400))
            sign = Icon("triangle-alert", "warn")
            self._problems.addWidget(
                box(row(sign, (label(words, wrap=True), 1), gap=10, margins=(12, 7, 14, 7)), "banner-warn")
            )
        model = report.embedder
        by_meaning = self.tr("on") if model.mode != "keyword-only" else self.tr("off: no model is installed")
        vectors = report.sqlite_vec or self.tr("not loaded")
        unreadable = bool(report.minds and report.minds[0].problem)
        by_words = self.tr("not while the mind cannot be opened") if unreadable else self.tr("on")
        self._fill(
            self._facts,
            (
                (self.tr("By words"), by_words),
                (self.tr("By meaning"), by_meaning),
                (self.tr("Model"), one_line(model.id, 80) or self.tr("none")),
                (self.tr("Vector library"), one_line(vectors, 80)),
            ),
        )
        clear_layout(self._minds)
        for number_, mind in enumerate(report.minds):
            if number_:
                self._minds.addWidget(line())
            self._minds.addWidget(_mind_row(self, mind))
        self._versions.setText(
            fill(self.tr("Hive-Mind %1 · SQLite %2"), one_line(report.version, 40), one_line(report.sqlite, 40))
        )

    def show_verified(self, words: str) -> None:
        self._verified.setText(words)
        self._verified.setVisible(bool(words))

    def follow(self, settings: Settings) -> None:
        """Show settings that were changed elsewhere."""
        self._themes[settings.theme if settings.theme in self._themes else "system"].setChecked(True)
        self._motion.setChecked(settings.reduced_motion)

    def _appearance(self, settings: Settings) -> QFrame:
        choices = {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        group = QButtonGroup(self)
        group.setExclusive(True)
        self._themes: dict[str, Button] = {}
        for key, words in choices.items():
            choice = Button(words, "chip", {"system": "circle", "light": "sun", "dark": "moon"}[key], checkable=True)
            choice.clicked.connect(self._choice(key))
            group.addButton(choice)
            self._themes[key] = choice
        self._motion = Button(self.tr("Reduce motion"), "chip", "pause", checkable=True)
        self._motion.clicked.connect(lambda: self.changed.emit("reduced_motion", self._motion.isChecked()))
        self.follow(settings)
        return self._card(
            column(row(*self._themes.values(), None, gap=6), row(self._motion, None), gap=10, margins=(14, 12, 14, 12))
        )

    def _choice(self, key: str) -> Callable[[], None]:
        return lambda: self.changed.emit("theme", key)

    def _data(self, data_dir: str) -> QFrame:
        place = ElidedLabel(data_dir, "mono", where=Qt.TextElideMode.ElideMiddle)
        opener = Button(self.tr("Open folder"), "", "folder-open", on_click=self.folder_asked.emit)
        said = label(
            self.tr(
                "Everything is in this folder, readable by you. Nothing is sent anywhere. What protects it from others "
                "who reach this computer is the disk encryption of your system."
            ),
            "label",
            "soft",
            wrap=True,
        )
        head = row(Icon("hard-drive"), (place, 1), opener, gap=10)
        return self._card(column(head, said, gap=8, margins=(14, 12, 14, 12)))

    def _about(self) -> QFrame:
        licences = label(
            self.tr("Apache-2.0. Fonts: Inter and JetBrains Mono (SIL OFL 1.1). Icons: Lucide (ISC)."),
            "label",
            "soft",
            wrap=True,
        )
        return self._card(column(self._versions, licences, gap=4, margins=(14, 12, 14, 12)))

    @staticmethod
    def _card(layout: QBoxLayout) -> QFrame:
        return box(layout, "card")

    @staticmethod
    def _fill(place: QBoxLayout, facts: Sequence[tuple[str, str]]) -> None:
        clear_layout(place)
        for number_, (name, value) in enumerate(facts):
            if number_:
                place.addWidget(line())
            place.addWidget(_fact_row(name, value))


def _fact_row(name: str, value: str) -> QFrame:
    shown: QLabel = label(name, "label", "soft")
    shown.setFixedWidth(150)
    return box(row(shown, (ElidedLabel(value, "label"), 1), gap=10, margins=(14, 8, 14, 8)))


def _mind_row(panel: SettingsPanel, mind: MindFacts) -> QFrame:
    name = mind_name(mind.workspace)
    if mind.problem:
        facts, badge = one_line(mind.problem, 200), Badge(panel.tr("Cannot be opened"), "triangle-alert", "danger")
    else:
        parts = (memories(mind.frames), sessions(mind.sessions), size(mind.size))
        facts, badge = " · ".join(parts), Badge(fill(panel.tr("schema %1"), number(mind.schema)), "", "neutral")
    words = box(column(ElidedLabel(name, "strong"), ElidedLabel(facts, "caption", "faint"), gap=0))
    return box(row(MindMark(name), (words, 1), badge, gap=10, margins=(14, 8, 14, 8)))
