"""How to get an export: a card per vendor, and a sheet with every step. Nothing opens a browser by itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.floating import Sheet
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import Item, box, column, line, row, scrolling
from hivemind_desktop.widgets.marks import Badge, Monogram
from hivemind_desktop.widgets.words import fill

from .model import GUIDES, Guide


def _words(text: str) -> str:
    return QCoreApplication.translate("HomePanel", text)


def copy_link(guide: Guide) -> Button:
    """Copies where to begin; the person decides which browser opens it."""
    translate = QCoreApplication.translate
    button = Button(translate("HomePanel", "Copy link"), "link", "copy", tip=guide.page)

    def copy() -> None:
        QGuiApplication.clipboard().setText(guide.page)
        button.set_words(translate("HomePanel", "Copied"))

    button.clicked.connect(lambda _checked=False: copy())
    button.setAccessibleName(fill(translate("HomePanel", "Copy the link to %1’s export"), guide.vendor))
    return button


def guide_card(guide: Guide, on_steps: Callable[[], object]) -> QFrame:
    """One vendor: how long it takes, where to press, the link, every step."""
    words = box(column(ElidedLabel(guide.vendor, "strong"), ElidedLabel(_words(guide.wait), "caption", "faint"), gap=0))
    steps = Button(QCoreApplication.translate("HomePanel", "All steps"), "link", on_click=on_steps)
    steps.setAccessibleName(fill(QCoreApplication.translate("HomePanel", "All steps for %1"), guide.vendor))
    brief = label(_words(guide.brief), "label", "soft", wrap=True)
    foot = row(copy_link(guide), None, steps, gap=8)
    head = row(Monogram(guide.vendor), (words, 1), gap=10)
    card = box(column(head, brief, None, foot, gap=8, margins=(14, 12, 14, 10)), "card")
    card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    return card


class GuideSheet(Sheet):
    """Every step for every vendor, and what else can be dropped."""

    def __init__(self, parent: QWidget) -> None:
        parts: list[Item] = []
        for guide in GUIDES:
            parts += [self._guide(guide), line()]
        parts.append(label(self.tr("Anything else"), "heading"))
        parts.append(
            label(
                self.tr(
                    "Folders of Markdown notes, plain text, and JSON or tables in which it is clear who says what can"
                    " be dropped too. You see what was found before anything is saved."
                ),
                "body",
                "soft",
                wrap=True,
            )
        )
        content = QWidget()
        content.setLayout(column(*parts, None, gap=12, margins=(20, 14, 20, 18)))
        super().__init__(self.tr("How to get your export"), scrolling(content), parent)

    @staticmethod
    def _guide(guide: Guide) -> QWidget:
        name = box(column(label(guide.vendor, "heading"), label(_words(guide.wait), "caption", "faint"), gap=0))
        head: list[Item] = [Monogram(guide.vendor), (name, 1)]
        if not guide.source:
            head.append(Badge(QCoreApplication.translate("HomePanel", "Not readable yet"), "hourglass", "warn"))
        head.append(copy_link(guide))
        steps: list[Item] = []
        for number, step in enumerate(guide.steps, 1):
            count = label(f"{number}.", "body", "faint", digits=True)
            count.setFixedWidth(22)
            steps.append(row(count, (label(_words(step), wrap=True), 1), gap=4))
        note: list[Item] = [label(_words(guide.note), "label", "soft", wrap=True)] if guide.note else []
        place = label(guide.page, "mono", "faint", wrap=True)
        return box(column(row(*head, gap=10), *steps, place, *note, gap=6))
