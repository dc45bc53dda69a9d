"""What the tabs of Compliance are made of: result badges, facts, choices that tell, a tab that scrolls."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QLocale, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from hivemind.domain.checks import Status
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import Item, box, column, scrolling
from hivemind_desktop.widgets.marks import BadgeTone
from hivemind_desktop.widgets.menu_choice import MenuChoice
from hivemind_desktop.widgets.table import Cell

_LOOKS: Mapping[Status, tuple[str, BadgeTone]] = {
    Status.PASS: ("circle-check", "ok"),
    Status.ATTENTION: ("triangle-alert", "warn"),
    Status.FAIL: ("circle-x", "danger"),
    Status.NOT_ASSESSED: ("circle-dashed", "neutral"),
    Status.NOT_APPLICABLE: ("minus", "neutral"),
}


def status_words(status: Status) -> str:
    translate = QCoreApplication.translate
    return {
        Status.PASS: translate("Compliance", "Pass"),
        Status.ATTENTION: translate("Compliance", "Attention"),
        Status.FAIL: translate("Compliance", "Fail"),
        Status.NOT_ASSESSED: translate("Compliance", "Not assessed"),
        Status.NOT_APPLICABLE: translate("Compliance", "Not applicable"),
    }[status]


def status_cell(status: Status) -> Cell:
    icon, tone = _LOOKS[status]
    return Cell(status_words(status), icon, tone)


def kind_words(kind: str) -> str:
    """What sort of call it was."""
    if kind == "llm_call":
        return QCoreApplication.translate("Compliance", "model call")
    return kind.replace("_", " ")


def seconds(value: float | None) -> str:
    """A decision time; a dash when none was recorded."""
    if value is None:
        return "–"
    shown = QLocale().toString(value, "f", 1)
    return QCoreApplication.translate("Compliance", "%1 s").replace("%1", shown)


def cost(value: float | None) -> str:
    if value is None:
        return QCoreApplication.translate("Compliance", "unknown")
    return f"$ {QLocale().toString(value, 'f', 4)}"


def fact(name: str) -> tuple[QFrame, ElidedLabel]:
    """A value under its name, and the label that shows it."""
    shown = ElidedLabel("", "label")
    return box(column(ElidedLabel(name, "caption", "faint"), shown, gap=1)), shown


def page_of(*items: Item) -> QScrollArea:
    """A tab's content with the page's margins."""
    inner = QWidget()
    inner.setLayout(column(*items, None, gap=10, margins=(24, 14, 24, 18)))
    return scrolling(inner)


def told(title: str, text: str) -> QFrame:
    """A short explanation on a sunken ground."""
    words = column(label(title, "strong"), label(text, "label", "soft", wrap=True), None, gap=3)
    words.setContentsMargins(16, 10, 16, 12)
    return box(words, "well")


class PickOne(MenuChoice):
    """A choice that tells when a person has made it."""

    picked = Signal(str)

    def choose(self, key: str) -> None:
        changed = key != self.key
        super().choose(key)
        if changed:
            self.picked.emit(key)

    def show_choice(self, key: str) -> None:
        """Show what is in force; nobody is told."""
        blocked = self.blockSignals(True)
        self.choose(key)
        self.blockSignals(blocked)
