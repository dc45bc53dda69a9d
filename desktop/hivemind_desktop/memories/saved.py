"""Searches a person keeps: the menu behind `Saved`, and saving, renaming and deleting them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject

from hivemind.domain.search import SavedSearch
from hivemind_desktop.widgets.name_dialog import ask_name
from hivemind_desktop.widgets.words import fill, one_line

if TYPE_CHECKING:
    from .controller import MemoriesController


class SavedSearches(QObject):
    """The one in force is the one whose line and ranking are those of the page."""

    ACTIONS: ClassVar = frozenset({"search.save", "search.rename", "search.delete"})

    def __init__(self, page: MemoriesController) -> None:
        super().__init__(page)
        self._page = page
        self._all: tuple[SavedSearch, ...] = ()
        page.panel.filters.saved_chosen.connect(self._take)
        page.panel.filters.requested.connect(page.desk.requested)

    async def load(self) -> None:
        workspace = self._page.desk.workspace
        self._all = await self._page.desk.client.call(lambda engine: engine.searches.list_all(workspace))
        self._show()

    def offers(self) -> frozenset[str]:
        if self._in_force() is not None:
            return frozenset({"search.rename", "search.delete"})
        return frozenset({"search.save"}) if self._page.line.strip() else frozenset()

    def perform(self, action_id: str) -> None:
        work = {"search.save": self._save, "search.rename": self._rename, "search.delete": self._delete}[action_id]
        self._page.tasks.start("saved", work())

    def _in_force(self) -> SavedSearch | None:
        here = (self._page.line.strip(), self._page.profile)
        return next((one for one in self._all if (one.line, one.profile) == here), None)

    def _show(self) -> None:
        here = self._in_force()
        self._page.panel.filters.show_saved(self._all, here.name if here is not None else "", self.offers())

    def _take(self, name: str) -> None:
        one = next((one for one in self._all if one.name == name), None)
        if one is not None:
            self._page.rank_by(one.profile)
            self._page.put_line(one.line)

    async def _save(self) -> None:
        line, profile, workspace = self._page.line.strip(), self._page.profile, self._page.desk.workspace
        title = self.tr("Save this search")
        name = await ask_name(self._page.panel, title, self.tr("Name"), self.tr("Save search"), one_line(line, 60))
        if not name:
            return
        search = SavedSearch(name, line, profile)
        await self._page.desk.client.call(lambda engine: engine.searches.save(workspace, search))
        await self._done(self.tr("Search saved as “%1”"), name)

    async def _rename(self) -> None:
        one, workspace = self._in_force(), self._page.desk.workspace
        if one is None:
            return
        title = self.tr("Rename this search")
        name = await ask_name(self._page.panel, title, self.tr("Name"), self.tr("Rename search"), one.name)
        if name and name != one.name:
            await self._page.desk.client.call(lambda engine: engine.searches.rename(workspace, one.name, name))
            await self._done(self.tr("Search renamed to “%1”"), name)

    async def _delete(self) -> None:
        one, workspace = self._in_force(), self._page.desk.workspace
        if one is None:
            return
        await self._page.desk.client.call(lambda engine: engine.searches.delete(workspace, one.name))
        await self._done(self.tr("Saved search “%1” deleted"), one.name)

    async def _done(self, words: str, name: str) -> None:
        await self.load()
        self._page.offers_changed.emit()
        desk = self._page.desk
        shown = fill(words, one_line(name, 60))
        desk.notices.toast(shown, self.tr("Undo"), lambda: desk.requested.emit("undo"), icon="star")
