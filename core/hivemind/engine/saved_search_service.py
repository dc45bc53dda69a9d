"""Searches a person keeps: save, rename, delete. Each is one change and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from hivemind.domain.search import SavedSearch
from hivemind.domain.work import Change
from hivemind.engine.context import Context
from hivemind.errors import InvalidName
from hivemind.events import Area
from hivemind.mind import MindTransaction
from hivemind.mind.saved_searches import SavedSearchStore

#: Longest name, characters.
LONGEST = 80
Searches = tuple[SavedSearch, ...]


class SavedSearchService:
    """A name stands for one search of a mind."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def list_all(self, workspace: str) -> Searches:
        """In the order they were saved."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: SavedSearchStore(tx.connection).list_all())

    async def save(self, workspace: str, search: SavedSearch) -> None:
        """Keep a search; one of the same name is replaced. Raises InvalidName."""
        kept = replace(search, name=_named(search.name))

        def changed(before: Searches) -> Searches:
            if any(one.name == kept.name for one in before):
                return tuple(kept if one.name == kept.name else one for one in before)
            return (*before, kept)

        await self._change(workspace, "Save a search", changed)

    async def rename(self, workspace: str, name: str, to: str) -> None:
        """Raises InvalidName when there is no such search, or the new name is taken or empty."""
        new = _named(to)

        def changed(before: Searches) -> Searches:
            _require(before, name)
            if new != name and any(one.name == new for one in before):
                raise InvalidName("Another search has this name", "Choose another name.")
            return tuple(replace(one, name=new) if one.name == name else one for one in before)

        await self._change(workspace, "Rename a search", changed)

    async def delete(self, workspace: str, name: str) -> None:
        """Raises InvalidName when there is no such search."""

        def changed(before: Searches) -> Searches:
            _require(before, name)
            return tuple(one for one in before if one.name != name)

        await self._change(workspace, "Delete a saved search", changed)

    async def _change(self, workspace: str, label: str, changed: Callable[[Searches], Searches]) -> None:
        def work(tx: MindTransaction) -> tuple[None, Change | None]:
            store = SavedSearchStore(tx.connection)
            before = store.list_all()
            after = changed(before)
            if after == before:
                return None, None
            store.replace(after)
            arguments: dict[str, object] = {"to": _plain(before), "expect": _plain(after)}
            return None, Change(label, (("searches.replace", arguments),))

        await self._context.act(workspace, work, Area.CHANGES)


def _named(name: str) -> str:
    kept = " ".join(name.split())
    if not kept or len(kept) > LONGEST:
        raise InvalidName("This search needs another name", f"Give it a name of 1 to {LONGEST} characters.")
    return kept


def _require(searches: Searches, name: str) -> None:
    if all(one.name != name for one in searches):
        raise InvalidName("There is no saved search with this name", "It may have been renamed or deleted.")


def _plain(searches: Sequence[SavedSearch]) -> list[dict[str, str]]:
    return [{key: str(value) for key, value in asdict(one).items()} for one in searches]
