"""Candidates dressed as hits: the frame, its session's title and source, spans and explanation."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hivemind.domain.search import Hit, Recipe
from hivemind.mind import MindTransaction
from hivemind.mind.frame_rows import select
from hivemind.search.explanation import Matcher, explain
from hivemind.search.ranking import Account, Weighing


def dressed(
    tx: MindTransaction,
    accounts: Sequence[Account],
    matcher: Matcher,
    weighing: Weighing,
    workspace: str,
    recipe: Recipe,
) -> dict[int, Hit]:
    """Hits by frame id. Their `rank` is 0 until all minds are merged. `recipe`: the one that really answered."""
    ids = json.dumps([one.frame_id for one in accounts])
    frames = {frame.id: frame for frame in select(tx.connection, "f.id IN (SELECT value FROM json_each(?))", (ids,))}
    sessions = _sessions(tx, {frame.session_id for frame in frames.values()})
    hits = {}
    for one in accounts:
        frame = frames[one.frame_id]
        title, source = sessions[frame.session_id]
        matches = matcher.find(frame)
        why = explain(one, weighing, matches.words, recipe)
        # A current frame's body is its current text: an amended one is not current, its newest amend is.
        hits[frame.id] = Hit(workspace, frame, frame.content, title, source, 0, one.score, matches.spans, why)
    return hits


def _sessions(tx: MindTransaction, ids: set[str]) -> dict[str, tuple[str, str]]:
    rows = tx.connection.execute(
        "SELECT gop_id, title, coalesce(source, '') FROM sessions WHERE gop_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(ids)),),
    )
    return {str(session): (str(title), str(source)) for session, title, source in rows}
