"""Late interaction equals its formulas, written out frame by frame and token by token."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hivemind.search.late_interaction import (
    CONSTANTS,
    Evidence,
    best_tokens,
    interact,
    match_matrix,
    near,
    token_weights,
)

NINE = {
    "window": 1.0, "own": 0.45, "exact": 0.09, "session": 0.35, "speaker": 0.20, "when": 0.10, "time": 0.03,
    "name": 0.04, "reply": 0.17,
}  # fmt: skip
DECAYS = {0: 1.0, -1: 0.95, 1: 0.90, -2: 0.90, 2: 0.85, -3: 0.80, 3: 0.70}
CONTEXT = {0: 1.0, -1: 0.6, 1: 0.3, -2: 0.3, 2: 0.2}


def plain_score(frames: list[dict[str, Any]], query: list[list[float]], omega: list[float], cues: tuple[bool, bool]):  # type: ignore[no-untyped-def]
    """One dictionary of addends per frame, by loops over Python numbers."""
    when, what = cues
    at = {(frame["thread"], frame["place"]): frame for frame in frames}

    def cosine(a: list[float], b: list[float]) -> float:
        return sum(x * y for x, y in zip(a, b, strict=True)) / max(1e-9, math.sqrt(sum(x * x for x in a)))

    def beside(frame: dict[str, Any], offset: int) -> dict[str, Any] | None:
        return at.get((frame["thread"], frame["place"] + offset))

    for frame in frames:
        frame["m"] = [max([0.0, *(cosine(token, q) for token in frame["tokens"])]) for q in query]
        frame["v"] = sum(o * m for o, m in zip(omega, frame["m"], strict=True)) - 0.3
    best: dict[int, float] = {}
    for frame in frames:
        if frame["session"] >= 0 and frame["lifts"]:
            worth = frame["v"] + 0.3 * frame["exact"]
            best[frame["session"]] = max(worth, best.get(frame["session"], -math.inf))
    scores = []
    for frame in frames:
        window = 0.0
        for t, o in enumerate(omega):
            window += o * max(d * other["m"][t] for k, d in DECAYS.items() if (other := beside(frame, k)))
        context = sum(c * other["exact"] for k, c in CONTEXT.items() if (other := beside(frame, k)))
        previous = beside(frame, -1)
        features = {
            "window": window,
            "own": frame["v"],
            "exact": context,
            "session": best.get(frame["session"], 0.0) if frame["session"] >= 0 else 0.0,
            "speaker": float(frame["named"]),
            "when": float(frame["time"] and when),
            "time": float(frame["time"]),
            "name": float(frame["capital"] and what),
            "reply": previous["v"] if previous is not None and previous["question"] else 0.0,
        }
        scores.append({name: NINE[name] * value for name, value in features.items()})
    return scores


@st.composite
def scenes(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[list[float]], list[float]]:
    places = draw(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=16))
    small = st.integers(-127, 127)
    vector = st.lists(small, min_size=4, max_size=4)
    mark = st.booleans()
    frames = [
        {
            "thread": thread, "place": place, "tokens": draw(st.lists(vector, max_size=4)),
            "exact": draw(st.sampled_from([0.0, 0.25, 1.0])), "session": draw(st.integers(-1, 2)), "lifts": draw(mark),
            "named": draw(mark), "time": draw(mark), "capital": draw(mark), "question": draw(mark),
        }
        for thread, place in sorted(places)
    ]  # fmt: skip
    raw = draw(st.lists(st.lists(st.integers(-9, 9), min_size=4, max_size=4).filter(any), max_size=5))
    query = [[x / math.sqrt(sum(y * y for y in row)) for x in row] for row in raw]
    omega = draw(st.lists(st.floats(0, 1), min_size=len(query), max_size=len(query)))
    return frames, query, omega


def evidence_of(frames: list[dict[str, Any]], query: list[list[float]]) -> Evidence:
    tokens = np.array([token for frame in frames for token in frame["tokens"]], np.int8).reshape(-1, 4)
    lengths = np.array([len(frame["tokens"]) for frame in frames])

    def column(name: str, kind: type) -> Any:
        return np.array([frame[name] for frame in frames], kind)

    return Evidence(
        match_matrix(tokens, lengths, np.array(query, np.float32).reshape(-1, 4)),
        column("thread", np.int64), column("place", np.int64), column("exact", np.float64),
        column("session", np.int64), column("lifts", np.bool_), column("named", np.bool_), column("time", np.bool_),
        column("capital", np.bool_), column("question", np.bool_),
    )  # fmt: skip


def test_there_are_nine_constants_and_these_are_they() -> None:
    assert {name: getattr(CONSTANTS, name) for name in CONSTANTS.__dataclass_fields__} == NINE


@settings(deadline=None, max_examples=200)
@given(scenes(), st.booleans(), st.booleans())
def test_it_equals_the_formulas(scene, when, what):  # type: ignore[no-untyped-def]
    frames, query, omega = scene
    evidence = evidence_of(frames, query)
    told = interact(evidence, np.array(omega, np.float64), asks_when=when, asks_what=what)
    for row, wanted in enumerate(plain_score(frames, query, omega, (when, what))):
        for name, value in wanted.items():
            assert abs(told.addends[name][row] - value) < 2e-6, name
        assert abs(told.score[row] - sum(wanted.values())) < 1e-5


@settings(deadline=None, max_examples=100)
@given(scenes())
def test_the_carrier_is_who_lends_the_match(scene):  # type: ignore[no-untyped-def]
    frames, query, omega = scene
    evidence = evidence_of(frames, query)
    told = interact(evidence, np.array(omega, np.float64), asks_when=False, asks_what=False)
    for row in range(len(frames)):
        for t in range(len(query)):
            lender = int(told.carrier[row, t])
            assert evidence.thread[lender] == evidence.thread[row]
            decay = DECAYS[int(evidence.place[lender] - evidence.place[row])]
            assert abs(decay * evidence.match[lender, t] - told.best[row, t]) < 1e-6
            assert told.best[row, t] >= evidence.match[row, t]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 8)), unique=True), st.integers(-3, 3))
def test_near_is_the_place_and_never_another_thread(pairs, offset):  # type: ignore[no-untyped-def]
    pairs.sort()
    thread, place = (np.array([pair[i] for pair in pairs], np.int64) for i in (0, 1))
    wanted = [pairs.index((a, b + offset)) if (a, b + offset) in pairs else -1 for a, b in pairs]
    assert near(thread, place, offset).tolist() == wanted


@given(st.lists(st.tuples(st.integers(0, 50), st.booleans()), max_size=8))
def test_token_weights_are_the_formula(tokens):  # type: ignore[no-untyped-def]
    raw = [max(0.0, math.log(51 / (df + 0.5))) * content for df, content in tokens]
    told = token_weights(np.array([df for df, _ in tokens], np.int64), 50, np.array([c for _, c in tokens], np.bool_))
    assert len(told) == len(tokens)
    if sum(raw) > 0:
        assert np.allclose(told, np.array(raw) / sum(raw))
    elif tokens:
        assert math.isclose(told.sum(), 1.0)
        content = [c for _, c in tokens]
        assert all(weight > 0 for weight, c in zip(told, content, strict=True) if c or not any(content))


def test_a_stop_piece_weighs_nothing_unless_there_is_nothing_else() -> None:
    frequencies, content = np.array([900, 3, 0]), np.array([False, True, False])
    assert token_weights(frequencies, 1_000, content).tolist() == [0.0, 1.0, 0.0]
    assert token_weights(frequencies, 1_000, np.zeros(3, np.bool_)).tolist() == [1 / 3] * 3
    # Every frame holds it: it tells nothing, and still it is all there is.
    assert token_weights(np.array([1_000]), 1_000, np.array([True])).tolist() == [1.0]


def test_the_best_token_is_the_nearest() -> None:
    tokens = np.array([[127, 0], [0, 127], [90, -90]], np.int8)
    query = np.array([[0.0, 1.0], [0.7, -0.7], [1.0, 0.1]], np.float32)
    rows, cosines = best_tokens(tokens, query)
    assert rows.tolist() == [1, 2, 0]
    assert np.allclose(cosines, match_matrix(tokens, np.array([3]), query)[0], atol=1e-6)


def test_nothing_found_is_nothing_scored() -> None:
    told = interact(evidence_of([], [[1.0, 0.0, 0.0, 0.0]]), np.ones(1), asks_when=True, asks_what=True)
    assert told.score.shape == (0,)
