"""Saving: notes of the day, exact duplicates, checks before the write. Covers: accesses."""

from __future__ import annotations

from pathlib import Path

from hivemind.domain.frames import Access, Finding, FrameDraft, FrameType, Importance
from hivemind.domain.masking import mask
from hivemind.mind import Mind
from hivemind.mind.saving import save


def test_the_first_note_of_a_day_is_its_i_and_the_next_stand_on_it(sync_mind):
    one = sync_mind.write(lambda tx: save(tx, FrameDraft("one"))).frame
    two = sync_mind.write(lambda tx: save(tx, FrameDraft("two"))).frame
    assert (one.type, two.type, two.base_frame_id) == (FrameType.I, FrameType.P, one.id)
    assert one.session_id == two.session_id == "notes:2026-11-30"


def test_the_same_text_is_met_again_not_written_again(sync_mind):
    first = sync_mind.write(lambda tx: save(tx, FrameDraft("Door code is 4417"))).frame
    sync_mind.write(lambda tx: tx.frames.deprecate(first.id))
    again = sync_mind.write(lambda tx: save(tx, FrameDraft(" Door code is 4417\n", importance=Importance.IMPORTANT)))
    assert (again.duplicate_of, again.frame.id) == (first.id, first.id)
    assert (again.frame.importance, again.frame.access_count) == (Importance.IMPORTANT, 1)
    other = sync_mind.write(lambda tx: save(tx, FrameDraft("Door code is 4471")))
    assert other.duplicate_of is None


def test_a_trashed_or_replaced_text_is_no_duplicate(sync_mind):
    first = sync_mind.write(lambda tx: save(tx, FrameDraft("Maja works in Lund"))).frame
    sync_mind.write(lambda tx: tx.frames.amend(first.id, "Maja works in Umeå"))
    again = sync_mind.write(lambda tx: save(tx, FrameDraft("Maja works in Lund")))
    assert again.duplicate_of is None
    sync_mind.write(lambda tx: tx.frames.trash([again.frame.id]))
    assert sync_mind.write(lambda tx: save(tx, FrameDraft("Maja works in Lund"))).duplicate_of is None


def test_checks_see_the_open_transaction_and_never_stop_the_write(tmp_path: Path):
    def check(draft: FrameDraft, tx) -> list[Finding]:
        old = tx.frames.find_exact("We chose Postgres")
        if "DynamoDB" in draft.content and old is not None:
            return [Finding("contradiction", old.id, old.content), Finding("quarantine", None, reason="asks an AI")]
        return []

    mind = Mind.open(tmp_path / "m.mind", "m", create=True, checks=(check,))
    try:
        mind.submit_write(lambda tx: save(tx, FrameDraft("We chose Postgres"))).result(10)
        saved = mind.submit_write(lambda tx: save(tx, FrameDraft("We chose DynamoDB"))).result(10)
    finally:
        mind.close()
    assert [f.excerpt for f in saved.contradicts] == ["We chose Postgres"]
    assert saved.frame.quarantine == "asks an AI"


def test_use_counts_once_per_query(sync_mind):
    frame = sync_mind.write(lambda tx: save(tx, FrameDraft("opened often"))).frame

    def use(query: str | None) -> int:
        return sync_mind.write(lambda tx: tx.accesses.record([Access(frame.id, "opened", None, query)]))

    assert [use("q1"), use("q1"), use("q2"), use(None)] == [1, 0, 1, 1]
    after = sync_mind.read(lambda tx: tx.frames.get(frame.id))
    assert after.access_count == 3
    assert after.last_accessed > frame.last_accessed
    assert sync_mind.write(lambda tx: tx.accesses.record([Access(999, "opened")])) == 0


def test_a_text_is_looked_through_for_secrets_once(sync_mind, monkeypatch):
    looked: list[str] = []

    def counted(text, allowed=frozenset()):
        looked.append(text)
        return mask(text, allowed)

    monkeypatch.setattr("hivemind.mind.frame_writer.mask", counted)
    sync_mind.write(lambda tx: save(tx, FrameDraft("The ferry leaves at noon", captions="a ferry")))
    assert sorted(looked) == ["The ferry leaves at noon", "a ferry"]
