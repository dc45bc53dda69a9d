"""Settings as seen: a list of its parts with a search at the left, the chosen part right. Narrow: one at a time."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from hivemind_desktop.theme import px
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, line, row, scrolling
from hivemind_desktop.widgets.matching import best
from hivemind_desktop.widgets.nav_items import NavItems, RailItem, RailPage
from hivemind_desktop.widgets.page import PageView
from hivemind_desktop.widgets.search_box import SearchLine
from hivemind_desktop.widgets.states import StateStack
from hivemind_desktop.widgets.words import fill, one_line

from .parts import Section
from .sections import SECTIONS, SectionName, SettingName

LIST_WIDTH = 204
#: A page narrower than this shows the list or the part, not both.
NARROW = 640
MOST_FOUND = 12


def find_settings(typed: str) -> list[tuple[SectionName, SettingName | None]]:
    """Parts (with None) and settings that fit the words, best first."""
    names: list[tuple[SectionName, SettingName | None]] = [(part, None) for part in SECTIONS]
    names += [(part, one) for part in SECTIONS for one in part.settings]
    return best(
        names,
        typed,
        lambda pair: pair[1].words() if pair[1] else pair[0].name(),
        lambda pair: f"{pair[0].name()} {pair[1].other_words()}" if pair[1] else "",
    )[:MOST_FOUND]


class SettingsPanel(PageView):
    """Emits `wanted` with the key of a part and of a setting in it ('' = none), when a person goes there."""

    wanted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._narrow, self._at_list = False, True
        self.search = SearchLine(self.tr("Find a setting"), "")
        self.search.textChanged.connect(self._look_up)
        self.search.installEventFilter(self)
        self.search.returnPressed.connect(self._go_to_first)
        self.items = NavItems()
        self.items.chosen.connect(lambda key: self.wanted.emit(key, ""))
        self._found = NavItems()
        self._found.chosen.connect(self._go_to_found)
        self._targets: dict[str, tuple[str, str]] = {}
        self._results = column(gap=1)
        self._results_box = box(self._results)
        self._results_box.hide()
        self._parts = box(column(*[self.items.add(part.on_list()) for part in SECTIONS], gap=1))
        self._list = self._make_list()
        self.sections = QStackedWidget()
        self._back = Button(self.tr("All settings"), "quiet", "chevron-left", on_click=self.show_list)
        self._back_row = box(row(self._back, None, margins=(14, 10, 14, 0)))
        self._right = box(column(self._back_row, (self.sections, 1), gap=0))
        self._divider = line(vertical=True)
        both = QWidget()
        both.setLayout(row(self._list, self._divider, (self._right, 1), gap=0))
        self.stack = StateStack(both)
        self.setLayout(column(self.stack, gap=0))
        self._arrange()

    def _make_list(self) -> QWidget:
        title = box(row(label(self.tr("Settings"), "title"), gap=0, margins=(10, 0, 0, 0)))
        inner = QWidget()
        inner.setLayout(
            column(title, 7, self.search, 6, self._parts, self._results_box, None, gap=1, margins=(14, 18, 12, 12))
        )
        made = box(column(scrolling(inner), gap=0))
        made.setAccessibleName(self.tr("Parts of Settings"))
        return made

    def add(self, section: Section) -> None:
        self.sections.addWidget(section)

    def show_section(self, key: str, section: Section) -> None:
        """Bring a part into sight; where there is room for one thing only, in place of the list."""
        self.sections.setCurrentWidget(section)
        self.items.show(key)
        self._at_list = False
        self._arrange()

    def show_list(self) -> None:
        """Narrow: back to the list. Otherwise the list is in sight already."""
        self._at_list = True
        self._arrange()
        checked = next((each for each in self.items.items.values() if each.isChecked()), None)
        if checked is not None and checked.isVisible():
            checked.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def is_narrow(self) -> bool:
        return self._narrow

    def focus_search(self) -> bool:
        if self._narrow:
            self.show_list()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < px(NARROW)
        if narrow != self._narrow:
            self._narrow = narrow
            self._arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._narrow and not self._at_list:
            self.show_list()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Down leads from the search line into what was found; the scrolling list would take the key otherwise."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Down:
            shown = self._found.items if self._targets else self.items.items
            stop = next((each for each in shown.values() if each.focusPolicy() & Qt.FocusPolicy.TabFocus), None)
            if stop is not None:
                stop.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return False

    def _arrange(self) -> None:
        list_in_sight = not self._narrow or self._at_list
        self._list.setVisible(list_in_sight)
        self._right.setVisible(not self._narrow or not self._at_list)
        self._divider.setVisible(not self._narrow)
        self._back_row.setVisible(self._narrow)
        if self._narrow:
            self._list.setMinimumWidth(0)
            self._list.setMaximumWidth(16_777_215)
        else:
            self._list.setFixedWidth(px(LIST_WIDTH))

    # search

    def _look_up(self, typed: str) -> None:
        clear_layout(self._results)
        self._found.items.clear()
        self._targets.clear()
        wanted = typed.strip()
        self._parts.setVisible(not wanted)
        self._results_box.setVisible(bool(wanted))
        if not wanted:
            return
        found = find_settings(wanted)
        for part, one in found:
            self._add_result(part, one)
        if not found:
            words = fill(self.tr("No setting is called “%1”. Try another word."), one_line(wanted, 40))
            self._results.addWidget(label(words, "label", "faint", wrap=True))

    def _add_result(self, part: SectionName, one: SettingName | None) -> None:
        key = f"{part.key}/{one.id if one else ''}"
        self._targets[key] = (part.key, one.id if one else "")
        item: RailItem = self._found.add(RailPage(key, one.words() if one else part.name(), part.icon))
        item.setAutoExclusive(False)
        item.setToolTip(fill(self.tr("In %1"), part.name()))
        self._results.addWidget(item)

    def _go_to_first(self) -> None:
        if self._targets:
            self._go_to_found(next(iter(self._targets)))

    def _go_to_found(self, key: str) -> None:
        part, one = self._targets[key]
        self.search.clear()
        self.wanted.emit(part, one)
