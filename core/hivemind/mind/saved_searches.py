"""Searches a person keeps with a mind, in their order. Stored as one JSON value in `meta`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from hivemind.domain.search import Profile, SavedSearch
from hivemind.mind.meta import MetaStore
from hivemind.storage import Connection

KEY = "saved_searches"


class SavedSearchStore:
    """Owns one key of `meta`."""

    def __init__(self, connection: Connection) -> None:
        self._meta = MetaStore(connection)

    def list_all(self) -> tuple[SavedSearch, ...]:
        stored = json.loads(self._meta.find(KEY) or "[]")
        return tuple(SavedSearch(one["name"], one["line"], Profile(one["profile"])) for one in stored)

    def replace(self, searches: Sequence[SavedSearch]) -> None:
        """Keep these instead. None at all leaves no trace."""
        if searches:
            self._meta.set(KEY, json.dumps([asdict(one) for one in searches], ensure_ascii=False))
        else:
            self._meta.remove(KEY)
