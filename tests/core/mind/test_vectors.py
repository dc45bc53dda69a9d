"""VectorStore: one transaction for floats, bits, tokens and counts; models never mixed; what goes leaves no vector.

Covers: models, pieces, vector_codec, rebuild.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from tests.core.conftest import SyncMind
from tests.samples.encoders import CONTENT, encoded, piece_of

from hivemind.domain.frames import FrameDraft
from hivemind.domain.vectors import TOKEN_DIM, Encoded, ModelIdentity
from hivemind.errors import EmbedderUnavailable, InternalFault
from hivemind.maintenance import verify
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.pieces import pack_pieces, unpack_pieces
from hivemind.mind.saving import save
from hivemind.mind.vector_codec import MAX_TOKENS, pack, pack_tokens, sign_bits, unpack_all_pieces, unpack_tokens
from hivemind.storage.vectors import PATH_VARIABLE

ONE, TWO = ModelIdentity("one", "1", "a" * 64), ModelIdentity("two", "1", "b" * 64)


def remember(mind: SyncMind, *texts: str) -> list[int]:
    return [mind.write(lambda tx, text=text: save(tx, FrameDraft(text)).frame.id) for text in texts]


def put(tx: MindTransaction, model: int, frame_id: int, text: str, salt: str = "") -> None:
    one = encoded(text, salt)
    tx.vectors.put(frame_id, model, one.pooled, one.tokens, one.pieces, CONTENT)


def embed(mind: SyncMind, ids: list[int], identity: ModelIdentity = ONE) -> int:
    def work(tx: MindTransaction) -> int:
        model = tx.vectors.register(identity)
        for frame_id in ids:
            put(tx, model, frame_id, tx.frames.get(frame_id).content, identity.name)
        return model

    return mind.write(work)


def rows_of(tx: MindTransaction, frame_id: int) -> tuple[int, ...]:
    tables = {"memory_frames_vec": "rowid", "memory_frames_bits": "frame_id", "frame_tokens": "frame_id"}
    return tuple(
        tx.connection.execute(f"SELECT count(*) FROM {table} WHERE {key} = ?", (frame_id,)).get
        for table, key in tables.items()
    )


def counted(tx: MindTransaction, model: int) -> dict[int, int]:
    """Document frequencies as the stored rows have them."""
    rows = tx.connection.execute("SELECT n, pieces FROM frame_tokens WHERE model_id = ?", (model,))
    return dict(Counter(piece for n, blob in rows for piece in set(unpack_pieces(blob, n))))


def kept(tx: MindTransaction, model: int) -> dict[int, int]:
    return dict(tx.connection.execute("SELECT piece, df FROM piece_df WHERE model_id = ?", (model,)))


def test_a_put_writes_everything_and_settles_what_is_owed(sync_mind: SyncMind) -> None:
    (frame,) = remember(sync_mind, "The ferry leaves at noon.")
    assert sync_mind.read(lambda tx: tx.outbox.pending("embedding")) == 1
    before = sync_mind.read(lambda tx: tx.feed.last_seq())
    model = embed(sync_mind, [frame])
    assert sync_mind.read(lambda tx: rows_of(tx, frame)) == (1, 1, 1)
    assert sync_mind.read(lambda tx: tx.outbox.pending("embedding")) == 0
    assert [(f, op) for _, f, op in sync_mind.read(lambda tx: tx.feed.since(before))] == [(frame, "vector")]
    assert sync_mind.read(lambda tx: tx.vectors.docs(model)) == 1
    assert sync_mind.read(lambda tx: tx.vectors.count_embedded()) == 1
    whole = encoded("The ferry leaves at noon.", "one")
    words = ["ferry", "leaves", "noon"]
    assert sync_mind.read(lambda tx: tx.vectors.pieces_of(frame, model)) == tuple(map(piece_of, words))
    block = sync_mind.read(lambda tx: tx.vectors.tokens_of([frame], model))
    assert list(block.lengths) == [3]
    expected = whole.tokens[[1, 2, 4]]
    cosine = (block.tokens * expected).sum(1) / np.linalg.norm(block.tokens.astype(float), axis=1)
    assert cosine.min() > 0.999
    stored = sync_mind.read(
        lambda tx: tx.connection.execute("SELECT embedding FROM memory_frames_vec WHERE rowid = ?", (frame,)).get
    )
    assert np.array_equal(np.frombuffer(stored, np.float32), whole.pooled)
    bits, native = sync_mind.read(
        lambda tx: tx.connection.execute(
            "SELECT bits, vec_quantize_binary(?1) FROM memory_frames_bits", (stored,)
        ).fetchone()
    )
    assert bits == native
    frequencies = sync_mind.read(lambda tx: tx.vectors.df([piece_of(w) for w in ("ferry", "the", "noon")], model))
    assert frequencies.tolist() == [1, 0, 1]


def test_a_failure_in_the_middle_leaves_nothing(sync_mind: SyncMind) -> None:
    first, second = remember(sync_mind, "one text", "another text")

    def work(tx: MindTransaction) -> None:
        model = tx.vectors.register(ONE)
        put(tx, model, first, "one text")
        put(tx, model, second + 1_000, "nobody's text")

    with pytest.raises(Exception):  # noqa: B017 - whatever SQLite says of a frame that is not there
        sync_mind.write(work)
    assert sync_mind.read(lambda tx: rows_of(tx, first)) == (0, 0, 0)
    assert sync_mind.read(lambda tx: tx.vectors.serving()) is None
    assert sync_mind.read(lambda tx: tx.outbox.pending("embedding")) == 2


def test_what_is_removed_or_rewritten_leaves_no_vector(sync_mind: SyncMind) -> None:
    ids = remember(sync_mind, "a ship and a car", "a ship and a doctor", "a glad car")
    model = embed(sync_mind, ids)
    sync_mind.write(lambda tx: tx.frames.remove([ids[1]]))
    assert sync_mind.read(lambda tx: rows_of(tx, ids[1])) == (0, 0, 0)
    sync_mind.write(lambda tx: tx.frames.rewrite(ids[2], "a sad bicycle"))
    assert sync_mind.read(lambda tx: rows_of(tx, ids[2])) == (0, 0, 0)
    assert sync_mind.read(lambda tx: tx.outbox.pending("embedding")) == 1
    assert sync_mind.read(lambda tx: tx.vectors.docs(model)) == 1
    assert sync_mind.read(lambda tx: kept(tx, model)) == sync_mind.read(lambda tx: counted(tx, model))
    assert sync_mind.read(lambda tx: tx.vectors.count_embedded()) == 1
    # The floats themselves, not only the row that names them.
    gone = encoded("a ship and a doctor", "one").pooled.tobytes()
    left = sync_mind.read(
        lambda tx: (
            tx.connection.execute(
                "SELECT count(*) FROM memory_frames_vec_vector_chunks00 WHERE instr(vectors, ?)", (gone[:64],)
            ).get
        )
    )
    assert left == 0


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.text("ab the.", min_size=1, max_size=12), st.booleans()), max_size=12))
def test_document_frequencies_always_equal_the_stored_rows(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str, bool]]
) -> None:
    mind = Mind.open(tmp_path_factory.mktemp("df") / "m.mind", "m", create=True)
    try:

        def work(tx: MindTransaction) -> tuple[object, object, int, int]:
            session = tx.sessions.create().id
            first = tx.frames.create_i_frame(FrameDraft("zero", session_id=session)).id
            ids = [tx.frames.create_p_frame(FrameDraft(f"number {n}", session), first).id for n in range(6)]
            model = tx.vectors.register(ONE)
            for at, text, removing in steps:
                if tx.frames.find(ids[at]) is not None:
                    if removing:
                        tx.frames.remove([ids[at]])
                    else:
                        put(tx, model, ids[at], text)
            docs = tx.connection.execute("SELECT count(*) FROM memory_frames_bits").get
            return kept(tx, model), counted(tx, model), tx.vectors.docs(model), docs

        stored, true, docs, rows = mind.submit_write(work).result(20)
        assert stored == true
        assert docs == rows
    finally:
        mind.close()


def verify_words(mind: SyncMind) -> list[str]:
    return [finding for finding in mind.read(verify) if "pieces" in finding]


def test_recount_mends_wrong_counts(sync_mind: SyncMind) -> None:
    model = embed(sync_mind, remember(sync_mind, "a ship", "a car"))
    assert sync_mind.write(lambda tx: tx.vectors.recount(model)) is False
    sync_mind.write(lambda tx: tx.connection.execute("UPDATE piece_df SET df = df + 4"))
    sync_mind.write(lambda tx: tx.connection.execute("UPDATE models SET docs = 9"))
    assert verify_words(sync_mind) == ["The word pieces of the model “one” are miscounted. Rebuild the indexes."]
    assert sync_mind.write(lambda tx: tx.vectors.recount(model)) is True
    assert verify_words(sync_mind) == []
    assert sync_mind.read(lambda tx: kept(tx, model)) == sync_mind.read(lambda tx: counted(tx, model))
    assert sync_mind.read(lambda tx: tx.vectors.docs(model)) == 2


def test_tokens_come_in_the_order_asked_and_say_who_has_none(sync_mind: SyncMind) -> None:
    ids = remember(sync_mind, "a ship", "the", "happy car doctor", "not embedded")
    model = embed(sync_mind, ids[:3])
    block = sync_mind.read(lambda tx: tx.vectors.tokens_of([ids[2], ids[3], ids[1], ids[0]], model))
    assert block.lengths.tolist() == [3, 0, 0, 1]
    assert block.stored.tolist() == [True, False, True, True]
    assert block.tokens.shape == (4, TOKEN_DIM)
    assert block.pieces.tolist() == [piece_of(word) for word in ("happy", "car", "doctor", "ship")]
    empty = sync_mind.read(lambda tx: tx.vectors.tokens_of([], model))
    assert (empty.lengths.shape, empty.tokens.shape) == ((0,), (0, TOKEN_DIM))


def test_models_are_told_apart_and_the_second_is_built_beside(sync_mind: SyncMind) -> None:
    ids = remember(sync_mind, "a ship", "a car")
    one = embed(sync_mind, ids)
    assert sync_mind.write(lambda tx: tx.vectors.register(ONE)) == one
    two = embed(sync_mind, ids[:1], TWO)
    states = {model.model_id: model.state for model in sync_mind.read(lambda tx: tx.vectors.models.list())}
    assert states == {one: "serving", two: "building"}
    serving = sync_mind.read(lambda tx: tx.vectors.serving())
    assert serving is not None and serving.is_of(ONE) and not serving.is_of(TWO)
    floats = sync_mind.read(
        lambda tx: [
            tx.connection.execute(f"SELECT embedding FROM {table} WHERE rowid = ?", (ids[0],)).get
            for table in ("memory_frames_vec", "memory_frames_vec_next")
        ]
    )
    assert floats == [encoded("a ship", name).pooled.tobytes() for name in ("one", "two")]
    assert sync_mind.write(lambda tx: tx.rebuild.switch_to(two)) is False
    assert sync_mind.read(lambda tx: tx.rebuild.missing(two, 0, 10)) == ids[1:]


def test_the_switch_is_one_step_and_the_old_vectors_go_in_slices(sync_mind: SyncMind) -> None:
    ids = remember(sync_mind, *(f"text number {n}" for n in range(7)))
    one, two = embed(sync_mind, ids), embed(sync_mind, ids, TWO)
    (late,) = remember(sync_mind, "a late one")
    embed(sync_mind, [late], TWO)
    assert sync_mind.write(lambda tx: tx.rebuild.switch_to(two)) is True
    serving = sync_mind.read(lambda tx: tx.vectors.serving())
    assert serving is not None and (serving.model_id, serving.docs) == (two, 8)
    assert sync_mind.read(lambda tx: tx.outbox.pending("embedding")) == 0
    assert sync_mind.read(lambda tx: tx.vectors.models.serving_table()) == "memory_frames_vec_next"
    went = [sync_mind.write(lambda tx: tx.rebuild.clear_retired(3)) for _ in range(5)]
    assert went == [3, 3, 1, 0, 0]
    assert [m.model_id for m in sync_mind.read(lambda tx: tx.vectors.models.list())] == [two]
    left = sync_mind.read(
        lambda tx: [
            tx.connection.execute(f"SELECT count(*) FROM {table}").get
            for table in ("memory_frames_vec", "memory_frames_vec_next", "memory_frames_bits", "frame_tokens")
        ]
    )
    assert left == [0, 8, 8, 8]
    assert sync_mind.read(lambda tx: kept(tx, two)) == sync_mind.read(lambda tx: counted(tx, two))
    assert sync_mind.read(lambda tx: kept(tx, one)) == {}
    # And back again: the two tables take turns.
    three = embed(sync_mind, [*ids, late], ONE)
    assert sync_mind.write(lambda tx: tx.rebuild.switch_to(three)) is True
    assert sync_mind.read(lambda tx: tx.vectors.models.serving_table()) == "memory_frames_vec"


def test_a_build_that_is_given_up_leaves_nothing_behind(sync_mind: SyncMind) -> None:
    ids = remember(sync_mind, "a ship", "a car", "a doctor")
    embed(sync_mind, ids)
    embed(sync_mind, ids, TWO)
    third = ModelIdentity("three", "1", "c" * 64)
    embed(sync_mind, ids[:1], third)
    while sync_mind.write(lambda tx: tx.rebuild.clear_retired(2)):
        pass
    found = sync_mind.read(
        lambda tx: [row for (row,) in tx.connection.execute("SELECT rowid FROM memory_frames_vec_next")]
    )
    assert found == ids[:1]
    names = [(m.name, m.state) for m in sync_mind.read(lambda tx: tx.vectors.models.list())]
    assert names == [("one", "serving"), ("three", "building")]


def test_removal_reaches_the_model_that_is_being_built(sync_mind: SyncMind) -> None:
    ids = remember(sync_mind, "a ship", "a car")
    embed(sync_mind, ids)
    two = embed(sync_mind, ids, TWO)
    sync_mind.write(lambda tx: tx.frames.remove(ids[1:]))
    found = sync_mind.read(
        lambda tx: [row for (row,) in tx.connection.execute("SELECT rowid FROM memory_frames_vec_next")]
    )
    assert found == ids[:1]
    assert sync_mind.read(lambda tx: tx.vectors.docs(two)) == 1


def test_a_model_of_another_size_is_refused(sync_mind: SyncMind) -> None:
    with pytest.raises(EmbedderUnavailable, match="do not fit"):
        sync_mind.write(lambda tx: tx.vectors.register(ModelIdentity("small", "1", "d" * 64, dim=384)))


def test_without_the_library_nothing_is_stored_but_removing_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PATH_VARIABLE, "/no/such/file")
    mind = Mind.open(tmp_path / "m.mind", "m", create=True)
    try:
        frame = mind.submit_write(lambda tx: save(tx, FrameDraft("a ship")).frame.id).result(20)
        model = mind.submit_write(lambda tx: tx.vectors.register(ONE)).result(20)
        with pytest.raises(InternalFault):
            mind.submit_write(lambda tx: put(tx, model, frame, "a ship")).result(20)
        assert mind.submit_write(lambda tx: tx.frames.remove([frame])).result(20) == 1
    finally:
        mind.close()


@pytest.mark.parametrize("token_bits", [8, 4])
@given(
    tokens=npst.arrays(
        np.float32, st.tuples(st.integers(0, 9), st.just(TOKEN_DIM)), elements=st.floats(-1, 1, width=32)
    )
)
def test_tokens_survive_packing_within_half_a_step(token_bits: int, tokens: np.ndarray) -> None:
    levels = {8: 127, 4: 7}[token_bits]
    blob = pack_tokens(tokens, token_bits)
    assert len(blob) == len(tokens) * TOKEN_DIM * token_bits // 8
    back = unpack_tokens(blob, token_bits)
    assert back.shape == tokens.shape
    peak = np.maximum(np.abs(tokens).max(axis=1, keepdims=True), 1e-9) if len(tokens) else tokens
    assert np.all(np.abs(back * (peak / levels) - tokens) <= peak / levels * 0.5001)


@given(st.lists(st.integers(0, 250_000), max_size=40))
def test_pieces_survive_packing(pieces: list[int]) -> None:
    blob = pack_pieces(pieces)
    assert list(unpack_pieces(blob, len(pieces))) == pieces
    assert len(blob) == len(pieces) * (4 if max(pieces, default=0) > 65_535 else 2)


def test_packing_keeps_the_first_content_rows_and_refuses_what_is_no_vector() -> None:
    long = encoded(" ".join(f"word{n} the" for n in range(MAX_TOKENS + 5)))
    packed = pack(1, long, CONTENT)
    assert packed.count == MAX_TOKENS
    assert list(unpack_pieces(packed.pieces, packed.count))[:2] == [piece_of("word0"), piece_of("word1")]
    assert packed.bits == sign_bits(long.pooled)
    assert pack(1, encoded("the ship"), None).count == 2
    for wrong in (np.zeros(1024), np.full(1024, np.nan), np.ones(384)):
        with pytest.raises(ValueError, match="finite"):
            pack(1, Encoded(wrong.astype(np.float32), long.tokens[:0], ()), CONTENT)


def test_the_mind_carries_its_models_facts(sync_mind: SyncMind) -> None:
    embed(sync_mind, remember(sync_mind, "a ship"))
    row = sync_mind.read(
        lambda tx: (
            tx.connection.execute(
                "SELECT json_array(name, revision, sha, dim, token_dim, text_version) FROM models"
            ).get
        )
    )
    assert json.loads(row) == ["one", "1", "a" * 64, 1024, 64, 1]


@given(st.lists(st.lists(st.integers(0, 2**18), max_size=5), max_size=6), st.booleans())
def test_pieces_of_many_frames_are_read_at_once(frames: list[list[int]], short: bool) -> None:
    kept = [[piece % 65_536 for piece in one] if short else one for one in frames]
    together = unpack_all_pieces([(pack_pieces(one), len(one)) for one in kept])
    assert together.dtype == np.int64
    assert together.tolist() == [piece for one in kept for piece in one]
