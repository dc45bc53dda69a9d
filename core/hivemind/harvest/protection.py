"""Frames that a person made their own: an import, and its undo, leave these alone."""

from __future__ import annotations

import json
from collections.abc import Iterable

from hivemind.storage import Connection

# In this order the first reason that holds is told.
_REASONS = (
    ("you edited it", "EXISTS (SELECT 1 FROM memory_frames AS p WHERE p.patch_target_id = f.id)"),
    ("you pinned it", "f.pinned = 1"),
    ("you changed its importance", "f.importance <> 'normal' OR f.importance_before IS NOT NULL"),
    ("it was cited", "EXISTS (SELECT 1 FROM accesses AS a WHERE a.frame_id = f.id AND a.kind = 'cited')"),
    (
        "it is linked",
        "EXISTS (SELECT 1 FROM frame_refs AS r JOIN memory_frames AS b ON b.id = r.frame_id"
        " WHERE r.ref_frame_id = f.id AND b.trashed_at IS NULL)"
        " OR EXISTS (SELECT 1 FROM zettel_links AS z JOIN memory_frames AS o"
        " ON o.id = iif(z.source_id = f.id, z.target_id, z.source_id)"
        " WHERE f.id IN (z.source_id, z.target_id) AND o.origin <> 'import')",
    ),
)
_CASE = "CASE " + " ".join(f"WHEN {test} THEN '{reason}'" for reason, test in _REASONS) + " END"
_ASK = f"SELECT f.id, {_CASE} AS reason FROM memory_frames AS f WHERE f.id IN (SELECT value FROM json_each(?))"  # noqa: S608


def protected(connection: Connection, frame_ids: Iterable[int]) -> dict[int, str]:
    """Those of the frames that stay, with the reason for a person."""
    rows = connection.execute(_ASK, (json.dumps(list(frame_ids)),))
    return {int(frame_id): str(reason) for frame_id, reason in rows if reason is not None}


def in_trash(connection: Connection, frame_ids: Iterable[int]) -> bool:
    """Whether any of the frames was thrown away: a newer export must not bring it back."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM memory_frames WHERE trashed_at IS NOT NULL"
        " AND id IN (SELECT value FROM json_each(?)))",
        (json.dumps(list(frame_ids)),),
    ).fetchone()
    return bool(row and row[0])
