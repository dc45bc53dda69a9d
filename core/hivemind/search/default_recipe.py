"""The recipe `default`: windowed late interaction over all lanes' candidates and their neighbours, relevance on top.

Loads numpy, so it is imported on use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hivemind.domain.frames import Flag
from hivemind.search import cjk_lane, keyword_lane
from hivemind.search.cues import Cues, named_speaker
from hivemind.search.fusion import Lane, fuse
from hivemind.search.lanes import LaneQuery
from hivemind.search.late_interaction import (
    REACH,
    Evidence,
    interact,
    match_matrix,
    token_weights,
)
from hivemind.search.late_ranking import LateArrays, LateRanking, QueryTokens
from hivemind.search.meaning import Meaning
from hivemind.search.passage import Passage, read_passage
from hivemind.search.ranking import SUMMARY_PART, Weighing
from hivemind.search.relevance import SIGNALS
from hivemind.search.relevance_spread import Standings, addends, shares
from hivemind.search.seed_recipe import LANES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]

#: What a frame counts that lies in the time which the query names. Of the size of the other cue for time.
DATE = 0.10
#: Without vectors a frame's match is taken to be this, times its exact words over the best one's: what the best
#: frames reach with vectors. It stands among them so, until it has its own.
ESTIMATE = 0.6
# A summary stands just below its messages: enough to settle the order.
_BELOW = 1e-6


def query_tokens(meaning: Meaning) -> QueryTokens:
    """The query's tokens, weighted by how rare they are in this mind."""
    pieces, content = meaning.encoded.pieces, meaning.embedder.content_pieces
    telling = np.array([piece >= len(content) or bool(content[piece]) for piece in pieces], np.bool_)
    weights = token_weights(*meaning.frequencies(), telling)
    return QueryTokens(np.asarray(meaning.encoded.tokens, np.float32), pieces, weights)


def exact_words(lanes: Sequence[Lane], ids: Sequence[int], name: str) -> Doubles:
    """float64[n]: what a lane says of the frames over the best it says of any, 0 where it found nothing."""
    found = next((dict(lane.found) for lane in lanes if lane.name == name), {})
    # bm25 is below zero, the better the lower; a count of terms is above.
    most = max((abs(raw) for raw in found.values()), default=0.0) or 1.0
    return np.array([abs(found.get(frame_id, 0.0)) / most for frame_id in ids], np.float64)


def standings_of(passage: Passage, distances: Mapping[int, int]) -> Standings:
    """The columns that the relevance signals read."""
    rows = passage.rows
    return Standings(
        [max(row.moment, row.last_accessed) for row in rows],
        [row.access_count for row in rows],
        [row.importance for row in rows],
        [distances.get(row.frame_id) for row in rows] if distances else [None] * len(rows),
    )


def speaker_named(query: LaneQuery) -> tuple[int, str] | None:
    """Id and name of the one person whom the query names."""
    rows = query.connection.execute("SELECT id, name FROM speakers WHERE kind = 'person'")
    people = {int(speaker): str(name) for speaker, name in rows}
    speaker = named_speaker(query.parsed.text, people.items())
    return None if speaker is None else (speaker, people[speaker])


def rank_default(query: LaneQuery, weighing: Weighing, also: Iterable[int] = ()) -> LateRanking:
    """Search one mind within one transaction. `also`: frames to weigh although no lane found them."""
    meaning = query.meaning
    assert meaning is not None
    lanes = [lane(query) for lane in LANES]
    found = fuse(lanes)
    passage = read_passage(query.connection, query.scope, [*found, *also], REACH)
    ids = [row.frame_id for row in passage.rows]
    tokens = query_tokens(meaning)
    block = meaning.tokens_of(ids)
    words, unspaced = exact_words(lanes, ids, keyword_lane.NAME), exact_words(lanes, ids, cjk_lane.NAME)
    match = match_matrix(block.tokens, block.lengths, tokens.vectors)
    _estimate(match, np.where(block.stored, unspaced, np.maximum(words, unspaced)))
    cues, speaker = Cues.of(query.parsed.text, weighing.weigher.now), speaker_named(query)
    evidence = _evidence(passage, match, np.maximum(words, unspaced), None if speaker is None else speaker[0])
    told = interact(evidence, tokens.weights, asks_when=cues.asks_when, asks_what=cues.asks_what)
    columns = {**told.addends, "date": DATE * _within(passage, cues), **relevance_columns(passage, weighing)}
    columns[SUMMARY_PART] = summaries_below(passage, np.sum(list(columns.values()), axis=0), found)
    late = LateArrays(meaning, tokens, block, told, cues, "" if speaker is None else speaker[1])
    return LateRanking(passage, found, any(lane.cut for lane in lanes), columns, weighing, late)


def relevance_columns(passage: Passage, weighing: Weighing) -> dict[str, Doubles]:
    """The four signals as addends."""
    weighted = shares(standings_of(passage, weighing.distances), weighing.weigher)
    return dict(zip(SIGNALS, addends(weighted, weighing.profile).T, strict=True))


def _estimate(match: NDArray[np.float32], exact: Doubles) -> None:
    """Raise the match of what was found as written: frames without vectors, and text that the model may not read."""
    np.maximum(match, (ESTIMATE * exact).astype(np.float32)[:, None], out=match)


def _evidence(passage: Passage, match: NDArray[np.float32], exact: Doubles, speaker: int | None) -> Evidence:
    rows = passage.rows
    flags = np.array([row.flags for row in rows], np.int64)
    numbers: dict[str, int] = {}
    session = [
        numbers.setdefault(row.session_id, len(numbers)) if row.kind == "conversation" else -1 for row in rows
    ]  # fmt: skip
    return Evidence(
        match,
        passage.thread,
        passage.place,
        exact,
        np.array(session, np.int64),
        np.array([not row.summary for row in rows], np.bool_),
        np.array([speaker is not None and row.speaker == speaker for row in rows], np.bool_),
        (flags & Flag.TIME_WORD) > 0,
        (flags & Flag.CAPITAL) > 0,
        (flags & Flag.QUESTION) > 0,
    )


def _within(passage: Passage, cues: Cues) -> Doubles:
    """float64[n]: 1 for a frame of the time that the query names."""
    window = cues.window
    return np.array([window is not None and window.holds(row.moment) for row in passage.rows], np.float64)


def summaries_below(passage: Passage, score: Doubles, found: Mapping[int, object]) -> Doubles:
    """float64[n]: what takes each summary below the last message of its session that a lane found; 0 for others."""
    lowest: dict[str, float] = {}
    for row, value in zip(passage.rows, score.tolist(), strict=True):
        if not row.summary and row.frame_id in found:
            lowest[row.session_id] = min(value, lowest.get(row.session_id, value))
    demotion = np.zeros(len(score))
    for at, row in enumerate(passage.rows):
        if row.summary and row.session_id in lowest:
            demotion[at] = min(0.0, lowest[row.session_id] - _BELOW - score[at])
    return demotion
