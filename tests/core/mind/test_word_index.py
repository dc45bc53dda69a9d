"""The word index holds what Python calls the indexed text, for any text: the trigger and the function agree."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hivemind.domain.frames import FrameDraft
from hivemind.domain.indexed_text import indexed_text

TEXT = st.text(min_size=1, max_size=60)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(speaker=st.none() | TEXT, content=TEXT.filter(lambda t: t.strip() != ""), captions=st.none() | TEXT)
def test_python_and_the_trigger_agree(sync_mind, speaker, content, captions):
    def work(tx):
        session = tx.sessions.create().id
        draft = FrameDraft("x" + content, session_id=session, speaker=speaker, captions=captions)
        frame = tx.frames.create_i_frame(draft)
        stored = tx.connection.execute("SELECT content FROM memory_frames_fts WHERE rowid = ?", (frame.id,)).get
        return frame, stored

    frame, stored = sync_mind.write(work)
    assert stored == indexed_text(frame.speaker, frame.content, frame.captions)
