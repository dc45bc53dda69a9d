"""VectorIndex finds by meaning what is current in the caller's snapshot, whoever wrote it, and nothing else."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.samples.encoders import CONTENT, encoded

from hivemind.domain.frames import FrameDraft
from hivemind.domain.vectors import ModelIdentity
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.saving import save
from hivemind.search import vector_index
from hivemind.search.vector_index import VectorIndex
from hivemind.storage.backup import backup, restore_into

ONE, TWO = ModelIdentity("one", "1", "a" * 64), ModelIdentity("two", "1", "b" * 64)


class Meant:
    """A mind whose frames are embedded as they are saved."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.mind = Mind.open(path, "m", create=create)
        self.index = VectorIndex.of(self.mind)

    def write(self, work):  # type: ignore[no-untyped-def]
        return self.mind.submit_write(work).result(20)

    def save(self, *texts: str, identity: ModelIdentity = ONE) -> list[int]:
        def work(tx: MindTransaction) -> list[int]:
            ids = [save(tx, FrameDraft(text)).frame.id for text in texts]
            embed(tx, ids, identity)
            return ids

        return self.write(work)

    def find(self, query: str, limit: int = 10, salt: str = "one", **more: object) -> list[int]:
        pooled = encoded(query, salt).pooled
        found = self.mind.submit_read(lambda tx: self.index.nearest(tx, pooled, limit, **more)).result(20)
        assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)
        return [frame_id for frame_id, _ in found]


def embed(tx: MindTransaction, ids: list[int], identity: ModelIdentity = ONE) -> int:
    model = tx.vectors.register(identity)
    for frame_id in ids:
        one = encoded(tx.frames.get(frame_id).content, identity.name)
        tx.vectors.put(frame_id, model, one.pooled, one.tokens, one.pieces, CONTENT)
    return model


@pytest.fixture
def meant(tmp_path: Path) -> Iterator[Meant]:
    made = Meant(tmp_path / "m.mind")
    yield made
    made.mind.close()


def test_other_words_of_the_same_meaning_are_found_with_their_exact_cosine(meant: Meant) -> None:
    ferry, doctor, _ = meant.save("the ferry leaves at noon", "my doctor is happy", "a red apple")
    assert meant.find("boat departs midday", 1) == [ferry]
    assert meant.find("glad physician", 2)[0] == doctor
    pooled = encoded("glad physician", "one").pooled
    expected = float(encoded("my doctor is happy", "one").pooled @ pooled)
    read = meant.mind.submit_read
    assert dict(read(lambda tx: meant.index.nearest(tx, pooled, 3)).result(20))[doctor] == pytest.approx(
        expected, abs=1e-6
    )
    exact = read(lambda tx: meant.index.cosines(tx, pooled, [999, doctor])).result(20)
    assert exact.tolist() == pytest.approx([0.0, expected], abs=1e-6)


def test_nothing_is_found_without_a_model_and_nothing_breaks(meant: Meant) -> None:
    meant.write(lambda tx: save(tx, FrameDraft("no vector")))
    assert meant.find("no vector") == []


def test_what_is_not_current_is_not_found(meant: Meant) -> None:
    amended, retracted, trashed, removed, rewritten = meant.save(
        "ship one", "ship two", "ship three", "ship four", "ship five"
    )
    assert len(meant.find("boat")) == 5
    patch = meant.write(lambda tx: tx.frames.amend(amended, "a car instead").id)
    meant.write(lambda tx: embed(tx, [patch]))
    meant.write(lambda tx: tx.frames.retract(retracted))
    meant.write(lambda tx: tx.frames.trash([trashed]))
    meant.write(lambda tx: tx.frames.remove([removed]))
    meant.write(lambda tx: tx.frames.rewrite(rewritten, "nothing of the kind"))
    assert meant.find("boat") == [patch]
    meant.write(lambda tx: tx.frames.restore([trashed]))
    assert meant.find("boat")[0] == trashed


def test_another_process_is_heard_at_once(meant: Meant, tmp_path: Path) -> None:
    (first,) = meant.save("the ferry leaves")
    assert meant.find("boat departs") == [first]
    other = Meant(tmp_path / "m.mind", create=False)
    try:
        (second,) = other.save("the ship goes")
        assert set(meant.find("boat departs")) == {first, second}
        other.write(lambda tx: tx.frames.remove([first]))
        assert meant.find("boat departs") == [second]
        assert len(meant.index) == 1
    finally:
        other.mind.close()


def test_allowed_frames_and_conditions_act_before_the_page_is_cut(
    meant: Meant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "WEIGHED", 8)
    monkeypatch.setattr(vector_index, "LEAST_READ", 2)
    near = meant.save(*(f"ferry ship boat {n}" for n in range(60)))
    far = meant.save("a ferry, apple, pear, plum, fig and lime", "an apple")
    assert set(meant.find("ferry", 10)) <= set(near)
    assert meant.find("ferry", 10, allowed=far) == far
    assert meant.find("ferry", 1, allowed=[far[1], 777]) == [far[1]]
    assert meant.find("ferry", 10, allowed=[]) == []
    condition = {"where": " AND f.content LIKE ?", "bindings": ("%apple%",)}
    assert meant.find("ferry", 2, **condition) == far
    assert meant.find("ferry", 2, where=" AND f.id = ?", bindings=(near[3],)) == [near[3]]
    # Where most of the best are hidden, those behind them are looked at.
    meant.write(lambda tx: tx.frames.trash(near[:55]))
    assert set(meant.find("ferry", 7)) == {*near[55:], *far}


def test_many_frames_are_found_as_an_exact_comparison_finds_them(meant: Meant) -> None:
    chance = np.random.default_rng(3)
    themes = chance.standard_normal((200, 1024))
    vectors = themes[chance.integers(0, 200, 3_000)] + 0.8 * chance.standard_normal((3_000, 1024))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    def work(tx: MindTransaction) -> int:
        session = tx.sessions.create().id
        base = tx.frames.create_i_frame(FrameDraft("base", session_id=session)).id
        ids = tx.frames.add_imported([FrameDraft(f"number {n}", session) for n in range(3_000)], base)
        model, nothing = tx.vectors.register(ONE), np.empty((0, 64), np.float32)
        for frame_id, vector in zip(ids, vectors, strict=True):
            tx.vectors.put(frame_id, model, vector, nothing, ())
        return ids[0]

    first = meant.write(work)
    hits = 0
    for query in (vectors[:20] + 0.02 * chance.standard_normal((20, 1024))).astype(np.float32):
        query /= np.linalg.norm(query)
        exact = set((np.argsort(-(vectors @ query))[:10] + first).tolist())
        found = meant.mind.submit_read(lambda tx, query=query: meant.index.nearest(tx, query, 10)).result(20)
        hits += len(exact & {frame_id for frame_id, _ in found})
    assert hits >= 196


def test_another_model_is_never_compared(meant: Meant) -> None:
    ids = meant.save("the ferry leaves", "a happy doctor")
    assert meant.find("boat departs", 1) == ids[:1]
    two = meant.write(lambda tx: embed(tx, ids, TWO))
    assert meant.find("boat departs", 1) == ids[:1]
    assert meant.write(lambda tx: tx.rebuild.switch_to(two))
    assert meant.find("boat departs", 1, salt="two") == ids[:1]
    while meant.write(lambda tx: tx.rebuild.clear_retired(1)):
        assert meant.find("glad physician", 1, salt="two") == ids[1:]
    assert len(meant.index) == 2


def test_a_restored_file_is_read_anew(meant: Meant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_index, "_MOMENT", 0.05)
    (first,) = meant.save("the ferry leaves")
    kept = backup(meant.mind.path, tmp_path / "kept.mind").path
    later = meant.save("the ship goes", "a boat departs")
    assert set(meant.find("ferry leaves")) == {first, *later}
    restore_into(meant.mind.database, kept)
    assert meant.find("ferry leaves") == [first]
    time.sleep(0.1)
    assert meant.find("ferry leaves") == [first]
    assert len(meant.index) == 1


def test_an_older_snapshot_gets_only_what_it_holds(meant: Meant) -> None:
    (first,) = meant.save("the ferry leaves")
    pooled = encoded("boat departs", "one").pooled

    def work(tx: MindTransaction) -> list[int]:
        tx.frames.get(first)
        # Meanwhile a later snapshot brings the index further than this one.
        (later,) = meant.save("the ship goes")
        assert set(meant.find("boat departs")) == {first, later}
        return [frame_id for frame_id, _ in meant.index.nearest(tx, pooled, 10)]

    assert meant.mind.submit_read(work).result(20) == [first]


def test_the_index_goes_with_the_mind(tmp_path: Path) -> None:
    made = Meant(tmp_path / "m.mind")
    made.save("the ferry leaves")
    assert VectorIndex.of(made.mind) is made.index
    assert made.find("boat")
    alive = weakref.ref(made.index)
    made.mind.close()
    del made.index
    gc.collect()
    assert alive() is None
