"""Storage: bytes on disk by kind, measured when it is asked for."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal

from hivemind.domain.upkeep import StorageFacts
from hivemind.events import Area
from hivemind_desktop.theme import px
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import mind_name, percent, size
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, line, row
from hivemind_desktop.widgets.marks import Bar
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP
from hivemind_desktop.widgets.words import fill

from .parts import Section, SectionController, fact

#: Names of the kinds that the engine tells.
KINDS = {
    "memories": QT_TRANSLATE_NOOP("Storage", "Memories"),
    "word index": QT_TRANSLATE_NOOP("Storage", "Index of words"),
    "vectors": QT_TRANSLATE_NOOP("Storage", "Vectors, for search by meaning"),
    "conversations": QT_TRANSLATE_NOOP("Storage", "Conversations as they were said"),
    "interaction log": QT_TRANSLATE_NOOP("Storage", "Interaction log"),
    "everything else": QT_TRANSLATE_NOOP("Storage", "Everything else"),
    "journal": QT_TRANSLATE_NOOP("Storage", "Journal of the last writes"),
    "free": QT_TRANSLATE_NOOP("Storage", "Free pages, used again"),
}


def kind_name(kind: str) -> str:
    return QCoreApplication.translate("Storage", KINDS[kind]) if kind in KINDS else kind


class StorageSection(Section):
    """`show_facts` gives a bar per kind and the sums beside it."""

    measure_asked = Signal()

    def __init__(self) -> None:
        again = Button(QCoreApplication.translate("StorageSection", "Measure again"), "", "rotate-cw")
        super().__init__(QCoreApplication.translate("StorageSection", "Storage"), again)
        again.clicked.connect(lambda _checked=False: self.measure_asked.emit())
        self.settings["storage"] = again
        all_, self.all = fact(self.tr("In the data folder"))
        backups, self.backups = fact(self.tr("Backups"))
        model, self.model = fact(self.tr("Search model"))
        free, self.free = fact(self.tr("Free on this disk"))
        sums = row((all_, 1), (backups, 1), (model, 1), (free, 1), gap=14, margins=(16, 12, 14, 12))
        self._title = label("", "heading")
        self._kinds = column(gap=0)
        self.fill(box(sums, "card"), 6, self._title, box(self._kinds, "card"))

    def show_facts(self, facts: StorageFacts) -> None:
        everything = facts.mind + facts.other_minds + facts.backups + facts.rest
        self.all.set_full_text(size(everything))
        self.backups.set_full_text(size(facts.backups))
        self.model.set_full_text(size(facts.model) if facts.model else self.tr("none"))
        self.free.set_full_text(size(facts.free))
        self._title.setText(fill(self.tr("%1: %2"), mind_name(facts.workspace), size(facts.mind)))
        clear_layout(self._kinds)
        rows = [*((kind_name(kind), amount) for kind, amount in facts.kinds)]
        rows.append((self.tr("Other minds"), facts.other_minds))
        total = max(1, facts.mind)
        for at, (name, amount) in enumerate(each for each in rows if each[1]):
            if at:
                self._kinds.addWidget(line())
            share = percent(amount / total) if amount <= total else ""
            told, part = label(size(amount), "label", digits=True), label(share, "caption", "faint", digits=True)
            bar = Bar(name, amount / max(total, amount), height=4)
            bar.setMaximumWidth(240)
            told.setFixedWidth(px(70))
            part.setFixedWidth(px(60))
            self._kinds.addWidget(
                box(
                    row(
                        (ElidedLabel(name, "label"), 3), (bar, 2), told, part,
                        gap=14, margins=(16, 8, 14, 8),
                    )
                )
            )  # fmt: skip


class StorageController(SectionController):
    """Reads the whole file, so only when the section is opened and on request."""

    areas: frozenset[Area] = frozenset()

    def __init__(self, view: StorageSection, desk: Desk) -> None:
        super().__init__(view, desk)
        self.storage = view
        view.measure_asked.connect(lambda: self.tasks.start("load", self.load()))

    async def load(self) -> None:
        workspace = self.desk.workspace
        self.storage.show_facts(await self.desk.client.call(lambda engine: engine.storage.facts(workspace)))


def open_section(desk: Desk) -> SectionController:
    return StorageController(StorageSection(), desk)
