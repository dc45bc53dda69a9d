"""Frames, as a library's caller sees them."""

from __future__ import annotations

from collections.abc import Sequence

from hivemind.domain.frames import (
    Frame,
    FrameDraft,
    FrameReference,
    FrameType,
    Importance,
    Provenance,
    ReconstructedState,
    ReferenceKind,
)
from hivemind.library.arguments import counted, drafted, one_of
from hivemind.library.calls import read, write
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.frames import link_description

Reference = int | tuple[int, ReferenceKind | str]


class MindFrames:
    """Frames: I stands alone, P adds to an I or changes a frame, B links frames."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def create_i_frame(
        self,
        session_id: str,
        text: str,
        importance: Importance | str = Importance.NORMAL,
        source: Provenance | str = Provenance.USER_STATED,
        *,
        event_at: str | None = None,
    ) -> Frame:
        """A self-contained keyframe. `event_at`: when it happened. Raises SessionNotFound, InvalidFrame."""
        draft = drafted(text, session_id, importance, source, event_at)
        return write(self._mind, lambda tx: tx.frames.create_i_frame(_in_session(tx, draft)))

    def create_p_frame(
        self,
        session_id: str,
        text: str,
        base_id: int,
        importance: Importance | str = Importance.NORMAL,
        source: Provenance | str = Provenance.USER_STATED,
        *,
        event_at: str | None = None,
    ) -> Frame:
        """A delta on the I-frame `base_id` of the same session. Raises InvalidFrame for any other base."""
        draft = drafted(text, session_id, importance, source, event_at)
        return write(self._mind, lambda tx: tx.frames.create_p_frame(_in_session(tx, draft), base_id))

    def create_b_frame(self, description: str, references: Sequence[Reference]) -> Frame:
        """A link across sessions. A reference is a frame id, or the id and 'link', 'alternative' or 'contradiction'.

        Raises InvalidFrame below two living references, FrameNotFound.
        """
        named = [one if isinstance(one, tuple) else (one, ReferenceKind.LINK) for one in references]
        kinds = [(frame_id, one_of(ReferenceKind, kind, "kind of reference")) for frame_id, kind in named]
        return write(self._mind, lambda tx: tx.frames.create_b_frame(description, kinds))

    def amend(self, frame_id: int, text: str, *, source: Provenance | str = Provenance.USER_STATED) -> Frame:
        """Give a frame a new text. The old one stays in its history. Raises FrameNotFound, InvalidFrame."""
        vouched = one_of(Provenance, source, "source")
        return write(self._mind, lambda tx: tx.frames.amend(frame_id, text, source=vouched))

    def retract(self, frame_id: int, reason: str = "") -> Frame:
        """Take a frame back: recall no longer sees it. Retracting it again restores it."""
        return write(self._mind, lambda tx: tx.frames.retract(frame_id, reason))

    def set_importance(self, frame_id: int, importance: Importance | str) -> None:
        level = one_of(Importance, importance, "importance")
        write(self._mind, lambda tx: tx.frames.set_importance(frame_id, level))

    def trash(self, frame_ids: Sequence[int]) -> list[int]:
        """To the trash, with their patches. Returns the originals that went."""
        return write(self._mind, lambda tx: tx.frames.trash(frame_ids))

    def restore(self, frame_ids: Sequence[int]) -> list[int]:
        """Back from the trash. Returns the originals that came back."""
        return write(self._mind, lambda tx: tx.frames.restore(frame_ids))

    def get(self, frame_id: int) -> Frame:
        """The frame as it was written. Raises FrameNotFound."""
        return read(self._mind, lambda tx: tx.frames.get(frame_id))

    def text(self, frame_id: int) -> str:
        """What the frame says now: its newest amend, else its own words; of a link, its description."""

        def current(tx: MindTransaction) -> str:
            frame = tx.frames.get(frame_id)
            return link_description(frame) if frame.type is FrameType.B else tx.frames.current_text(frame_id)

        return read(self._mind, current)

    def history(self, frame_id: int) -> list[Frame]:
        """The original and its patches, oldest first."""
        return read(self._mind, lambda tx: tx.frames.history(frame_id))

    def references(self, frame_id: int) -> tuple[FrameReference, ...]:
        """The ends of a B-frame."""
        return read(self._mind, lambda tx: tx.frames.references(frame_id))

    def list_current(self, limit: int = 100, before: int | None = None) -> list[Frame]:
        """What recall can see, newest id first, below `before`."""
        return read(self._mind, lambda tx: tx.frames.list_current(counted(limit), before))

    def count(self) -> int:
        """How many frames recall can see."""
        return read(self._mind, lambda tx: tx.frames.count_current())

    def reconstruct_state(self, session_id: str) -> ReconstructedState:
        """A session as one text: its I-frame and each living addition, amended. Raises FrameNotFound."""
        return read(self._mind, lambda tx: tx.frames.reconstruct_state(session_id))


def _in_session(tx: MindTransaction, draft: FrameDraft) -> FrameDraft:
    if draft.session_id is not None:
        tx.sessions.get(draft.session_id)
    return draft
