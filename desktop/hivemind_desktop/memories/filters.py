"""Filters as chips: read from the search line, and written into it. Saved searches and ranking stand beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from hivemind.domain.frames import Importance
from hivemind.domain.search import Profile, SavedSearch
from hivemind_desktop.widgets.buttons import Button, chip
from hivemind_desktop.widgets.drop_menu import DropMenu
from hivemind_desktop.widgets.figures import vendor
from hivemind_desktop.widgets.layouts import column, row
from hivemind_desktop.widgets.search_box import ChipRow
from hivemind_desktop.widgets.words import fill, one_line

from .lines import importance_word
from .reasons import profile_word

#: Names of filters by the chip they belong to.
_TIMES = ("after", "before", "until")


class FilterBar(QWidget):
    """`line_changed` is the search line with a filter more or less. The line is the only truth: chips follow it."""

    line_changed = Signal(str)
    profile_chosen = Signal(Profile)
    saved_chosen = Signal(str)
    requested = Signal(str)
    sources_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._line, self._sources = "", list[str]()
        self._saved: tuple[SavedSearch, ...] = ()
        self._offers: frozenset[str] = frozenset()
        self._source = self._chip(self.tr("Source"), ("source",), self._source_menu)
        self._level = self._chip(self.tr("Importance"), ("importance",), self._level_menu)
        self._time = self._chip(self.tr("Time"), _TIMES, self._time_menu)
        self._pinned = self._chip(self.tr("Pinned"), ("pinned",), self._pinned_menu)
        self._kind = self._chip(self.tr("Kind"), ("type",), self._kind_menu)
        self._session = self._chip(self.tr("One session"), ("session",), None)
        self._chips = {
            ("source",): self._source, ("importance",): self._level, _TIMES: self._time,
            ("pinned",): self._pinned, ("type",): self._kind, ("session",): self._session,
        }  # fmt: skip
        self._saved_button = Button(self.tr("Saved"), "quiet", "chevron-down", trailing=True, on_click=self._open_saved)
        self._rank = Button(
            self.tr("Rank"), "quiet", "chevron-down", tip=self.tr("Ranking"), trailing=True, on_click=self._open_rank
        )
        end = QWidget()
        end.setLayout(row(self._saved_button, self._rank, gap=2))
        self._row = ChipRow(list(self._chips.values())[:-1], end)
        self.setLayout(column(self._row, gap=0))
        self.show_profile(Profile.BALANCED)

    # what the page says

    def show_line(self, line: str) -> None:
        """The chips of this line."""
        from hivemind.engine.search_line import typed_filters

        self._line = line
        written = {one.name: one.value for one in typed_filters(line)}
        for names, each in self._chips.items():
            values = {name: written[name] for name in names if name in written}
            each.setChecked(bool(values))
            each.set_icon("x" if values else "chevron-down")
            words = self._words(names, values) if values else self._plain[names]
            each.set_words(words)
            each.setAccessibleName(fill(self.tr("%1: remove this filter"), words) if values else words)
        self._session.setVisible("session" in written)
        chips = [each for each in self._chips.values() if each is not self._session or "session" in written]
        self._row.set_chips(chips)

    def show_profile(self, profile: Profile) -> None:
        self._profile = profile
        self._rank.set_words(fill(self.tr("Rank: %1"), profile_word(profile)))
        self._row.refit()

    def show_sources(self, sources: Sequence[str]) -> None:
        """Answer to `sources_wanted`: the menu that waits for them opens."""
        self._sources = list(sources)
        self._pop(self._source, self._fill_sources)

    def show_saved(self, searches: tuple[SavedSearch, ...], in_force: str, offers: frozenset[str]) -> None:
        self._saved, self._offers = searches, offers
        self._saved_button.set_words(one_line(in_force, 24) if in_force else self.tr("Saved"))
        self._row.refit()

    # chips

    @property
    def _plain(self) -> dict[tuple[str, ...], str]:
        return {
            ("source",): self.tr("Source"), ("importance",): self.tr("Importance"), _TIMES: self.tr("Time"),
            ("pinned",): self.tr("Pinned"), ("type",): self.tr("Kind"), ("session",): self.tr("One session"),
        }  # fmt: skip

    def _chip(self, words: str, names: tuple[str, ...], menu: Callable[[DropMenu], None] | None) -> Button:
        made = chip(words, "chevron-down", on_click=lambda: self._press(made, names, menu))
        made.installEventFilter(self)
        return made

    def _press(self, pressed: Button, names: tuple[str, ...], menu: Callable[[DropMenu], None] | None) -> None:
        from hivemind.engine.search_line import typed_filters

        if any(one.name in names for one in typed_filters(self._line)):
            self._remove(names)
            return
        pressed.setChecked(False)
        if menu == self._source_menu:
            self.sources_wanted.emit()
        elif menu is not None:
            self._pop(pressed, menu)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Delete and Backspace take a filter away, as a press does."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            for names, each in self._chips.items():
                if each is watched and each.isChecked():
                    self._remove(names)
                    return True
        return False

    def _remove(self, names: tuple[str, ...]) -> None:
        from hivemind.engine.search_line import without_filter

        line = self._line
        for name in names:
            line = without_filter(line, name)
        self.line_changed.emit(line)

    def _put(self, name: str, value: str) -> None:
        from hivemind.engine.search_line import with_filter

        self.line_changed.emit(with_filter(self._line, name, value))

    def _words(self, names: tuple[str, ...], values: dict[str, str]) -> str:
        value = one_line(next(iter(values.values())), 24)
        if names == ("source",):
            return vendor(value.lower())
        if names == ("importance",):
            known = [importance_word(Importance(each)) for each in value.split(",") if each in set(Importance)]
            return ", ".join(known) or value
        if names == ("pinned",):
            return self.tr("Not pinned") if value.lower() in ("no", "false", "0") else self.tr("Pinned")
        if names == ("type",):
            return {"first": self.tr("First memories"), "added": self.tr("Additions")}.get(value, value)
        if names == ("session",):
            return self.tr("One session")
        told = {"after": self.tr("from %1"), "before": self.tr("before %1"), "until": self.tr("to %1")}
        return " ".join(fill(told[name], one_line(each, 12)) for name, each in values.items())

    # menus

    def _pop(self, below: Button, fill_menu: Callable[[DropMenu], None]) -> None:
        menu = DropMenu(self)
        fill_menu(menu)
        menu.open_below(below)

    def _source_menu(self, _menu: DropMenu) -> None:
        """Filled by `show_sources`."""

    def _fill_sources(self, menu: DropMenu) -> None:
        for source in self._sources:
            menu.offer(vendor(source), partial(self._put, "source", source))
        menu.offer(self.tr("You said it"), lambda: self._put("source", "user_stated"))
        menu.offer(self.tr("Concluded by an AI"), lambda: self._put("source", "agent_inferred"))
        menu.offer(self.tr("Checked by a tool"), lambda: self._put("source", "tool_verified"))

    def _level_menu(self, menu: DropMenu) -> None:
        for level in Importance:
            menu.offer(importance_word(level), partial(self._put, "importance", str(level)))
        both = f"{Importance.CRITICAL},{Importance.IMPORTANT}"
        menu.offer(self.tr("Critical or important"), lambda: self._put("importance", both))

    def _time_menu(self, menu: DropMenu) -> None:
        today = datetime.now(UTC)
        for words, days in ((self.tr("Last 7 days"), 7), (self.tr("Last 30 days"), 30), (self.tr("Last year"), 365)):
            since = (today - timedelta(days=days)).strftime("%Y-%m-%d")
            menu.offer(words, partial(self._put, "after", since))
        year = fill(self.tr("Before %1"), str(today.year))
        menu.offer(year, lambda: self._put("before", str(today.year)))

    def _pinned_menu(self, menu: DropMenu) -> None:
        menu.offer(self.tr("Pinned"), lambda: self._put("pinned", "yes"))
        menu.offer(self.tr("Not pinned"), lambda: self._put("pinned", "no"))

    def _kind_menu(self, menu: DropMenu) -> None:
        menu.offer(self.tr("First memories of a session"), lambda: self._put("type", "first"))
        menu.offer(self.tr("Additions"), lambda: self._put("type", "added"))

    def _open_rank(self) -> None:
        def fill_menu(menu: DropMenu) -> None:
            for profile in Profile:
                choose = partial(self.profile_chosen.emit, profile)
                menu.offer(profile_word(profile), choose, profile is self._profile)

        self._pop(self._rank, fill_menu)

    def _open_saved(self) -> None:
        def fill_menu(menu: DropMenu) -> None:
            for one in self._saved:
                menu.offer(one_line(one.name, 60), partial(self.saved_chosen.emit, one.name))
            if self._saved:
                menu.addSeparator()
            for action_id, words in (
                ("search.save", self.tr("Save this search…")),
                ("search.rename", self.tr("Rename this search…")),
                ("search.delete", self.tr("Delete this search")),
            ):
                made = menu.offer(words, partial(self.requested.emit, action_id))
                made.setEnabled(action_id in self._offers)

        self._pop(self._saved_button, fill_menu)
