"""The lane for scripts without spaces: letters found as they stand in the CJK table, most terms first, then newest."""

from __future__ import annotations

import json
from collections import Counter

from hivemind.search.filters import MOMENT
from hivemind.search.fusion import Lane
from hivemind.search.lanes import LaneQuery
from hivemind.search.unspaced import Needle, needles, occurrences
from hivemind.storage import Connection

NAME = "cjk"


def cjk_lane(query: LaneQuery) -> Lane:
    """Frames with at least one needle, at most `query.limit`. `raw`: how many terms it holds, parts as fractions."""
    wanted, _ = needles(query.parsed)
    if not wanted or not query.by_words or not _has_rows(query.connection):
        return Lane(NAME, ())
    scores: dict[int, float] = {}
    for needle in wanted:
        for frame_id, share in _shares(query.connection, needle).items():
            scores[frame_id] = scores.get(frame_id, 0.0) + share
    moments = _in_scope(query, list(scores))
    order = sorted(moments, key=lambda frame_id: (scores[frame_id], moments[frame_id], frame_id), reverse=True)
    best = tuple((frame_id, scores[frame_id]) for frame_id in order[: query.limit])
    return Lane(NAME, best, cut=len(order) > query.limit)


def _has_rows(connection: Connection) -> bool:
    return connection.execute("SELECT 1 FROM memory_frames_cjk LIMIT 1").fetchone() is not None


def _shares(connection: Connection, needle: Needle) -> dict[int, float]:
    """Frames that hold the needle: 1 for the whole, the share of its pairs for a part."""
    if needle.glued:
        return dict.fromkeys(_glued(connection, needle), 1.0)
    whole = dict.fromkeys(_holding(connection, needle.text), 1.0)
    if not needle.pairs:
        return whole
    parts = Counter(frame_id for pair in needle.pairs for frame_id in _holding(connection, pair))
    least = needle.least_pairs()
    shares = {frame_id: count / (len(needle.pairs) + 1) for frame_id, count in parts.items() if count >= least}
    return shares | whole


def _holding(connection: Connection, letters: str) -> list[int]:
    if len(letters) == 2:
        rows = connection.execute("SELECT rowid FROM memory_frames_cjk WHERE bigrams LIKE ?", (f"%{letters} %",))
    else:
        rows = connection.execute("SELECT rowid FROM memory_frames_cjk WHERE content LIKE ?", (f"%{letters}%",))
    return [int(frame_id) for (frame_id,) in rows]


def _glued(connection: Connection, needle: Needle) -> list[int]:
    # LIKE reads % and _ in the word as wild: it finds too much, and `occurrences` looks again.
    rows = connection.execute(
        "SELECT rowid, content FROM memory_frames_cjk WHERE content LIKE ?", (f"%{needle.text}%",)
    )
    return [int(frame_id) for frame_id, content in rows if occurrences(needle, str(content))]


def _in_scope(query: LaneQuery, frame_ids: list[int]) -> dict[int, str]:
    rows = query.connection.execute(
        f"SELECT f.id, {MOMENT} FROM current_frames AS f"  # noqa: S608 - constant conditions, bound values
        f" WHERE f.id IN (SELECT value FROM json_each(?)){query.scope.where}",
        (json.dumps(frame_ids), *query.scope.bindings),
    )
    return {int(frame_id): str(moment) for frame_id, moment in rows}
