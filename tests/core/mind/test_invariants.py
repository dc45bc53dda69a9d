"""The four invariants of the frame model hold whatever is done, in any order, across reopening."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from hivemind.domain.frames import FrameDraft, FrameType, Importance, PatchKind, ReferenceKind
from hivemind.errors import InvalidFrame
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.frame_rows import select

TEXTS = st.text(min_size=1, max_size=40).filter(
    lambda t: t.strip("\x00\ud800 \n\t\x0b\x0c\r\x1c\x1d\x1e\x1f\x85") != ""
)


class FrameMachine(RuleBasedStateMachine):
    """Random saves, patches, links, trash, restore and removal on one real mind."""

    sessions = Bundle("sessions")
    frames = Bundle("frames")

    @initialize(target=sessions)
    def open_mind(self) -> object:
        self.folder = tempfile.TemporaryDirectory()
        self.mind = Mind.open(Path(self.folder.name) / "m.mind", "m", create=True)
        self.texts: dict[int, str] = {}
        return multiple(*(self.run(lambda tx: tx.sessions.create().id) for _ in range(3)))

    def run(self, work):
        return self.mind.submit_write(work).result(20)

    @rule(target=frames, session=sessions, text=TEXTS)
    def save(self, session: str, text: str) -> int:
        def work(tx: MindTransaction) -> int:
            base = tx.frames.base_of(session)
            draft = FrameDraft(text, session_id=session)
            frame = tx.frames.create_i_frame(draft) if base is None else tx.frames.create_p_frame(draft, base.id)
            self.texts[frame.id] = frame.content
            return frame.id

        try:
            return self.run(work)
        except InvalidFrame:
            return -1

    @rule(target=frames, frame=frames, text=TEXTS)
    def amend(self, frame: int, text: str) -> int:
        def work(tx: MindTransaction) -> int:
            found = tx.frames.find(frame)
            if found is None or found.type is FrameType.B:
                return -1
            patch = tx.frames.amend(frame, text)
            self.texts[patch.id] = patch.content
            return patch.id

        try:
            return self.run(work)
        except InvalidFrame:
            return -1

    @rule(frame=frames)
    def retract(self, frame: int) -> None:
        def work(tx: MindTransaction) -> None:
            found = tx.frames.find(frame)
            if found is not None and found.type is not FrameType.B:
                before = tx.frames.retracted(frame)
                tx.frames.retract(frame)
                assert tx.frames.retracted(frame) is not before

        with contextlib.suppress(InvalidFrame):
            self.run(work)

    @rule(target=frames, one=frames, other=frames, kind=st.sampled_from(list(ReferenceKind)))
    def link(self, one: int, other: int, kind: ReferenceKind) -> int:
        def work(tx: MindTransaction) -> int:
            if tx.frames.find(one) is None or tx.frames.find(other) is None:
                return -1
            return tx.frames.create_b_frame("joined", [(one, kind), (other, kind)]).id

        try:
            return self.run(work)
        except InvalidFrame:
            return -1

    @rule(frame=frames)
    def trash(self, frame: int) -> None:
        self.run(lambda tx: tx.frames.trash([frame]) if tx.frames.find(frame) else [])

    @rule(frame=frames)
    def restore(self, frame: int) -> None:
        self.run(lambda tx: tx.frames.restore([frame]) if tx.frames.find(frame) else [])

    @rule(frame=frames, importance=st.sampled_from(list(Importance)))
    def mark(self, frame: int, importance: Importance) -> None:
        self.run(lambda tx: tx.frames.set_importance(frame, importance) if tx.frames.find(frame) else None)

    @rule(frame=consumes(frames))
    def remove(self, frame: int) -> None:
        self.run(lambda tx: tx.frames.remove([frame]))

    @rule()
    def reopen(self) -> None:
        path = self.mind.path
        self.mind.close()
        self.mind = Mind.open(path, "m")

    @invariant()
    def invariants_hold(self) -> None:
        if not hasattr(self, "mind"):
            return
        self.mind.submit_read(check_invariants).result(20)

    def teardown(self) -> None:
        if hasattr(self, "mind"):
            self.mind.close()
            self.folder.cleanup()


def check_invariants(tx: MindTransaction) -> None:
    frames = {f.id: f for f in select(tx.connection, "1", (), "ORDER BY f.id")}
    by_session: dict[str, list] = {}
    for frame in frames.values():
        by_session.setdefault(frame.session_id, []).append(frame)
    for members in by_session.values():
        assert any(f.type is FrameType.I for f in members), "a GOP with frames has an I"
        assert sorted(f.t for f in members) == [f.t for f in sorted(members, key=lambda f: f.id)], "t grows"
    for frame in frames.values():
        if frame.type is not FrameType.I:
            base = frames[frame.base_frame_id]
            assert base.type is FrameType.I and base.session_id == frame.session_id
        if frame.type is FrameType.B:
            ends = [frames[r.ref_frame_id] for r in tx.frames.references(frame.id) if r.frame_id == frame.id]
            living = [e for e in ends if e.trashed_at is None and e.importance is not Importance.DEPRECATED]
            assert len(living) >= 2 or frame.importance is Importance.DEPRECATED, "a link has two living ends"
    current = {int(i) for (i,) in tx.connection.execute("SELECT id FROM current_frames")}
    for original in (f for f in frames.values() if f.type is not FrameType.B and f.patch_target_id is None):
        family = [f for f in frames.values() if f.patch_target_id == original.id and f.trashed_at is None]
        amends = sorted((f for f in family if f.patch_kind is PatchKind.AMEND), key=lambda f: f.t)
        hidden = sum(f.patch_kind is PatchKind.RETRACT for f in family) % 2 == 1 or original.trashed_at is not None
        shown = {original.id, *(f.id for f in family)} & current
        assert shown == (set() if hidden else {(amends or [original])[-1].id})
    text_rows = {int(i) for (i,) in tx.connection.execute("SELECT rowid FROM memory_frames_fts")}
    worded = {f.id for f in frames.values() if f.type is not FrameType.B and f.patch_kind is not PatchKind.RETRACT}
    assert text_rows == worded


@pytest.mark.timeout(300)
class TestFrames(FrameMachine.TestCase):
    settings = settings(max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck))
