"""Frames that a person made their own: an import, and its undo, leave these alone."""

from __future__ import annotations

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
_ASK = f"SELECT {_CASE} FROM memory_frames AS f WHERE f.id = ?"  # noqa: S608 - fixed text


def protected(connection: Connection, frame_ids: Iterable[int]) -> dict[int, str]:
    """Those of the frames that stay, with the reason for a person."""
    found: dict[int, str] = {}
    for frame_id in frame_ids:
        row = connection.execute(_ASK, (frame_id,)).fetchone()
        if row is not None and row[0] is not None:
            found[frame_id] = str(row[0])
    return found


def in_trash(connection: Connection, frame_ids: Iterable[int]) -> bool:
    """Whether any of the frames was thrown away: a newer export must not bring it back."""
    return any(
        connection.execute(
            "SELECT 1 FROM memory_frames WHERE id = ? AND trashed_at IS NOT NULL", (frame_id,)
        ).fetchone()
        for frame_id in frame_ids
    )
