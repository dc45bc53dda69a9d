"""What the recipe `default` falls back to where the model gives no token vectors: exact words and cosine, smoothed.

Loads numpy, so it is imported on use.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from hivemind.search import cjk_lane, keyword_lane
from hivemind.search.default_recipe import exact_words, relevance_columns, speaker_named, summaries_below
from hivemind.search.fusion import fuse
from hivemind.search.lanes import LaneQuery
from hivemind.search.late_interaction import in_context
from hivemind.search.late_ranking import LateRanking
from hivemind.search.passage import read_passage
from hivemind.search.ranking import SUMMARY_PART, Weighing
from hivemind.search.seed_recipe import LANES


@dataclass(frozen=True, slots=True)
class Constants:
    """Source: picked on five LoCoMo conversations and scored on the other five, both ways: recall@10 74.3 to 75.

    Score = exact + `cosine` · (cos - `level`), then each neighbour's times its weight, + `speaker` when the query names
    exactly the one who speaks. `lane`: frames that each lane hands on.
    """

    cosine: float = 1.2
    level: float = 0.2
    context: tuple[tuple[int, float], ...] = ((-1, 0.6), (1, 0.3), (-2, 0.3), (2, 0.2))
    speaker: float = 0.6
    lane: int = 50


CONSTANTS = Constants()
REACH = 2


def rank_fallback(query: LaneQuery, weighing: Weighing, also: Iterable[int] = ()) -> LateRanking:
    """Search one mind within one transaction. `also`: frames to weigh although no lane found them."""
    meaning = query.meaning
    assert meaning is not None
    narrow = replace(query, limit=min(query.limit, CONSTANTS.lane))
    lanes = [lane(narrow) for lane in LANES]
    found = fuse(lanes)
    passage = read_passage(query.connection, query.scope, [*found, *also], REACH)
    ids = [row.frame_id for row in passage.rows]
    exact = np.maximum(exact_words(lanes, ids, keyword_lane.NAME), exact_words(lanes, ids, cjk_lane.NAME))
    cosines = meaning.cosines(ids)
    # A frame without a vector (0) stands at the level of what has nothing to do with the query.
    near = CONSTANTS.cosine * (np.where(cosines == 0, CONSTANTS.level, cosines) - CONSTANTS.level)
    speaker = speaker_named(query)
    named = np.array([speaker is not None and row.speaker == speaker[0] for row in passage.rows], np.bool_)
    columns = {
        "exact": in_context(exact, passage.thread, passage.place, CONSTANTS.context),
        "meaning": in_context(near, passage.thread, passage.place, CONSTANTS.context),
        "speaker": CONSTANTS.speaker * named.astype(np.float64),
        **relevance_columns(passage, weighing),
    }
    columns[SUMMARY_PART] = summaries_below(passage, np.sum(list(columns.values()), axis=0), found)
    return LateRanking(passage, found, any(lane.cut for lane in lanes), columns, weighing, None)
