"""Leaving: to the trash and back, and for good, with the GOP's invariants kept in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence

from hivemind.domain.frames import Frame, FrameType, PatchKind
from hivemind.errors import FrameNotFound
from hivemind.mind.feed import FrameFeed
from hivemind.mind.frame_rows import find_frame, select
from hivemind.mind.links import LinkRules
from hivemind.mind.patches import PatchRules
from hivemind.mind.vectors import VectorStore
from hivemind.storage import Connection


class RemovalRules:
    """Trash marks a frame and its patches; removal deletes rows and promotes a P when the I goes."""

    def __init__(
        self,
        connection: Connection,
        now: str,
        patches: PatchRules,
        links: LinkRules,
        feed: FrameFeed,
        vectors: VectorStore,
    ) -> None:
        self._connection = connection
        self._now = now
        self._patches = patches
        self._links = links
        self._feed = feed
        self._vectors = vectors

    def trash(self, frame_ids: Sequence[int], at: str | None = None) -> list[int]:
        """Trash originals with their patches; returns the originals that were not in the trash before.

        `at`: the stamp to mark them with, now when None.
        """
        moved = []
        for original in self._originals(frame_ids):
            if original.trashed_at is None:
                family = [original.id, *(p.id for p in self._patches.patches(original.id) if p.trashed_at is None)]
                self._mark(family, at or self._now)
                moved.append(original.id)
                # A link may name a patch: it loses that end just as it would lose the original.
                self._links.settle(family)
        return moved

    def restore(self, frame_ids: Sequence[int]) -> list[int]:
        """Bring back originals with the patches that went with them; returns those that were in the trash."""
        back = []
        for original in self._originals(frame_ids):
            if original.trashed_at is not None:
                stamp = original.trashed_at
                family = [p.id for p in self._patches.patches(original.id) if p.trashed_at == stamp]
                self._mark([original.id, *family], None)
                self._patches.settle(original.id)
                back.append(original.id)
                self._links.settle([original.id, *family])
        return back

    def remove(self, frame_ids: Sequence[int]) -> int:
        """Delete rows for good, patches of an original with it, and links left without two ends. Returns the count.

        Removing an I promotes the oldest living P(add) of its GOP, unless another I is there to stand on.
        """
        doomed = self._with_patches(frame_ids)
        for link in self._links.detach([frame.id for frame in doomed]):
            bare = find_frame(self._connection, link)
            if bare is not None:
                doomed.append(bare)
        ids = {frame.id for frame in doomed}
        for session_id in {frame.session_id for frame in doomed if frame.type is FrameType.I}:
            self._rebase(session_id, ids)
        self._delete(doomed)
        return len(ids)

    def _originals(self, frame_ids: Sequence[int]) -> list[Frame]:
        found = []
        for frame_id in frame_ids:
            frame = find_frame(self._connection, frame_id)
            if frame is None:
                raise FrameNotFound()
            found.append(frame if frame.type is FrameType.B else self._patches.target_of(frame))
        return list({frame.id: frame for frame in found}.values())

    def _mark(self, frame_ids: Sequence[int], stamp: str | None) -> None:
        self._connection.executemany(
            "UPDATE memory_frames SET trashed_at = ? WHERE id = ?", [(stamp, frame_id) for frame_id in frame_ids]
        )
        self._feed.append("visibility", frame_ids)

    def _with_patches(self, frame_ids: Sequence[int]) -> list[Frame]:
        doomed: dict[int, Frame] = {}
        for frame_id in frame_ids:
            frame = find_frame(self._connection, frame_id)
            if frame is not None:
                doomed[frame.id] = frame
                doomed.update((p.id, p) for p in self._patches.patches(frame.id))
        return list(doomed.values())

    def _rebase(self, session_id: str, doomed: set[int]) -> None:
        """Give what stays in the GOP an I to stand on: another I, else the oldest living P(add), else the oldest."""
        everyone = select(self._connection, "f.gop_id = ?", (session_id,), "ORDER BY f.t")
        stays = [frame for frame in everyone if frame.id not in doomed]
        standing = [f for f in stays if f.type is FrameType.I]
        if not stays:
            return
        if not standing:
            added = [f for f in stays if f.patch_kind is PatchKind.ADD]
            if not added:
                # Only links are left: they have lost the GOP they stood in.
                doomed.update(f.id for f in stays)
                self._delete(stays)
                return
            standing = [next((f for f in added if f.trashed_at is None), added[0])]
            self._connection.execute(
                "UPDATE memory_frames SET frame_type = 'I', base_frame_id = NULL, patch_kind = NULL WHERE id = ?",
                (standing[0].id,),
            )
            self._feed.append("visibility", (standing[0].id,))
        orphans = [f.id for f in stays if f.base_frame_id in doomed and f.id != standing[0].id]
        self._connection.executemany(
            "UPDATE memory_frames SET base_frame_id = ? WHERE id = ?", [(standing[0].id, orphan) for orphan in orphans]
        )

    def _delete(self, doomed: Sequence[Frame]) -> None:
        ids = [(frame.id,) for frame in doomed]
        # Whoever was hidden by a doomed frame is settled anew, and nothing may point at a row that goes.
        self._connection.executemany("UPDATE memory_frames SET superseded_by = NULL WHERE superseded_by = ?", ids)
        # Before the rows: their pieces are counted out of the document frequencies.
        self._vectors.remove([frame.id for frame in doomed])
        self._connection.executemany("DELETE FROM memory_frames_cjk WHERE rowid = ?", ids)
        # Patches before their targets, P and B before the I they stand on.
        rank = {PatchKind.AMEND: 0, PatchKind.RETRACT: 0, PatchKind.ADD: 1, None: 2}
        order = sorted(doomed, key=lambda f: (-1 if f.type is FrameType.B else rank[f.patch_kind], -f.t))
        self._connection.executemany("DELETE FROM memory_frames WHERE id = ?", [(frame.id,) for frame in order])
        self._feed.append("delete", [frame.id for frame in doomed])
        living = {frame.patch_target_id for frame in doomed if frame.patch_target_id is not None}
        for target in living - {frame.id for frame in doomed}:
            self._patches.settle(target)
