"""What is saved gets its vectors in the background, one process at a time, whatever stops in between.

Covers: embedding_queue, encoder_access.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.core.engine.embedding_driver import Meaning
from tests.samples.encoders import WordEncoder, encoded

from hivemind.clock import stamp, system_clock
from hivemind.domain.frames import FrameDraft
from hivemind.domain.minds import QueueState
from hivemind.domain.search import Mode, SearchRequest
from hivemind.engine import Engine
from hivemind.engine.encoder_access import SwitchedOff
from hivemind.errors import EmbedderUnavailable
from hivemind.jobs import JobStore
from hivemind.mind import Mind
from hivemind.mind.saving import save


@pytest.fixture
def meaning(tmp_path: Path) -> Iterator[Meaning]:
    made = Meaning(tmp_path / "data", WordEncoder())
    yield made
    made.close()


def test_what_is_saved_is_found_by_its_meaning_a_moment_later(meaning: Meaning) -> None:
    ferry, _ = meaning.save("The ferry leaves at noon.", "My doctor is happy.")
    facts = meaning.embedded()
    assert (facts.pending, facts.failed, facts.reason, facts.stored_model) == (0, 0, "", "words")
    assert facts.texts_per_second > 0
    assert meaning.nearest("boat departs midday", 1) == [ferry]
    (late,) = meaning.save("A glad physician drove an automobile.")
    meaning.embedded()
    assert meaning.nearest("happy doctor car", 1) == [late]


def test_the_text_has_speaker_and_date_and_news_are_told(meaning: Meaning) -> None:
    draft = FrameDraft("see you there", event_at="2023-05-08T10:00:00.000Z", speaker="Ana")
    meaning.write(lambda tx: save(tx, draft))
    meaning.embedded()
    assert meaning.encoder.texts == ["8 May 2023 Ana: see you there"]
    told = [event for event in meaning.heard if event.kind == "embedding"]
    assert told[0].phase == "running" and not told[0].finished
    assert (told[0].done, told[0].total) == (1, 1)
    assert told[-1].finished
    usage = meaning.write(lambda tx: tx.connection.execute("SELECT provider, count FROM embedding_usage").fetchall())
    assert usage == [("onnx", 1)]


def test_no_transaction_is_open_while_texts_are_embedded(meaning: Meaning, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    original = meaning.encoder.encode_documents

    async def encode_documents(texts: list[str]) -> Any:
        mind = await meaning.engine.minds.get("personal")
        began = asyncio.get_running_loop().time()
        await mind.write(lambda tx: tx.meta.set("a_person", "writes"))
        waits.append(asyncio.get_running_loop().time() - began)
        return await original(texts)

    monkeypatch.setattr(meaning.encoder, "encode_documents", encode_documents)
    meaning.save("one", "two")
    meaning.embedded()
    assert waits and max(waits) < 5


def test_a_text_that_changes_meanwhile_is_embedded_anew(meaning: Meaning, monkeypatch: pytest.MonkeyPatch) -> None:
    original = meaning.encoder.encode_documents

    async def encode_documents(texts: list[str]) -> Any:
        if texts == ["a ship"]:
            mind = await meaning.engine.minds.get("personal")
            await mind.write(lambda tx: tx.frames.rewrite(1, "a doctor"))
        return await original(texts)

    monkeypatch.setattr(meaning.encoder, "encode_documents", encode_documents)
    (frame,) = meaning.save("a ship")
    assert frame == 1
    meaning.embedded()
    stored = meaning.write(lambda tx: tx.connection.execute("SELECT embedding FROM memory_frames_vec").get)
    assert np.array_equal(np.frombuffer(stored, np.float32), encoded("a doctor", "words").pooled)


def test_one_bad_text_does_not_hold_up_the_others(tmp_path: Path) -> None:
    meaning = Meaning(tmp_path / "data", WordEncoder(poison="cursed"))
    try:
        good, bad, last = meaning.save("a ship", "a cursed text", "a car")
        facts = meaning.until(lambda f: f.pending == 0 and f.frames == 3 and f.state is QueueState.IDLE)
        assert facts.failed == 1
        assert set(meaning.nearest("boat")) == {good, last}
        assert bad not in meaning.nearest("cursed")
    finally:
        meaning.close()


def test_pause_holds_over_a_restart_and_resume_goes_on(tmp_path: Path) -> None:
    meaning = Meaning(tmp_path / "data", WordEncoder(delay=0.01))
    meaning.save_many(200)
    meaning.until(lambda f: 0 < f.embedded < 200)
    meaning.run(meaning.engine.embedding.pause("personal"))
    meaning.run(asyncio.sleep(1.0))
    paused = meaning.facts()
    assert paused.state is QueueState.PAUSED and 0 < paused.embedded < 200
    meaning.run(asyncio.sleep(0.7))
    assert meaning.facts().embedded == paused.embedded
    meaning.close()
    again = Meaning(tmp_path / "data", WordEncoder())
    try:
        again.facts()
        again.run(asyncio.sleep(0.7))
        assert again.facts().embedded == paused.embedded
        again.run(again.engine.embedding.resume("personal"))
        assert again.embedded().embedded == 200
        assert len(again.encoder.texts) == 200 - paused.embedded
    finally:
        again.close()


def test_a_killed_process_loses_nothing_and_its_lease_is_taken_over_at_once(tmp_path: Path) -> None:
    meaning = Meaning(tmp_path / "data", WordEncoder(delay=0.01))
    meaning.save_many(150)
    meaning.until(lambda f: f.embedded > 0)
    done = meaning.die()
    assert done < 150
    again = Meaning(tmp_path / "data", WordEncoder())
    try:
        again.facts()
        assert again.embedded().embedded == 150
        assert len(again.encoder.texts) == 150 - done
        jobs = again.write(lambda tx: tx.connection.execute("SELECT state, count(*) FROM jobs GROUP BY 1").fetchall())
        assert jobs == [("done", 1)]
    finally:
        again.close()


def test_while_another_process_is_at_it_this_one_waits(meaning: Meaning) -> None:
    living = json.dumps({"pid": "1", "boot": _boot(), "token": "another"})
    meaning.write(lambda tx: JobStore(tx.connection, stamp(system_clock())).create("embedding", {}, living))
    meaning.save("a ship")
    assert meaning.until(lambda f: f.state is QueueState.ELSEWHERE).embedded == 0
    # Its heart stops, though the process is still there: after a minute the lease is free.
    meaning.write(lambda tx: tx.connection.execute("UPDATE jobs SET heartbeat = '2020-01-01T00:00:00.000Z'"))
    meaning.save("a car")
    meaning.embedded()


def _boot() -> str:
    from hivemind.gateway.boot import boot_id

    return boot_id()


def test_a_sidecar_embeds_queries_and_leaves_the_queue_to_the_window(tmp_path: Path) -> None:
    window = Meaning(tmp_path / "data", WordEncoder())
    (ferry,) = window.save("the ferry leaves")
    window.embedded()
    sidecar = Meaning(tmp_path / "data", WordEncoder(), leads=False)
    try:
        assert sidecar.nearest("boat") == [ferry]
        sidecar.save("a car")
        window.until(lambda f: f.embedded == 2)
        assert sidecar.encoder.texts == []
        assert set(sidecar.nearest("boat")) == {ferry, ferry + 1}
    finally:
        sidecar.close()
        window.close()


def test_memories_of_before_the_model_are_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "data" / "minds" / "personal.mind"
    path.parent.mkdir(parents=True)
    mind = Mind.open(path, "personal", create=True)
    mind.submit_write(lambda tx: [save(tx, FrameDraft(f"note {n}")) for n in range(5)]).result(20)
    mind.close()
    meaning = Meaning(tmp_path / "data", WordEncoder())
    try:
        meaning.facts()
        meaning.embedded()
    finally:
        meaning.close()
    # The debt of some is lost, as by a restored file or another program.
    mind = Mind.open(path, "personal")
    mind.submit_write(lambda tx: tx.vectors.remove([2, 4])).result(20)
    mind.submit_write(lambda tx: save(tx, FrameDraft("one more"))).result(20)
    mind.close()
    again = Meaning(tmp_path / "data", WordEncoder())
    try:
        again.facts()
        again.until(lambda f: f.pending == 0 and f.state is QueueState.IDLE and len(again.encoder.texts) == 3)
        assert sorted(again.encoder.texts)[:2] == ["note 1", "note 3"]
    finally:
        again.close()


def test_a_missing_model_is_told_and_words_still_answer(tmp_path: Path) -> None:
    encoder = WordEncoder()
    encoder.broken = EmbedderUnavailable("The search model was not built")
    meaning = Meaning(tmp_path / "data", encoder)
    try:
        meaning.save("a ship")
        facts = meaning.until(lambda f: f.state is QueueState.UNAVAILABLE)
        assert facts.reason.startswith("The search model was not built. ")
        report = meaning.run(meaning.engine.workspaces.doctor())
        assert not report.ok and report.embedder.mode == "keyword-only"
        assert [problem.title for problem in report.problems] == ["The search model was not built"]
        result = meaning.run(meaning.engine.memory.search(SearchRequest("ship")))
        assert (result.mode, len(result.hits)) == (Mode.KEYWORD, 1)
        assert encoder.starts == 1, "not tried again at every turn"
        encoder.broken = None
        embedder, problem = meaning.run(meaning.engine.embedding.renew())
        assert (embedder.id, embedder.dim, embedder.mode, problem) == ("words", 1024, "onnx", None)
        meaning.embedded()
        assert meaning.run(meaning.engine.workspaces.doctor()).ok
    finally:
        meaning.close()


def test_a_model_that_dies_at_work_is_put_away_and_told(meaning: Meaning) -> None:
    meaning.save("a ship")
    meaning.embedded()
    meaning.encoder.broken = EmbedderUnavailable("The search model stopped twice")
    meaning.save("a car")
    facts = meaning.until(lambda f: f.state is QueueState.UNAVAILABLE)
    assert facts.reason.startswith("The search model stopped twice. ")
    assert meaning.encoder.closed
    assert facts.pending == 1


def test_switched_off_on_purpose_is_no_problem(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "data")

    async def walk() -> None:
        await engine.open()
        report = await engine.workspaces.doctor()
        assert (report.ok, report.embedder.mode, report.problems) == (True, "keyword-only", ())
        with pytest.raises(SwitchedOff):
            await engine.embedding.reembed("personal")
        await engine.close()

    asyncio.run(walk())


def test_two_sentences_can_be_compared(meaning: Meaning) -> None:
    close = meaning.run(meaning.engine.embedding.likeness("a happy doctor", "a glad physician"))
    far = meaning.run(meaning.engine.embedding.likeness("a happy doctor", "the ferry leaves"))
    assert close > 0.9 > 0.5 > far


def test_queries_are_counted_in_the_mind_that_was_asked(tmp_path: Path) -> None:
    meaning = Meaning(tmp_path / "data", WordEncoder())
    meaning.save("the ferry leaves")
    meaning.embedded()
    for query in ("boat", "ship", "boat", "noon"):
        assert meaning.run(meaning.engine.memory.search(SearchRequest(query))).mode is Mode.HYBRID
    meaning.run(meaning.engine.memory.search(SearchRequest("boat", mode=Mode.KEYWORD)))
    meaning.close()
    again = Meaning(tmp_path / "data", WordEncoder())
    try:
        told = again.write(lambda tx: tx.connection.execute("SELECT provider, count FROM embedding_usage").fetchall())
        assert told == [("onnx", 1 + 3)], "asked again, nothing is encoded"
    finally:
        again.close()


def test_texts_over_the_models_window_are_counted(meaning: Meaning, monkeypatch: pytest.MonkeyPatch) -> None:
    original = meaning.encoder.encode_documents

    async def in_passes(texts: list[str]) -> Any:
        made = await original(texts)
        return [replace(one, passes=2 if "long" in text else 1) for one, text in zip(made, texts, strict=True)]

    monkeypatch.setattr(meaning.encoder, "encode_documents", in_passes)
    meaning.save("a long ship", "a car", "a long doctor")
    meaning.embedded()
    (mind,) = meaning.run(meaning.engine.workspaces.doctor()).minds
    assert mind.long_texts == 2
    meaning.run(meaning.engine.embedding.reembed("personal"))
    meaning.until(lambda f: not f.building_model and f.state is QueueState.IDLE)
    assert meaning.write(lambda tx: tx.vectors.models.long_texts()) == 2, "of the serving model only"


def test_without_recorded_vectors_the_selftest_compares_alone_with_together(meaning: Meaning) -> None:
    report = meaning.run(meaning.engine.workspaces.doctor(selftest=True))
    assert report.selftest is not None
    assert (report.ok, report.selftest.ok, report.selftest.golden) == (True, True, 0)
    assert report.selftest.alone_cosine == pytest.approx(1.0)
    assert meaning.run(meaning.engine.workspaces.doctor()).selftest is None
