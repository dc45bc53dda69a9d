"""Home for an empty mind: drop an export, see how to get one, try a sample, start empty."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.drop_zone import DropZone
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import column, row, scrolling
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.words import fill

from .guides import guide_card
from .model import GUIDES

#: Longest line of Home, px.
WIDTH = 860


class Promise(QWidget):
    """Where the data is, and that it stays there. Emits `asked` when the folder is to be opened."""

    asked = Signal()

    def __init__(self, data_dir: str) -> None:
        super().__init__()
        place = ElidedLabel(fill(self.tr("Stored in %1"), data_dir), "label", "faint")
        stays = label(self.tr("No account. Nothing is sent anywhere."), "label", "faint")
        opener = Button(self.tr("Open folder"), "link", on_click=self.asked.emit)
        self.setLayout(
            row(
                Icon("hard-drive", "text_faint", 14),
                place,
                opener,
                None,
                Icon("shield", "text_faint", 14),
                stays,
                gap=6,
            )
        )


class FirstRun(QWidget):
    """The empty state: everything a newcomer needs to begin."""

    chosen = Signal(str)  # files.choose, files.sample, start.empty, data.open, guide
    dropped = Signal(list)

    def __init__(self, data_dir: str) -> None:
        super().__init__()
        choose = Button(
            self.tr("Choose a file…"), "primary", "folder-open", on_click=lambda: self.chosen.emit("files.choose")
        )
        none = Button(self.tr("I don’t have one yet"), "link", on_click=lambda: self.chosen.emit("guide"))
        sample = Button(self.tr("Try with a sample"), "link", on_click=lambda: self.chosen.emit("files.sample"))
        empty = Button(self.tr("Start empty"), "link", on_click=lambda: self.chosen.emit("start.empty"))
        self.zone = DropZone(
            self.tr("Drop your export here"),
            self.tr("ZIP, folder or single file, exactly as you downloaded it"),
            choose,
            links=(none, sample, empty),
        )
        self.zone.setMinimumHeight(282)
        self.zone.dropped.connect(self.dropped)
        promise = Promise(data_dir)
        promise.asked.connect(lambda: self.chosen.emit("data.open"))
        cards = [(guide_card(guide, lambda: self.chosen.emit("guide")), 1) for guide in GUIDES]
        content = QWidget()
        content.setMaximumWidth(WIDTH)
        content.setLayout(
            column(
                label(self.tr("Your AI memory, on this computer"), "display"),
                label(
                    self.tr("What you told your AI tools: searchable, explained, yours to erase."),
                    "body",
                    "soft",
                    wrap=True,
                ),
                12,
                self.zone,
                20,
                label(self.tr("How to get your export"), "heading"),
                2,
                row(*cards, gap=12),
                12,
                promise,
                None,
                gap=4,
                margins=(32, 36, 32, 20),
            )
        )
        middle = QWidget()
        middle.setLayout(row(None, (content, 1000), None, gap=0))
        self.setLayout(column(scrolling(middle), gap=0))
