"""Candidates with what stands around them: frames in reading order, and the facts that the ranking reads of each."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hivemind.domain.frames import Importance
from hivemind.search.filters import MOMENT, Scope
from hivemind.search.relevance import Standing
from hivemind.storage import Connection

if TYPE_CHECKING:
    from numpy.typing import NDArray

# What no reader sees has no place in the reading order. The list is made once, from the small indexes of its three
# kinds (left alone, SQLite walks the whole table), so that the windows below never leave the index of that order.
_UNSEEN = (
    "WITH unseen(id) AS MATERIALIZED ("
    "SELECT id FROM memory_frames INDEXED BY memory_frames_superseded WHERE superseded_by IS NOT NULL"
    " UNION ALL SELECT id FROM memory_frames INDEXED BY memory_frames_trashed WHERE trashed_at IS NOT NULL"
    " UNION ALL SELECT id FROM memory_frames INDEXED BY memory_frames_target"
    " WHERE patch_target_id IS NOT NULL AND patch_kind = 'retract')"
)
_BESIDE = (
    "(SELECT json_group_array(id) FROM (SELECT x.id FROM memory_frames AS x INDEXED BY memory_frames_reading"
    " WHERE x.gop_id = f.gop_id AND x.branch = f.branch AND (x.position, x.part, x.id) {sign}"
    " (f.position, f.part, f.id) AND x.id NOT IN unseen"
    " ORDER BY x.position {way}, x.part {way}, x.id {way} LIMIT ?2))"
)
_WINDOWS = (
    f"{_UNSEEN} SELECT f.id, {_BESIDE.format(sign='<', way='DESC')}, {_BESIDE.format(sign='>', way='ASC')}"  # noqa: S608
    " FROM json_each(?1) AS seed CROSS JOIN memory_frames AS f ON f.id = seed.value WHERE f.position IS NOT NULL"
)


class Facts(NamedTuple):
    """One candidate: its session and that one's kind, who speaks, flags, and its standing. `opens`: it is the first
    frame of its session and was not saved by hand."""

    kind: str
    frame_id: int
    session_id: str
    opens: int
    speaker: int | None
    flags: int
    moment: str
    last_accessed: str
    access_count: int
    importance: str

    @property
    def summary(self) -> bool:
        """Whether it repeats words of its session's messages (see `filters.IS_SUMMARY`)."""
        return bool(self.opens) and self.kind != "notes"

    @property
    def standing(self) -> Standing:
        return Standing(self.moment, self.last_accessed, self.access_count, Importance(self.importance))


@dataclass(frozen=True, slots=True)
class Passage:
    """n candidates ascending by (`thread`, `place`). A thread is a stretch of one session's reading order."""

    rows: tuple[Facts, ...]
    thread: NDArray[np.int64]
    place: NDArray[np.int64]


def read_passage(connection: Connection, scope: Scope, seeds: Iterable[int], reach: int) -> Passage:
    """The seeds and their neighbours up to `reach` frames before and after, as far as the scope lets them be seen.

    Frames without a position (notes, summaries) have no neighbours. A neighbour that the scope hides keeps its place.
    """
    wanted = list(dict.fromkeys(seeds))
    places, near = _reading_order(connection, wanted, reach)
    # CROSS JOIN: each id is looked up as it comes, without a sorted copy of the list.
    rows: list[tuple[Any, ...]] = connection.execute(
        f"SELECT f.id, f.gop_id, f.frame_type = 'I' AND f.origin <> 'save', f.speaker_id, f.flags,"  # noqa: S608
        f" {MOMENT}, f.last_accessed, f.access_count, f.importance"
        f" FROM json_each(?) AS one CROSS JOIN current_frames AS f ON f.id = one.value WHERE TRUE{scope.where}",
        (json.dumps(sorted({*wanted, *near})), *scope.bindings),
    ).fetchall()
    kinds = _kinds(connection, {row[1] for row in rows})
    # A frame that stands alone gets a thread of its own; the chains are numbered from 0.
    placed = sorted([(*places.get(row[0], (-row[0], 0)), Facts._make((kinds[row[1]], *row))) for row in rows])
    return Passage(
        tuple([facts for _, _, facts in placed]),
        np.array([thread for thread, _, _ in placed], np.int64),
        np.array([place for _, place, _ in placed], np.int64),
    )


def _kinds(connection: Connection, sessions: Iterable[str]) -> dict[str, str]:
    rows = connection.execute(
        "SELECT gop_id, kind FROM sessions WHERE gop_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(sessions)),),
    )
    return {str(session): str(kind) for session, kind in rows}


def _reading_order(
    connection: Connection, seeds: Sequence[int], reach: int
) -> tuple[dict[int, tuple[int, int]], list[int]]:
    """(thread, place) by frame id, and the neighbours of the seeds.

    Windows are read a little wider than `reach`, so that two candidates no further than `reach` apart always fall into
    one chain, even when neither is a neighbour of the other's seed.
    """
    following: dict[int, int] = {}
    chained: list[int] = []
    near: list[int] = []
    for frame_id, before, after in connection.execute(_WINDOWS, (json.dumps(list(seeds)), (3 * reach + 1) // 2)):
        earlier, later = json.loads(before), json.loads(after)
        near += earlier[:reach]
        near += later[:reach]
        chain = [*reversed(earlier), frame_id, *later]
        chained += chain
        following.update(itertools.pairwise(chain))
    return _places(following, chained), near


def _places(following: dict[int, int], chained: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Chains numbered from 0, frames of a chain from 0."""
    preceded = set(following.values())
    places: dict[int, tuple[int, int]] = {}
    thread = 0
    for head in dict.fromkeys(chained):
        if head in preceded:
            continue
        at: int | None = head
        place = 0
        while at is not None:
            places[at] = (thread, place)
            at, place = following.get(at), place + 1
        thread += 1
    return places
