"""Every current frame as bare ids, newest first: what a list of a million rows stands on."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from typing import Any

from hivemind.domain.frames import ListedFrame
from hivemind.mind.frame_rows import COLUMNS, to_frame
from hivemind.storage import Connection

# `current_frames` would be read row by row, texts included. The smallest index holds every id, and what the view
# leaves out stands in small indexes too (a link always has references).
_CURRENT_IDS = """
    SELECT f.id FROM memory_frames AS f INDEXED BY memory_frames_norm_hash
    WHERE f.id NOT IN (SELECT id FROM memory_frames WHERE superseded_by IS NOT NULL)
      AND f.id NOT IN (SELECT id FROM memory_frames WHERE trashed_at IS NOT NULL)
      AND f.id NOT IN (SELECT id FROM memory_frames WHERE patch_target_id IS NOT NULL AND patch_kind = 'retract')
      AND f.id NOT IN (SELECT frame_id FROM frame_refs)
    ORDER BY f.id DESC
"""
_TRASHED_IDS = (
    "SELECT id FROM memory_frames WHERE trashed_at IS NOT NULL AND patch_target_id IS NULL"
    " ORDER BY trashed_at DESC, id DESC"
)


def current_ids(connection: Connection, where: str = "", bindings: Sequence[Any] = ()) -> array[int]:
    """Ids of what recall can see, newest first. `where`: further conditions on `f`, as `Scope.where`."""
    if not where:
        return _ids(connection, _CURRENT_IDS)
    return _ids(connection, f"SELECT f.id FROM current_frames AS f WHERE 1{where} ORDER BY f.id DESC", bindings)  # noqa: S608


def trashed_ids(connection: Connection) -> array[int]:
    """Ids of originals in the trash, latest first."""
    return _ids(connection, _TRASHED_IDS)


def listed_frames(connection: Connection, ids: Sequence[int]) -> list[ListedFrame]:
    """These frames with their session's title and source, in the order asked; those that are gone are left out."""
    # The ids come first, or the planner may walk a whole session for a page of it.
    rows = connection.execute(
        f"SELECT {COLUMNS}, g.title, coalesce(g.source, '') FROM json_each(?) AS j"  # noqa: S608 - constants
        " CROSS JOIN memory_frames AS f ON f.id = j.value"
        " LEFT JOIN speakers AS s ON s.id = f.speaker_id JOIN sessions AS g ON g.gop_id = f.gop_id",
        (json.dumps(list(ids)),),
    )
    found = {int(row[0]): ListedFrame(to_frame(row[:-2]), str(row[-2]), str(row[-1])) for row in rows}
    return [found[frame_id] for frame_id in ids if frame_id in found]


def sources(connection: Connection) -> list[str]:
    """Where sessions came from, as stored, in alphabetical order."""
    rows = connection.execute("SELECT DISTINCT source FROM sessions WHERE source IS NOT NULL ORDER BY source")
    return [str(source) for (source,) in rows if source]


def _ids(connection: Connection, query: str, bindings: Sequence[Any] = ()) -> array[int]:
    return array("q", (row[0] for row in connection.execute(query, tuple(bindings))))
