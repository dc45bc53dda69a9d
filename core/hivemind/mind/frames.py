"""FrameStore: create, read, patch, mark and remove frames within one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hivemind.domain.frames import (
    Frame,
    FrameDraft,
    FrameReference,
    FrameType,
    Importance,
    Origin,
    PatchKind,
    Provenance,
    ReconstructedState,
    ReferenceKind,
)
from hivemind.domain.indexed_text import content_hash
from hivemind.errors import FrameNotFound, InvalidFrame
from hivemind.mind.feed import FrameFeed
from hivemind.mind.frame_rows import find_frame, select
from hivemind.mind.frame_writer import FrameWriter
from hivemind.mind.links import LinkRules
from hivemind.mind.patches import PatchRules
from hivemind.mind.removal import RemovalRules
from hivemind.mind.vectors import VectorStore
from hivemind.storage import Connection

_CURRENT = "f.id IN (SELECT id FROM current_frames WHERE id = f.id)"


class FrameStore:
    """Owns `memory_frames`, `memory_frames_cjk` and `frame_refs`. FTS follows by trigger.

    Invariants, whatever the order of calls: a GOP with any frame has an I; a P stands on an I of its own GOP;
    a B has two living references or is deprecated; t strictly grows within a GOP.
    """

    def __init__(
        self,
        connection: Connection,
        writer: FrameWriter,
        patches: PatchRules,
        links: LinkRules,
        removal: RemovalRules,
        feed: FrameFeed,
        vectors: VectorStore,
    ) -> None:
        self._connection = connection
        self._writer = writer
        self._patches = patches
        self._links = links
        self._removal = removal
        self._feed = feed
        self._vectors = vectors

    # creating

    def create_i_frame(self, draft: FrameDraft) -> Frame:
        """A self-contained keyframe in `draft.session_id`."""
        return self.get(self._writer.insert(draft, _session_of(draft), FrameType.I))

    def create_p_frame(self, draft: FrameDraft, base_frame_id: int) -> Frame:
        """A delta that adds to an I-frame of its own GOP. Raises InvalidFrame for any other base."""
        base = self.get(base_frame_id)
        session_id = draft.session_id or base.session_id
        if base.type is not FrameType.I or base.session_id != session_id:
            raise InvalidFrame("An addition stands on the first memory of its own session", "Choose that one as base.")
        frame_id = self._writer.insert(draft, session_id, FrameType.P, base=base.id, patch=PatchKind.ADD)
        return self.get(frame_id)

    def add_imported(self, drafts: Sequence[FrameDraft], base_frame_id: int) -> list[int]:
        """P(add) frames in bulk, all in the GOP of the base. Returns their ids in order."""
        base = self.get(base_frame_id)
        if base.type is not FrameType.I or any(d.session_id not in (None, base.session_id) for d in drafts):
            raise InvalidFrame("An addition stands on the first memory of its own session", "Choose that one as base.")
        return self._writer.insert_many(drafts, base.session_id, base.id)

    def create_b_frame(
        self,
        description: str,
        references: Sequence[tuple[int, ReferenceKind]],
        *,
        source: Provenance = Provenance.SYSTEM,
        client: str | None = None,
    ) -> Frame:
        """A link in the GOP of its first reference. Raises InvalidFrame below two living references."""
        body = self._links.payload(description, references)
        first = self.get(references[0][0])
        base = self.base_of(first.session_id)
        assert base is not None
        draft = FrameDraft(content=body, source=source, origin=Origin.SYSTEM, client=client)
        frame_id = self._writer.insert(draft, first.session_id, FrameType.B, base=base.id)
        self._links.attach(frame_id, references)
        return self.get(frame_id)

    # patching

    def amend(
        self,
        target_id: int,
        content: str,
        *,
        author: str | None = None,
        client: str | None = None,
        source: Provenance = Provenance.USER_STATED,
        importance: Importance | None = None,
    ) -> Frame:
        """A new text for a frame; the old one stays in its history. An amend of a patch aims at its original."""
        target = self._patches.target_of(self.get(target_id))
        return self._patch(target, PatchKind.AMEND, content, author, client, source, importance)

    def retract(
        self, target_id: int, reason: str = "", *, author: str | None = None, client: str | None = None
    ) -> Frame:
        """Take a frame back; retracting it again restores it."""
        target = self._patches.target_of(self.get(target_id))
        return self._patch(target, PatchKind.RETRACT, reason, author, client, Provenance.USER_STATED, None)

    def _patch(
        self,
        target: Frame,
        kind: PatchKind,
        content: str,
        author: str | None,
        client: str | None,
        source: Provenance,
        importance: Importance | None,
    ) -> Frame:
        if target.trashed_at is not None:
            raise InvalidFrame("This memory is in the trash", "Restore it first, then change it.")
        base = target if target.type is FrameType.I else self.get(target.base_frame_id or 0)
        current = self._current(target)
        draft = FrameDraft(
            content=content, session_id=target.session_id, importance=importance or current.importance, source=source,
            origin=Origin.SAVE, event_at=target.event_at, client=client, author=author, agent_id=target.agent_id,
            speaker=target.speaker, role=target.role, position=target.position, part=target.part,
            branch=target.branch, captions=target.captions if kind is PatchKind.AMEND else None,
        )  # fmt: skip
        frame_id = self._writer.insert(
            draft, target.session_id, FrameType.P, base=base.id, patch=kind, target=target.id
        )
        if current.pinned and kind is PatchKind.AMEND:
            self.set_pinned(frame_id, True)
        self._patches.settle(target.id)
        return self.get(frame_id)

    # reading

    def get(self, frame_id: int) -> Frame:
        """Raises FrameNotFound."""
        frame = find_frame(self._connection, frame_id)
        if frame is None:
            raise FrameNotFound()
        return frame

    def find(self, frame_id: int) -> Frame | None:
        return find_frame(self._connection, frame_id)

    def find_exact(self, content: str) -> Frame | None:
        """The newest saved frame with the same trimmed body that is not in the trash (imports are never merged)."""
        where = "f.content_hash = ? AND f.trashed_at IS NULL AND f.frame_type <> 'B' AND f.origin <> 'import'"
        newest = select(self._connection, where, (content_hash(content),), "ORDER BY f.id DESC")
        alike = (frame for frame in newest if frame.patch_kind is not PatchKind.RETRACT)
        return next((frame for frame in alike if frame.superseded_by is None), None)

    def list_current(self, limit: int, before: int | None = None) -> list[Frame]:
        """What recall can see, newest id first, below `before`."""
        where = f"{_CURRENT} AND (?1 IS NULL OR f.id < ?1)"
        return list(select(self._connection, where, (before, limit), "ORDER BY f.id DESC LIMIT ?2"))

    def count_current(self) -> int:
        row = self._connection.execute("SELECT count(*) FROM current_frames").fetchone()
        return int(row[0]) if row else 0

    def list_trashed(self, limit: int) -> list[Frame]:
        """Originals in the trash, latest first."""
        where = "f.trashed_at IS NOT NULL AND f.patch_target_id IS NULL"
        return list(select(self._connection, where, (limit,), "ORDER BY f.trashed_at DESC, f.id DESC LIMIT ?"))

    def list_saved(self, session_id: str) -> list[Frame]:
        """Current frames of a session that were saved, not imported, in reading order."""
        where = f"{_CURRENT} AND f.gop_id = ? AND f.origin <> 'import'"
        return list(select(self._connection, where, (session_id,), "ORDER BY f.branch, f.position, f.part, f.t"))

    def ids_of_session(self, session_id: str) -> list[int]:
        rows = self._connection.execute("SELECT id FROM memory_frames WHERE gop_id = ? ORDER BY t", (session_id,))
        return [int(frame_id) for (frame_id,) in rows]

    def base_of(self, session_id: str) -> Frame | None:
        """The I of a GOP: its oldest living one, else its oldest; None for an empty GOP."""
        tail = "ORDER BY f.trashed_at IS NOT NULL, f.t LIMIT 1"
        return next(select(self._connection, "f.gop_id = ? AND f.frame_type = 'I'", (session_id,), tail), None)

    def current_text(self, frame_id: int) -> str:
        """The text that counts now: the newest living amend's, else its own."""
        frame = self.get(frame_id)
        return frame.content if frame.type is FrameType.B else self._current(self._patches.target_of(frame)).content

    def retracted(self, frame_id: int) -> bool:
        frame = self.get(frame_id)
        return frame.type is not FrameType.B and self._patches.retracted(self._patches.target_of(frame).id)

    def history(self, frame_id: int) -> list[Frame]:
        """The original and its patches, oldest first."""
        frame = self.get(frame_id)
        if frame.type is FrameType.B:
            return [frame]
        target = self._patches.target_of(frame)
        return [target, *self._patches.patches(target.id)]

    def references(self, frame_id: int) -> tuple[FrameReference, ...]:
        return self._links.references(frame_id)

    def reconstruct_state(self, session_id: str) -> ReconstructedState:
        """The GOP as one text: its I and each living addition, amended, in reading order. Raises FrameNotFound."""
        base = self.base_of(session_id)
        if base is None:
            raise FrameNotFound("This session holds no memory", "Save something in it first.")
        where = "f.gop_id = ? AND f.patch_kind = 'add' AND f.trashed_at IS NULL"
        added = list(select(self._connection, where, (session_id,), "ORDER BY f.branch, f.position, f.part, f.t"))
        living = [frame for frame in [base, *added] if not self._patches.retracted(frame.id)]
        texts = [self._current(frame).content for frame in living]
        patches = [p for f in [base, *added] for p in self._patches.patches(f.id)] + added
        patches.sort(key=lambda frame: frame.t)
        count = len(self.ids_of_session(session_id))
        return ReconstructedState(base, tuple(patches), "\n".join(texts), count)

    def _current(self, target: Frame) -> Frame:
        amends = [
            p for p in self._patches.patches(target.id) if p.patch_kind is PatchKind.AMEND and p.trashed_at is None
        ]
        return amends[-1] if amends else target

    # marking and leaving

    def set_importance(self, frame_id: int, importance: Importance) -> None:
        """Set a level. A deprecated end counts no more for its links; a link without two ends stays set aside."""
        frame = self.get(frame_id)
        self._connection.execute(
            "UPDATE memory_frames SET importance = ?, importance_before = NULL WHERE id = ?", (importance, frame_id)
        )
        self._feed.append("visibility", (frame_id,))
        if frame.type is FrameType.B:
            self._links.settle_link(frame_id)
        self._links.settle((frame_id,))

    def set_pinned(self, frame_id: int, pinned: bool) -> None:
        self.get(frame_id)
        self._connection.execute("UPDATE memory_frames SET pinned = ? WHERE id = ?", (int(pinned), frame_id))
        self._feed.append("visibility", (frame_id,))

    def set_quarantine(self, frame_id: int, reason: str | None) -> None:
        """`reason` None releases the frame."""
        self.get(frame_id)
        self._connection.execute("UPDATE memory_frames SET quarantine = ? WHERE id = ?", (reason, frame_id))
        self._feed.append("visibility", (frame_id,))

    def deprecate(self, frame_id: int) -> None:
        self.set_importance(frame_id, Importance.DEPRECATED)

    def rewrite(self, frame_id: int, content: str) -> None:
        """A new body in place, for a summary that the program itself wrote. People's edits are amends."""
        frame = self.get(frame_id)
        if frame.type is FrameType.B:
            raise InvalidFrame("A link cannot be edited", "Edit one of the two memories it joins.")
        self._writer.rewrite(frame_id, frame.speaker, content, frame.captions)
        # What the old text meant must not be found in the meantime.
        self._vectors.remove((frame_id,))

    def trash(self, frame_ids: Sequence[int], at: str | None = None) -> list[int]:
        """To the trash, patches too. Returns the originals that went. `at`: the time to mark them with."""
        return self._removal.trash(frame_ids, at)

    def restore(self, frame_ids: Sequence[int]) -> list[int]:
        """Back from the trash. Returns the originals that came back."""
        return self._removal.restore(frame_ids)

    def remove(self, frame_ids: Sequence[int]) -> int:
        """For good. Returns how many rows went. Ids that are not there are passed over."""
        return self._removal.remove(frame_ids)


def link_description(frame: Frame) -> str:
    """What a B-frame says about its references."""
    body = json.loads(frame.content)
    return str(body.get("description", ""))


def _session_of(draft: FrameDraft) -> str:
    if draft.session_id is None:
        raise InvalidFrame("A memory belongs to a session", "Name the session, or save it as a note of the day.")
    return draft.session_id
