"""Rows of `memory_frames` read as frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hivemind.domain.frames import Frame, FrameType, Importance, Origin, PatchKind, Provenance
from hivemind.storage import Connection

#: Column list of `SELECT`s that `to_frame` reads; `f` is the frame's alias, `s` the joined speaker's.
COLUMNS = (
    "f.id, f.uuid, f.frame_type, f.gop_id, f.t, f.base_frame_id, f.content, f.importance, f.source, f.access_count,"
    " f.created_at, f.last_accessed, f.event_at, f.recorded_at, f.origin, f.patch_kind, f.patch_target_id,"
    " f.superseded_by, f.pinned, f.trashed_at, f.quarantine, f.client, f.author, f.agent_id, s.name, f.role,"
    " f.position, f.part, f.branch, f.captions, f.flags"
)
FROM = "memory_frames AS f LEFT JOIN speakers AS s ON s.id = f.speaker_id"


def to_frame(row: tuple[Any, ...]) -> Frame:
    """One row of `SELECT COLUMNS` as a Frame."""
    values = list(row)
    values[2] = FrameType(values[2])
    values[7] = Importance(values[7])
    values[8] = Provenance(values[8])
    values[14] = Origin(values[14])
    values[15] = PatchKind(values[15]) if values[15] else None
    values[18] = bool(values[18])
    return Frame(*values)


def select(connection: Connection, where: str, bindings: Iterable[Any] = (), tail: str = "") -> Iterator[Frame]:
    """Frames that fit `where` (a constant condition on `f`); `tail` is ORDER BY and LIMIT. Values are bound."""
    rows = connection.execute(f"SELECT {COLUMNS} FROM {FROM} WHERE {where} {tail}", tuple(bindings))  # noqa: S608
    return map(to_frame, rows)


def find_frame(connection: Connection, frame_id: int) -> Frame | None:
    return next(select(connection, "f.id = ?", (frame_id,)), None)
