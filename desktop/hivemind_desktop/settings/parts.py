"""What every part of Settings is made of: rows, groups, facts, and the section itself with its controller."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QVBoxLayout, QWidget

from hivemind.errors import HiveMindError, InternalFault
from hivemind.events import Area, MindChanged
from hivemind_desktop.bridge import TaskSet
from hivemind_desktop.notices import fault_details
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import Item, box, column, line, row, scrolling
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.states import StateStack

#: Lines longer than this are hard to read.
WIDEST = 860
#: News of the mind are gathered this long before a section reads again, ms.
PAUSE_MS = 700


def setting(name: str, explanation: str, *controls: Item) -> QFrame:
    """One setting: what it is, what it does, its control at the right."""
    words = box(column(label(name, "label"), label(explanation, "caption", "faint", wrap=True), gap=1))
    return box(row((words, 1), *controls, gap=12, margins=(16, 8, 14, 8)))


def wide_setting(name: str, explanation: str, *controls: Item) -> QFrame:
    """A setting with several controls: they stand below its words, where there is room for them."""
    words = column(label(name, "label"), label(explanation, "caption", "faint", wrap=True), gap=1)
    return box(column(words, row(*controls, None, gap=6), gap=7, margins=(16, 8, 14, 10)))


def group(*rows: Item) -> QFrame:
    """Settings that belong together, with hairlines between."""
    parts: list[Item] = []
    for each in rows:
        parts += [line(), each] if parts else [each]
    return box(column(*parts, gap=0), "card")


def fact(name: str, value: str = "", *below: Item) -> tuple[QFrame, ElidedLabel]:
    """A measured value under its name, and the label that shows it."""
    shown = ElidedLabel(value, "label")
    return box(column(ElidedLabel(name, "caption", "faint"), shown, *below, None, gap=1)), shown


class Section(QWidget):
    """A part of Settings: its title, then what `fill` gives. `settings` are the places that search leads to."""

    def __init__(self, title: str, *right: Item) -> None:
        super().__init__()
        self.title = title
        self.settings: dict[str, QWidget] = {}
        self._column = QVBoxLayout()
        self._column.setSpacing(8)
        self._column.setContentsMargins(0, 0, 0, 0)
        inner = QWidget()
        inner.setMaximumWidth(WIDEST)
        head = row(label(title, "title"), None, *right, gap=8)
        inner.setLayout(column(head, 4, self._column, None, gap=8, margins=(24, 18, 24, 20)))
        holder = QWidget()
        holder.setLayout(row((inner, 1000), None, gap=0))
        self.area: QScrollArea = scrolling(holder)
        self.stack = StateStack(self.area)
        self.setLayout(column(self.stack, gap=0))
        self.setAccessibleName(title)

    def fill(self, *items: Item) -> None:
        for item in items:
            if isinstance(item, int):
                self._column.addSpacing(item)
            elif isinstance(item, QLayout):
                self._column.addLayout(item)
            elif isinstance(item, QWidget):
                self._column.addWidget(item)

    def heading(self, text: str, facts: str = "", *right: Item) -> QLayout:
        """A heading inside the section."""
        return row(label(text, "heading"), (ElidedLabel(facts, "label", "faint"), 1), *right, gap=8)

    def lead_to(self, setting_id: str) -> bool:
        """Bring a setting into sight and the keyboard to it. False when it is not here (now)."""
        place = self.settings.get(setting_id)
        if place is None or not place.isVisibleTo(self):
            return False
        self.area.ensureWidgetVisible(place, 0, 60)
        place.setFocus(Qt.FocusReason.TabFocusReason)
        return True


class SectionController(QObject):
    """Reads what a section shows when it comes into sight and when the mind has changed; keeps its state true."""

    areas: frozenset[Area] = frozenset()

    def __init__(self, view: Section, desk: Desk) -> None:
        super().__init__(view)
        self.view = view
        self.desk = desk
        self.tasks = TaskSet(desk.client.loop, desk.notices.failure)
        self._stale = True
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PAUSE_MS)
        self._soon.timeout.connect(self.look)
        view.installEventFilter(self)
        desk.signals.mind_changed.connect(self._on_mind_changed)
        desk.workspace_changed.connect(lambda _workspace: self.touch())

    async def load(self) -> None:
        """Read what the section shows and show it."""

    def touch(self) -> None:
        """What is shown may be old: read it again soon, if anybody looks."""
        self._stale = True
        if not self._soon.isActive():
            self._soon.start()

    def look(self) -> None:
        """Read now if what is shown is old and somebody looks."""
        if not (self._stale and self.desk.is_started and self.view.isVisible()):
            return
        if self.tasks.is_running("load"):
            self._soon.start()
            return
        self._stale = False
        self.tasks.start("load", self._load(), self._failed)

    def perform(self, action_id: str) -> None:
        """Do one of the actions of ACTIONS that belong here. Raises KeyError for any other."""
        raise KeyError(action_id)

    def close(self) -> None:
        self._soon.stop()
        self.tasks.close()

    async def _load(self) -> None:
        await self.load()
        self.view.stack.show_data()

    def _failed(self, error: BaseException) -> None:
        stack = self.view.stack
        if isinstance(error, HiveMindError):
            stack.show_error(error.title, error.hint, self._again, error.details)
        else:
            stack.show_error(InternalFault.title, InternalFault.hint, self._again, fault_details(error))

    def _again(self) -> None:
        self.view.stack.show_loading(self.view.title)
        self._stale = True
        self.look()

    def _on_mind_changed(self, change: MindChanged) -> None:
        if change.workspace == self.desk.workspace and change.areas & self.areas:
            self.touch()

    def eventFilter(self, _watched: QObject, event: object) -> bool:
        if isinstance(event, QShowEvent):
            self.look()
        return False
