"""Home as seen: drop an export, or see how to get one; later a search line and recent sessions."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.drop_zone import DropZone
from hivemind_desktop.widgets.figures import memories, sessions, size
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, column, row, scrolling
from hivemind_desktop.widgets.marks import Icon, Monogram
from hivemind_desktop.widgets.page import PageView, StartStack
from hivemind_desktop.widgets.search_box import SearchLine
from hivemind_desktop.widgets.words import fill

from .model import GUIDES, AtAGlance, Guide
from .recent import RecentSessions

#: Longest line of Home, px.
WIDTH = 860


class FirstRun(QWidget):
    """The empty state: everything a newcomer needs to begin."""

    chosen = Signal(str)  # an action: files.choose, files.sample, start.empty, guide
    dropped = Signal(list)

    def __init__(self, data_dir: str) -> None:
        super().__init__()
        choose = Button(
            self.tr("Choose a file…"), "primary", "folder-open", on_click=lambda: self.chosen.emit("files.choose")
        )
        sample = Button(self.tr("Try with a sample"), "link", on_click=lambda: self.chosen.emit("files.sample"))
        empty = Button(self.tr("Start empty"), "link", on_click=lambda: self.chosen.emit("start.empty"))
        self.zone = DropZone(
            self.tr("Drop your export here"),
            self.tr("ZIP, folder or single file, exactly as you downloaded it"),
            choose,
            links=(sample, empty),
        )
        self.zone.setMinimumHeight(282)
        self.zone.dropped.connect(self.dropped)
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
                row(*[(guide_card(guide), 1) for guide in GUIDES], gap=12),
                12,
                _promise(data_dir),
                None,
                gap=4,
                margins=(32, 36, 32, 20),
            )
        )
        middle = QWidget()
        middle.setLayout(row(None, (content, 1000), None, gap=0))
        self.setLayout(column(scrolling(middle), gap=0))


def guide_card(guide: Guide) -> QFrame:
    """One vendor: how long it takes and where to press."""
    words = box(
        column(
            ElidedLabel(guide.vendor, "strong"),
            ElidedLabel(QCoreApplication.translate("HomePanel", guide.wait), "caption", "faint"),
            gap=0,
        )
    )
    steps = label(QCoreApplication.translate("HomePanel", guide.steps), "label", "soft", wrap=True)
    head = row(Monogram(guide.vendor), (words, 1), gap=10)
    card = box(column(head, steps, None, gap=8, margins=(14, 12, 14, 12)), "card")
    card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    return card


def _promise(data_dir: str) -> QWidget:
    """Where the data is, and that it stays there."""
    translate = QCoreApplication.translate
    place = ElidedLabel(fill(translate("HomePanel", "Stored in %1"), data_dir), "label", "faint")
    stays = label(translate("HomePanel", "No account. Nothing is sent anywhere."), "label", "faint")
    shown = QWidget()
    shown.setLayout(
        row(Icon("hard-drive", "text_faint", 14), (place, 1), 12, Icon("shield", "text_faint", 14), stays, gap=6)
    )
    return shown


class HomePanel(PageView):
    """The page. `stack` shows `first_run` as its empty state."""

    searched = Signal(str)

    def __init__(self, data_dir: str) -> None:
        super().__init__()
        self.first_run = FirstRun(data_dir)
        self.search = SearchLine(self.tr("Search your memories"))
        self.search.setAcceptDrops(False)  # a file dropped on it is an import, not a text
        self.search.returnPressed.connect(lambda: self.searched.emit(self.search.text()))
        self.recent = RecentSessions()
        self._counts = label("", "body", "soft", wrap=True)
        self.add = Button(self.tr("Import a file…"), "", "plus")
        content = QWidget()
        content.setMaximumWidth(WIDTH)
        content.setLayout(
            column(
                row((label(self.tr("Your AI memory, on this computer"), "display"), 1), self.add, gap=8),
                self._counts,
                12,
                self.search,
                20,
                self.recent,
                12,
                _promise(data_dir),
                None,
                gap=4,
                margins=(32, 36, 32, 20),
            )
        )
        middle = QWidget()
        middle.setLayout(row(None, (content, 1000), None, gap=0))
        self.start_stack = StartStack(scrolling(middle), self.first_run)
        self.stack = self.start_stack
        self.setLayout(column(self.stack, gap=0))

    def show_glance(self, glance: AtAGlance) -> None:
        facts = self.tr("%1 from %2, %3 on the disk.")
        self._counts.setText(fill(facts, memories(glance.memories), sessions(glance.sessions), size(glance.size)))
        self.recent.set_rows(glance.recent)
        self.stack.show_data()

    def show_drag(self, over: bool) -> None:
        self.first_run.zone.show_drag(over)

    def focus_search(self) -> bool:
        if self.stack.state != "data":
            return False
        self.search.setFocus()
        self.search.selectAll()
        return True
