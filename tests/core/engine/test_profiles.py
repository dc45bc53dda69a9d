"""Each profile changes the order of the engine's search by the default recipe, each against another one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.core.engine.embedding_driver import Meaning
from tests.samples.encoders import WordEncoder

from hivemind.clock import stamp
from hivemind.domain.frames import FrameDraft, Importance
from hivemind.domain.search import Hit, Mode, Profile, Recipe, SearchRequest
from hivemind.mind import MindTransaction
from hivemind.mind.saving import save

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
#: Text, importance, age in days, uses. All mean the same to the query, and none holds a word of it.
FRAMES = {
    "fresh": ("the ferry at midday", Importance.TEMPORARY, 2, 0),
    "critical": ("the ship at midday", Importance.CRITICAL, 400, 0),
    "near": ("a ferry at midday", Importance.NORMAL, 400, 0),
    "used": ("a ship at midday", Importance.IMPORTANT, 20, 500),
}


class Told:
    def __init__(self, meaning: Meaning, ids: dict[str, int]) -> None:
        self.meaning, self.ids = meaning, ids

    def hits(self, profile: Profile) -> list[Hit]:
        request = SearchRequest(
            "boat noon", profile=profile, now=stamp(NOW), graph_distances=((self.ids["near"], 0),), explain=True
        )
        result = self.meaning.run(self.meaning.engine.memory.search(request))
        assert (result.mode, result.recipe) == (Mode.HYBRID, Recipe.DEFAULT)
        return list(result.hits)

    def order(self, profile: Profile) -> list[str]:
        names = {frame_id: name for name, frame_id in self.ids.items()}
        return [names[hit.frame.id] for hit in self.hits(profile)]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    folder: Path = tmp_path_factory.mktemp("profiles")
    meaning = Meaning(folder / "data", WordEncoder())

    def write(tx: MindTransaction) -> dict[str, int]:
        ids = {}
        for name, (text, level, days, uses) in FRAMES.items():
            moment = stamp(NOW - timedelta(days=days))
            ids[name] = save(tx, FrameDraft(text, importance=level, event_at=moment)).frame.id
            tx.connection.execute(
                "UPDATE memory_frames SET access_count = ?, last_accessed = ? WHERE id = ?", (uses, moment, ids[name])
            )
        return ids

    ids = meaning.write(write)
    meaning.embedded()
    yield Told(meaning, ids)
    meaning.close()


def test_recent_puts_first_what_is_new(told: Told) -> None:
    assert told.order(Profile.RECENT)[0] == "fresh"
    assert told.order(Profile.IMPORTANT)[0] != "fresh"


def test_important_puts_first_what_is_critical(told: Told) -> None:
    assert told.order(Profile.IMPORTANT)[0] == "critical"
    assert told.order(Profile.RECENT)[0] != "critical"


def test_connected_puts_first_what_is_near_in_the_graph(told: Told) -> None:
    assert told.order(Profile.CONNECTED)[0] == "near"
    assert told.order(Profile.BALANCED)[0] != "near"


def test_balanced_weighs_all_of_it(told: Told) -> None:
    order = told.order(Profile.BALANCED)
    assert order[0] == "used", "of some age, some importance and much use"
    assert all(order != told.order(profile) for profile in Profile if profile is not Profile.BALANCED)


@pytest.mark.parametrize("profile", list(Profile))
def test_the_signals_make_the_difference_and_say_so(told: Told, profile: Profile) -> None:
    for hit in told.hits(profile):
        names = {part.name for part in hit.explanation.parts}
        assert "temporal" in names and "importance" in names
        assert all(signal.reason for signal in hit.explanation.signals)
        assert hit.explanation.profile is profile
