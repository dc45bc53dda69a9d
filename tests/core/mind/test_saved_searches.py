"""Saved searches as stored: in order, word for word, and without a trace when there are none."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.conftest import SyncMind

from hivemind.domain.search import Profile, SavedSearch
from hivemind.mind.saved_searches import KEY, SavedSearchStore

SEARCHES = st.lists(st.builds(SavedSearch, st.text(), st.text(), st.sampled_from(Profile)), max_size=5).map(tuple)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(searches=SEARCHES)
def test_what_was_kept_comes_back(sync_mind: SyncMind, searches: tuple[SavedSearch, ...]) -> None:
    sync_mind.write(lambda tx: SavedSearchStore(tx.connection).replace(searches))
    assert sync_mind.read(lambda tx: SavedSearchStore(tx.connection).list_all()) == searches
    assert (sync_mind.read(lambda tx: tx.meta.find(KEY)) is None) == (not searches)
