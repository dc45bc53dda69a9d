"""Candidates dressed as hits: the frame, its session's title and source, spans and explanation."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hivemind.domain.search import Hit, Profile, Recipe
from hivemind.mind import MindTransaction
from hivemind.mind.frame_rows import select
from hivemind.search.candidates import Candidate
from hivemind.search.explanation import Matcher, explain
from hivemind.search.relevance import Weigher


def dressed(
    tx: MindTransaction,
    candidates: Sequence[Candidate],
    matcher: Matcher,
    weigher: Weigher,
    workspace: str,
    profile: Profile,
    recipe: Recipe,
) -> dict[int, Hit]:
    """Hits by frame id. Their `rank` is 0 until all minds are merged."""
    sessions = _sessions(tx, {one.session_id for one in candidates})
    ids = json.dumps([one.frame_id for one in candidates])
    frames = {frame.id: frame for frame in select(tx.connection, "f.id IN (SELECT value FROM json_each(?))", (ids,))}
    hits = {}
    for one in candidates:
        frame, (title, source) = frames[one.frame_id], sessions[one.session_id]
        matches = matcher.find(frame)
        why = explain(one, weigher, matches.words, profile, recipe)
        # A current frame's body is its current text: an amended one is not current, its newest amend is.
        hits[frame.id] = Hit(workspace, frame, frame.content, title, source, 0, one.score, matches.spans, why)
    return hits


def _sessions(tx: MindTransaction, ids: set[str]) -> dict[str, tuple[str, str]]:
    rows = tx.connection.execute(
        "SELECT gop_id, title, coalesce(source, '') FROM sessions WHERE gop_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(ids)),),
    )
    return {str(session): (str(title), str(source)) for session, title, source in rows}
