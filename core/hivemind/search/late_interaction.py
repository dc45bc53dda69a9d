"""Windowed late interaction: how well a frame, with its neighbours in the session, answers each token of the query.

Pure arrays, no database. n candidates in reading order, t tokens of the query; a row is a candidate's place in the
arrays, -1 stands for none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]
    Rows = NDArray[np.int64]
    Marks = NDArray[np.bool_]

# Multiplications of one matrix product that OpenBLAS does not share out among threads.
_ONE_THREAD = 250_000
#: Places of one thread are further apart than this, or they are neighbours at their distance.
_STRIDE = 1 << 32


@dataclass(frozen=True, slots=True)
class Constants:
    """The nine weights of the default recipe.

    Source: listwise softmax fit (L-BFGS, l2 .002) of linear weights over the features below, on 1,536 questions of
    LoCoMo and 705 of REALTALK, each half scored with weights of the other: recall@10 83.0 and 62.7, against 63.4 and
    52.2 of RRF. The optima are flat, a gradient-boosted ranker over the same features gains nothing. Not to be tuned.
    """

    window: float = 1.0
    own: float = 0.45
    exact: float = 0.09
    session: float = 0.35
    speaker: float = 0.20
    when: float = 0.10
    time: float = 0.03
    name: float = 0.04
    reply: float = 0.17


@dataclass(frozen=True, slots=True)
class Shape:
    """What the weights were fitted with. Offsets count frames in reading order, -1 is the one before.

    `level`: cosine of unrelated tokens. `decays`: what a neighbour's match counts. `context`: the same for exact
    words. `session_words`: share of exact words in what a session's best frame is worth.
    """

    level: float = 0.3
    decays: tuple[tuple[int, float], ...] = ((-1, 0.95), (1, 0.90), (-2, 0.90), (2, 0.85), (-3, 0.80), (3, 0.70))
    context: tuple[tuple[int, float], ...] = ((-1, 0.6), (1, 0.3), (-2, 0.3), (2, 0.2))
    session_words: float = 0.3


CONSTANTS = Constants()
SHAPE = Shape()
#: A frame's neighbours on either side that are candidates with it.
REACH = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the candidates. Rows ascend by (`thread`, `place`), each pair once.

    `match` float32[n, t]: best cosine of each query token with a token of the frame, not below 0. `exact`: bm25 over
    the best bm25, 0 where no word matched. `session`: a number, -1 where frames of a session have nothing to do with
    each other. `lifts`: may raise its session. `named`: said by the one whom the query names. `time`, `capital`,
    `question`: the frame's flags.
    """

    match: Floats
    thread: Rows
    place: Rows
    exact: Doubles
    session: Rows
    lifts: Marks
    named: Marks
    time: Marks
    capital: Marks
    question: Marks


@dataclass(frozen=True, slots=True)
class Interaction:
    """`addends`: float64[n] by name of its constant, weighted; their sum is the score. `own` float64[n]: what a frame
    says by itself over the level. `match` is the evidence's; `best` float32[n, t]: the one that counts after decay;
    `carrier` int64[n, t]: the row that holds it."""

    addends: dict[str, Doubles]
    own: Doubles
    match: Floats
    best: Floats
    carrier: Rows

    @property
    def score(self) -> Doubles:
        """float64[n]"""
        return np.asarray(np.sum(list(self.addends.values()), axis=0), np.float64)


def token_weights(frequencies: Rows, documents: int, content: Marks) -> Doubles:
    """float64[t], sum 1: how much each token of the query counts, rare ones most; what is no content, nothing.

    `frequencies`: frames that hold the token, of `documents`. When nothing is left, all content counts alike, and
    when there is no content either, everything does.
    """
    rarity = np.maximum(0.0, np.log((documents + 1) / (frequencies + 0.5))) * content
    for weights in (rarity, content * 1.0, np.ones(len(content))):
        total = weights.sum()
        if total > 0:
            return np.asarray(weights / total, np.float64)
    return np.asarray(rarity, np.float64)


def match_matrix(tokens: NDArray[np.int8], lengths: Rows, query: Floats) -> Floats:
    """float32[n, t]: best cosine of each query token (unit rows of `query`) with the tokens of each frame.

    `tokens` int8[sum of lengths, d]: all frames' tokens, one frame's after the other's. 0 for a frame without.
    """
    matched = np.zeros((len(lengths), len(query)), np.float32)
    if not len(tokens) or not len(query):
        return matched
    cosines = _cosines(tokens, query)
    has = lengths > 0
    starts = np.concatenate(([0], np.cumsum(lengths[has])[:-1]))
    matched[has] = np.maximum.reduceat(cosines, starts, axis=0)
    return np.maximum(matched, 0.0)


def best_tokens(tokens: NDArray[np.int8], query: Floats) -> tuple[Rows, Floats]:
    """int64[t] and float32[t]: which of one frame's tokens answers each query token best, and with what cosine."""
    cosines = _cosines(tokens, query)
    return np.asarray(np.argmax(cosines, axis=0), np.int64), np.asarray(cosines.max(axis=0), np.float32)


def _cosines(tokens: NDArray[np.int8], query: Floats) -> Floats:
    cosines = np.empty((len(tokens), len(query)), np.float32)
    turned = np.ascontiguousarray(query.T)
    # In parts so small that BLAS uses one thread: several of them wait for each other on a busy computer.
    rows = max(1, _ONE_THREAD // max(1, query.size))
    for first in range(0, len(tokens), rows):
        wide = tokens[first : first + rows].astype(np.float32)
        norms = np.sqrt(np.einsum("ij,ij->i", wide, wide))
        np.divide(wide @ turned, np.maximum(norms, np.float32(1e-9))[:, None], out=cosines[first : first + rows])
    return cosines


def near(thread: Rows, place: Rows, offset: int) -> Rows:
    """int64[n]: the row that stands `offset` places on in the same thread, -1 when it is no candidate."""
    keys = thread * _STRIDE + place
    wanted = keys + offset
    rows = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
    return np.where(keys[rows] == wanted, rows, -1) if len(keys) else rows


def interact(
    evidence: Evidence,
    weights: Doubles,
    *,
    asks_when: bool,
    asks_what: bool,
    constants: Constants = CONSTANTS,
    shape: Shape = SHAPE,
) -> Interaction:
    """Score all candidates. `weights`: float64[t] of `token_weights`. The two cues are the query's."""
    best, carrier = _windowed(evidence, shape)
    # einsum, not @: see _cosines.
    own = np.einsum("nt,t->n", evidence.match, weights) - shape.level
    before = near(evidence.thread, evidence.place, -1)
    answers = (before >= 0) & evidence.question[before]
    time, capital = evidence.time.astype(np.float64), evidence.capital.astype(np.float64)
    context = in_context(evidence.exact, evidence.thread, evidence.place, shape.context)
    addends = {
        "window": constants.window * np.einsum("nt,t->n", best, weights),
        "own": constants.own * own,
        "exact": constants.exact * context,
        "session": constants.session * _session_best(evidence, own + shape.session_words * evidence.exact),
        "speaker": constants.speaker * evidence.named.astype(np.float64),
        "when": constants.when * asks_when * time,
        "time": constants.time * time,
        "name": constants.name * asks_what * capital,
        "reply": constants.reply * np.where(answers, own[before], 0.0),
    }
    return Interaction(addends, own, evidence.match, best, carrier)


def _windowed(evidence: Evidence, shape: Shape) -> tuple[Floats, Rows]:
    best = evidence.match.copy()
    carrier = np.repeat(np.arange(len(best))[:, None], best.shape[1], axis=1)
    # What is no candidate, row -1, lends nothing.
    lenders = np.vstack((evidence.match, np.zeros((1, best.shape[1]), np.float32)))
    for offset, decay in shape.decays:
        rows = near(evidence.thread, evidence.place, offset)
        lent = lenders[rows] * np.float32(decay)
        better = lent > best
        np.copyto(best, lent, where=better)
        np.copyto(carrier, rows[:, None], where=better)
    return best, carrier


def in_context(values: Doubles, thread: Rows, place: Rows, context: tuple[tuple[int, float], ...]) -> Doubles:
    """float64[n]: each value and the weighted values of its neighbours; those that are no candidates count 0."""
    padded = np.append(values, 0.0)
    summed = values.astype(np.float64)
    for offset, weight in context:
        summed = summed + weight * padded[near(thread, place, offset)]
    return summed


def _session_best(evidence: Evidence, worth: Doubles) -> Doubles:
    """float64[n]: the worth of the best frame of each one's session; 0 without a session, or when none may lift it."""
    sessions = evidence.session
    best = np.full(int(sessions.max(initial=-1)) + 2, -np.inf)
    lifting = evidence.lifts & (sessions >= 0)
    np.maximum.at(best, sessions[lifting], worth[lifting])
    best[np.isneginf(best)] = 0.0
    return best[sessions]
