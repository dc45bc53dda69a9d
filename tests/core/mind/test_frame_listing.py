"""The ids of a list are those of `current_frames`, whatever happened to the frames."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.conftest import SyncMind

from hivemind.domain.frames import FrameDraft, ReferenceKind
from hivemind.mind import MindTransaction
from hivemind.mind.frame_listing import current_ids, listed_frames
from hivemind.mind.saving import save

#: What may happen to a frame, by number.
STEPS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 20)), max_size=14)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_the_ids_are_those_of_the_view(sync_mind: SyncMind, steps: list[tuple[int, int]]) -> None:
    def happen(tx: MindTransaction) -> None:
        ids = [save(tx, FrameDraft(f"text {tx.now} {n}")).frame.id for n in range(3)]
        for kind, pick in steps:
            frame = tx.frames.get(ids[pick % len(ids)])
            if kind == 0:
                ids.append(save(tx, FrameDraft(f"more {tx.now} {pick} {len(ids)}")).frame.id)
            elif kind == 5:
                tx.frames.restore((frame.id,))
            elif kind == 6:
                tx.frames.remove((ids.pop(),)) if len(ids) > 2 else None
            elif frame.trashed_at is None:
                if kind == 1:
                    tx.frames.amend(frame.id, f"changed {len(ids)} {pick}")
                elif kind == 2:
                    tx.frames.retract(frame.id)
                elif kind == 3:
                    tx.frames.trash((frame.id,))
                elif (other := tx.frames.get(ids[0])).trashed_at is None and other.id != frame.id:
                    tx.frames.create_b_frame("both", [(frame.id, ReferenceKind.LINK), (other.id, ReferenceKind.LINK)])

    sync_mind.write(happen)
    view = sync_mind.read(
        lambda tx: [i for (i,) in tx.connection.execute("SELECT id FROM current_frames ORDER BY id DESC")]
    )
    assert list(sync_mind.read(lambda tx: current_ids(tx.connection))) == view


def test_rows_come_in_the_order_asked(sync_mind: SyncMind) -> None:
    ids = [sync_mind.write(lambda tx, n=n: save(tx, FrameDraft(f"text {n}"))).frame.id for n in range(3)]  # type: ignore[misc]
    listed = sync_mind.read(lambda tx: listed_frames(tx.connection, [ids[2], 99, ids[0], ids[1]]))
    assert [one.frame.id for one in listed] == [ids[2], ids[0], ids[1]]
    assert sync_mind.read(lambda tx: listed_frames(tx.connection, [])) == []
