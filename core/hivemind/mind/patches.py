"""Patches: which text of a frame counts now. The newest living amend is its text; a retract hides it."""

from __future__ import annotations

from hivemind.domain.frames import Frame, FrameType, PatchKind
from hivemind.errors import InvalidFrame
from hivemind.mind.feed import FrameFeed
from hivemind.mind.frame_rows import find_frame, select
from hivemind.storage import Connection


class PatchRules:
    """Keeps `superseded_by` true: it points to the frame that hides this one, NULL = nothing does."""

    def __init__(self, connection: Connection, feed: FrameFeed) -> None:
        self._connection = connection
        self._feed = feed

    def target_of(self, frame: Frame) -> Frame:
        """The original that a patch of this frame must aim at: itself, or the target when it is a patch."""
        if frame.type is FrameType.B:
            raise InvalidFrame("A link cannot be edited", "Edit one of the two memories it joins.")
        if frame.patch_kind in (PatchKind.AMEND, PatchKind.RETRACT):
            assert frame.patch_target_id is not None
            target = find_frame(self._connection, frame.patch_target_id)
            assert target is not None
            return target
        return frame

    def patches(self, target_id: int) -> list[Frame]:
        """Amends and retracts of an original, oldest first, the trashed ones too."""
        return list(select(self._connection, "f.patch_target_id = ?", (target_id,), "ORDER BY f.t"))

    def retracted(self, target_id: int) -> bool:
        living = [p for p in self.patches(target_id) if p.trashed_at is None]
        return sum(p.patch_kind is PatchKind.RETRACT for p in living) % 2 == 1

    def settle(self, target_id: int) -> None:
        """Recompute who hides whom among an original and its patches. Each second retract takes the first back."""
        living = [p for p in self.patches(target_id) if p.trashed_at is None]
        amends = [p for p in living if p.patch_kind is PatchKind.AMEND]
        retracts = [p for p in living if p.patch_kind is PatchKind.RETRACT]
        newest = amends[-1].id if amends else None
        hidden_by = retracts[-1].id if len(retracts) % 2 else None
        wanted: dict[int, int | None] = {target_id: newest or hidden_by}
        for amend in amends:
            wanted[amend.id] = newest if amend.id != newest else hidden_by
        self._point(wanted)

    def _point(self, wanted: dict[int, int | None]) -> None:
        moved = []
        for frame_id, hider in wanted.items():
            self._connection.execute(
                "UPDATE memory_frames SET superseded_by = ?1 WHERE id = ?2 AND superseded_by IS NOT ?1",
                (hider, frame_id),
            )
            if self._connection.changes():
                moved.append(frame_id)
        self._feed.append("visibility", moved)
