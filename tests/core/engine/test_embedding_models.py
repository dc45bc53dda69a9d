"""Another model: words only until its vectors are complete, built beside the old ones, and one switch at the end.

Covers: embedding_queue, embedding_service.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.engine.embedding_driver import Meaning
from tests.samples.encoders import WordEncoder

from hivemind.domain.minds import QueueState
from hivemind.domain.search import Mode, SearchRequest
from hivemind.domain.work import JobState
from hivemind.engine import embedding_queue
from hivemind.mind.rebuild import SWITCH_AT


def test_another_model_means_words_only_until_it_has_embedded_everything(tmp_path: Path) -> None:
    old = Meaning(tmp_path / "data", WordEncoder("old"))
    ids = old.save("the ferry leaves", "a happy doctor")
    old.embedded()
    old.close()
    new = Meaning(tmp_path / "data", WordEncoder("new", delay=0.02))
    try:
        new.save("a car")
        facts = new.until(lambda f: f.state is QueueState.OTHER_MODEL)
        assert (facts.stored_model, facts.pending) == ("old", 1)
        assert "another model" in facts.reason
        result = new.run(new.engine.memory.search(SearchRequest("ferry")))
        assert result.mode is Mode.KEYWORD
        assert [hit.frame.id for hit in result.hits] == ids[:1]
        assert new.encoder.texts == []
        new.run(new.engine.embedding.reembed("personal"))
        done = new.until(lambda f: f.stored_model == "new" and f.state is QueueState.IDLE)
        assert (done.embedded, done.pending, done.building_model, done.reason) == (3, 0, "", "")
        assert new.nearest("boat departs", 1) == ids[:1]
        left = new.write(lambda tx: [(m.name, m.state) for m in tx.vectors.models.list()])
        assert left == [("new", "serving")]
    finally:
        new.close()


def test_embedding_anew_goes_on_where_it_was_killed_and_search_works_throughout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_queue, "BATCH", 10)
    one = Meaning(tmp_path / "data", WordEncoder("same"))
    one.save_many(60)
    (ferry,) = one.save("the ferry leaves")
    one.embedded()
    one.encoder.delay = 0.01
    one.encoder.texts.clear()
    one.run(one.engine.embedding.reembed("personal"))
    one.until(lambda f: 0 < f.done < 61 and f.building_model == "same")
    assert one.nearest("boat departs", 1) == [ferry]
    (late,) = one.save("a glad physician")
    one.die()
    first = len(one.encoder.texts)
    two = Meaning(tmp_path / "data", WordEncoder("same"))
    try:
        assert two.nearest("boat departs", 1) == [ferry]
        facts = two.until(lambda f: not f.building_model and f.embedded == 62 and f.state is QueueState.IDLE)
        assert facts.pending == 0
        assert len(two.encoder.texts) <= 62 - first + 15
        assert two.nearest("happy doctor", 1) == [late]
        assert two.write(lambda tx: tx.vectors.models.serving_table()) == "memory_frames_vec_next"
    finally:
        two.close()


def test_a_model_that_fails_too_often_does_not_take_over(tmp_path: Path) -> None:
    old = Meaning(tmp_path / "data", WordEncoder("old"))
    old.save("a cursed ship", "a car")
    old.embedded()
    old.close()
    new = Meaning(tmp_path / "data", WordEncoder("new", poison="cursed"))
    try:
        assert SWITCH_AT > 0.5
        new.run(new.engine.embedding.reembed("personal"))
        new.until(lambda f: not f.building_model and f.state is not QueueState.RUNNING)
        states = new.write(
            lambda tx: [(job, error) for job, error in tx.connection.execute("SELECT state, error FROM jobs")]
        )
        assert (JobState.FAILED, "This model cannot embed 1 memories. The vectors that were there are kept.") in states
        assert new.facts().stored_model == "old"
    finally:
        new.close()
