"""Saved searches: kept in order, named once, changed and undone, erased with a person's words.

Covers: saved_search_service.
"""

from __future__ import annotations

import pytest
from tests.core.engine.conftest import Driver

from hivemind.domain.search import Profile, SavedSearch
from hivemind.errors import CannotUndo, InvalidName
from hivemind.maintenance.text_holders import TEXT_HOLDERS, Erasure

HERE = "personal"


def names(driver: Driver) -> list[str]:
    return [one.name for one in driver.run(lambda e: e.searches.list_all(HERE))]


def keep(driver: Driver, name: str, line: str = "lemon") -> None:
    driver.run(lambda e: e.searches.save(HERE, SavedSearch(name, line, Profile.RECENT)))


def test_saved_renamed_deleted_and_all_of_it_undone(driver: Driver) -> None:
    keep(driver, " Lemon  trees ", "lemon pinned:yes")
    keep(driver, "Water")
    keep(driver, "Water", "water source:chatgpt")
    assert driver.run(lambda e: e.searches.list_all(HERE)) == (
        SavedSearch("Lemon trees", "lemon pinned:yes", Profile.RECENT),
        SavedSearch("Water", "water source:chatgpt", Profile.RECENT),
    )
    driver.run(lambda e: e.searches.rename(HERE, "Water", "Rain"))
    driver.run(lambda e: e.searches.delete(HERE, "Lemon trees"))
    assert names(driver) == ["Rain"]
    for wanted in (["Lemon trees", "Rain"], ["Lemon trees", "Water"], ["Lemon trees", "Water"], ["Lemon trees"], []):
        assert driver.run(lambda e: e.changes.undo(HERE)).label
        assert names(driver) == wanted


def test_bad_names(driver: Driver) -> None:
    keep(driver, "A")
    keep(driver, "B")
    for call in (
        lambda e: e.searches.save(HERE, SavedSearch("  ", "x")),
        lambda e: e.searches.save(HERE, SavedSearch("n" * 81, "x")),
        lambda e: e.searches.rename(HERE, "A", "B"),
        lambda e: e.searches.rename(HERE, "gone", "C"),
        lambda e: e.searches.delete(HERE, "gone"),
    ):
        with pytest.raises(InvalidName):
            driver.run(call)
    driver.run(lambda e: e.searches.rename(HERE, "A", "A"))
    assert names(driver) == ["A", "B"]


def test_undo_refuses_when_they_were_changed_since(driver: Driver) -> None:
    keep(driver, "A")
    mind = driver.run(lambda e: e.minds.get(HERE))
    driver.run(lambda _: mind.write(lambda tx: tx.meta.set("saved_searches", "[]")))
    with pytest.raises(CannotUndo):
        driver.run(lambda e: e.changes.undo(HERE))


def test_words_in_a_saved_search_are_erased(driver: Driver) -> None:
    keep(driver, "Ana's diagnosis", "diagnosis")
    keep(driver, "Other", "lemon")
    mind = driver.run(lambda e: e.minds.get(HERE))
    (holder,) = [one for one in TEXT_HOLDERS if one.name == "saved searches"]

    def erase(tx) -> tuple[int, int, int]:
        before = holder.residue(tx, "diagnosis")
        return before, holder.erase(tx, Erasure(words=("diagnosis",))), holder.residue(tx, "diagnosis")

    assert driver.run(lambda _: mind.write(erase)) == (1, 1, 0)
    assert names(driver) == ["Other"]
