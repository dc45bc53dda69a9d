"""Which sessions the list shows: words of the title, where they came from, their state, what stands out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.sessions import SessionFilter, SessionStatus
from hivemind_desktop.widgets.buttons import Button, chip
from hivemind_desktop.widgets.drop_menu import DropMenu
from hivemind_desktop.widgets.figures import vendor
from hivemind_desktop.widgets.layouts import column, row
from hivemind_desktop.widgets.search_box import ChipRow, SearchLine
from hivemind_desktop.widgets.words import fill


class SessionFilters(QWidget):
    """`changed` says that `wanted` is different now."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.wanted = SessionFilter()
        self._sources: tuple[str, ...] = ()
        self.search = SearchLine(self.tr("Search in titles"))
        self.search.asked.connect(lambda words: self._want(replace(self.wanted, title=words.strip())))
        self.source = chip(self.tr("Source"), "chevron-down", on_click=self._open_sources)
        self.status = chip(self.tr("State"), "chevron-down", on_click=self._open_states)
        self.important = chip(self.tr("With important memories"))
        self.important.toggled.connect(lambda on: self._want(replace(self.wanted, important=on)))
        self.clear = Button(self.tr("Clear filters"), "link", on_click=self.reset)
        self.clear.hide()
        self.chips = ChipRow((self.source, self.status, self.important), self.clear)
        self.setLayout(column(row(self.search, margins=(24, 0, 24, 0)), self.chips, gap=0))

    @property
    def is_set(self) -> bool:
        return self.wanted != SessionFilter()

    def show_sources(self, sources: Sequence[str]) -> None:
        self._sources = tuple(sources)

    def reset(self) -> None:
        self.search.clear()
        self.important.setChecked(False)
        self._want(SessionFilter())

    def choose_source(self, source: str | None) -> None:
        self._want(replace(self.wanted, source=source))

    def choose_status(self, status: SessionStatus | None) -> None:
        self._want(replace(self.wanted, status=status))

    def _want(self, wanted: SessionFilter) -> None:
        changed = wanted != self.wanted
        self.wanted = wanted
        named = self.tr("Source") if wanted.source is None else fill(self.tr("Source: %1"), self._name(wanted.source))
        self.source.set_words(named)
        self.source.setChecked(wanted.source is not None)
        state = self.tr("State") if wanted.status is None else fill(self.tr("State: %1"), self._state(wanted.status))
        self.status.set_words(state)
        self.status.setChecked(wanted.status is not None)
        self.clear.setVisible(self.is_set)
        self.chips.refit()
        if changed:
            self.changed.emit()

    def _name(self, source: str) -> str:
        return vendor(source) or self.tr("Saved here")

    def _state(self, status: SessionStatus) -> str:
        words = {
            SessionStatus.ACTIVE: self.tr("open"),
            SessionStatus.CLOSED: self.tr("closed"),
            SessionStatus.ARCHIVED: self.tr("archived"),
        }
        return words[status]

    def _open_sources(self) -> None:
        self.source.setChecked(self.wanted.source is not None)  # the press itself decides nothing
        menu = DropMenu(self)
        menu.offer(self.tr("Any source"), lambda: self.choose_source(None), self.wanted.source is None)
        for each in self._sources:
            menu.offer(self._name(each), partial(self.choose_source, each), self.wanted.source == each)
        menu.open_below(self.source)

    def _open_states(self) -> None:
        self.status.setChecked(self.wanted.status is not None)
        menu = DropMenu(self)
        menu.offer(self.tr("Any state"), lambda: self.choose_status(None), self.wanted.status is None)
        for each in SessionStatus:
            menu.offer(self._state(each), partial(self.choose_status, each), self.wanted.status is each)
        menu.open_below(self.status)
