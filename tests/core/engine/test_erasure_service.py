"""Erasing through the engine: everything goes, nothing is left, nothing comes back.

Covers: erasure_service, erasure_work, erasure_receipts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.core.engine.conftest import Driver
from tests.core.engine.embedding_driver import Meaning
from tests.samples.chatgpt import conversation, write_json
from tests.samples.encoders import WordEncoder

from hivemind.domain.calls import Call, CallKind, CallOutcome, Verdict
from hivemind.domain.erasure import BackupChoice, ErasureReceipt, ErasureState, ErasureTarget, TargetKind
from hivemind.domain.search import Profile, SavedSearch, SearchRequest
from hivemind.engine import erasure_receipts
from hivemind.errors import (
    DiskFull,
    FrameNotFound,
    HiveMindError,
    InvalidValue,
    NotAllowed,
    NotFound,
    RunNotFound,
    SessionNotFound,
)
from hivemind.maintenance import erasure_backups
from hivemind.search.vector_index import VectorIndex

HERE = "personal"
SECRET = "Zwetschgenknödel-4711"


def text(*words: str) -> ErasureTarget:
    return ErasureTarget(TargetKind.TEXT, words)


def erase(driver: Driver, target: ErasureTarget, **choices: Any) -> ErasureReceipt:
    return driver.run(lambda e: e.erasure.erase(HERE, target, "request", **choices))


def every_byte(driver: Driver) -> dict[str, bytes]:
    root = driver.engine.data.root
    return {str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*") if file.is_file()}


def holding(driver: Driver, secret: str) -> list[str]:
    return [name for name, content in every_byte(driver).items() if secret.encode() in content]


def imported(driver: Driver, tmp_path: Path, *talks: tuple[str, list[tuple[str, str]]]) -> int:
    made = [conversation(f"talk-{n}", turns, title=name) for n, (name, turns) in enumerate(talks)]
    source = write_json(tmp_path / "conversations.json", made)
    run = driver.run(lambda e: e.harvest.start([source], HERE))
    driver.run(lambda e: e.harvest.wait(HERE, run))
    return run


def test_words_go_everywhere_and_the_receipt_says_so_without_them(driver: Driver) -> None:
    driver.run(lambda e: e.memory.save(f"I like {SECRET} 用户", HERE))
    driver.run(lambda e: e.memory.save("I like lemons", HERE))
    call = Call("call-1", CallKind.LLM_CALL, "m", "p", input_text=f"about {SECRET.upper()}")
    driver.run(lambda e: e.evidence.record(HERE, call, CallOutcome("call-1", output_text="a dish")))
    receipt = erase(driver, text(SECRET))
    assert (receipt.state, receipt.waiting_for) == (ErasureState.ERASED, ())
    assert receipt.residue is not None and receipt.residue.total == 0 and receipt.residue.passages > 0
    assert receipt.erased["frames"] == 1 and receipt.erased["interaction log"] == 1
    assert [f.content for f in driver.run(lambda e: e.memory.list_frames(HERE))] == ["I like lemons"]
    assert holding(driver, SECRET) == holding(driver, SECRET.upper()) == []
    kept = json.dumps(erasure_receipts.document(receipt))
    assert SECRET not in kept and "wetschg" not in kept.casefold()
    assert driver.run(lambda e: e.safety.verify(HERE)) == []
    assert driver.run(lambda e: e.evidence.verify(HERE)).findings == ()
    assert driver.run(lambda e: e.evidence.verify(HERE)).erased == 1
    assert driver.run(lambda e: e.erasure.list_receipts(HERE)) == [receipt]


def test_the_log_names_the_memory_by_its_uuid_and_the_reason_by_its_code(driver: Driver) -> None:
    frame = driver.run(lambda e: e.memory.save(f"I like {SECRET}", HERE)).frame
    receipt = erase(driver, ErasureTarget(TargetKind.FRAME, (str(frame.id),)), request="case-7")
    mind = driver.run(lambda e: e.minds.get(HERE))
    query = "SELECT detail_json FROM ai_log_chain WHERE seq = ?"
    detail = json.loads(mind.submit_read(lambda tx: tx.connection.execute(query, (receipt.log_seq,)).get).result(10))
    assert (detail["frames"], detail["reason"], detail["request"]) == ([frame.uuid], "request", "case-7")
    assert receipt.residue is not None and receipt.residue.total == 0
    assert holding(driver, SECRET) == []


def test_a_memory_takes_its_edits_and_what_undo_knew_of_them(driver: Driver) -> None:
    first = driver.run(lambda e: e.memory.save(f"PIN {SECRET}", HERE)).frame
    driver.run(lambda e: e.memory.save(f"PIN is now {SECRET}!", HERE, amends=first.id))
    driver.run(lambda e: e.memory.set_pinned(HERE, [first.id], True))
    receipt = erase(driver, ErasureTarget(TargetKind.FRAME, (str(first.id),)))
    assert receipt.erased["frames"] == 2
    assert driver.run(lambda e: e.memory.count(HERE)) == 0
    assert holding(driver, SECRET) == []
    with pytest.raises(HiveMindError):
        driver.run(lambda e: e.changes.undo(HERE))


def test_a_preview_counts_and_changes_nothing(driver: Driver, tmp_path: Path) -> None:
    imported(driver, tmp_path, (f"About {SECRET}", [("user", f"I like {SECRET}"), ("assistant", "Good")]))
    driver.run(lambda e: e.backups.make(HERE))
    shown = driver.run(lambda e: e.erasure.preview(HERE, text(SECRET.lower())))
    assert shown.memories >= 1 and shown.messages == 1 and not shown.nothing
    assert any(SECRET in excerpt for excerpt in shown.excerpts)
    assert [path.parent.name for path in shown.backups] == ["backups"]
    assert ("imported file", str(tmp_path / "conversations.json")) in [(o.kind, o.place) for o in shown.outside]
    assert driver.run(lambda e: e.evidence.verify(HERE)).erased == 0
    assert holding(driver, SECRET) != []


@pytest.mark.parametrize("kind", ["session", "import", "text"])
def test_what_was_erased_does_not_come_back_with_the_same_export(driver: Driver, tmp_path: Path, kind: str) -> None:
    talks = (
        (f"About {SECRET}", [("user", f"I like {SECRET}"), ("assistant", f"{SECRET} is a dish")]),
        ("Lemons", [("user", "I like lemons"), ("assistant", "They are yellow")]),
    )
    run = imported(driver, tmp_path, *talks)
    sessions = driver.run(lambda e: e.sessions.list_rows(HERE))
    session = next(row.session.id for row in sessions if SECRET in row.session.title)
    values = {"session": session, "import": str(run), "text": SECRET}
    receipt = erase(driver, ErasureTarget(TargetKind(kind), (values[kind],)))
    assert receipt.state is ErasureState.ERASED and receipt.residue is not None and receipt.residue.total == 0
    assert holding(driver, SECRET) == []
    left = driver.run(lambda e: e.memory.count(HERE))
    assert (left == 0) == (kind == "import")
    imported(driver, tmp_path, *talks)
    assert driver.run(lambda e: e.memory.count(HERE)) == left
    assert holding(driver, SECRET) == []
    assert driver.run(lambda e: e.safety.verify(HERE)) == []


def test_a_title_that_was_erased_stays_away_while_the_rest_grows(driver: Driver, tmp_path: Path) -> None:
    imported(driver, tmp_path, (f"About {SECRET}", [("user", "I like lemons"), ("assistant", "They are yellow")]))
    receipt = erase(driver, text(SECRET))
    assert receipt.state is ErasureState.ERASED
    grown = [("user", "I like lemons"), ("assistant", "They are yellow"), ("user", "And sour")]
    imported(driver, tmp_path, (f"About {SECRET}", grown))
    assert holding(driver, SECRET) == []
    assert "And sour" in [f.content for f in driver.run(lambda e: e.memory.list_frames(HERE))]


def test_a_person_goes_with_what_they_said_and_what_was_said_of_them(driver: Driver) -> None:
    mind = driver.run(lambda e: e.minds.get(HERE))

    def plant(tx: Any) -> None:
        from hivemind.domain.frames import FrameDraft

        day = tx.sessions.notes_of_day("2026-11-30").id
        first = tx.frames.create_i_frame(FrameDraft("Good morning", session_id=day, speaker="Ann Marlow"))
        tx.frames.create_p_frame(FrameDraft("I met Ann Marlow.", session_id=day, speaker="Bob"), first.id)
        tx.frames.create_p_frame(FrameDraft("Annabel Marlowe called.", session_id=day, speaker="Bob"), first.id)

    driver.run(lambda _: mind.write(plant))
    receipt = erase(driver, ErasureTarget(TargetKind.PERSON, ("ann marlow",)))
    assert receipt.state is ErasureState.ERASED and receipt.erased["speakers"] == 1
    assert [f.content for f in driver.run(lambda e: e.memory.list_frames(HERE))] == ["Annabel Marlowe called."]
    assert driver.run(lambda e: e.safety.verify(HERE)) == []


@pytest.mark.parametrize("choice", list(BackupChoice))
def test_backups_that_hold_it_are_rewritten_or_removed(driver: Driver, tmp_path: Path, choice: BackupChoice) -> None:
    clean = driver.run(lambda e: e.backups.make(HERE))
    driver.run(lambda e: e.memory.save(f"I like {SECRET}", HERE))
    driver.run(lambda e: e.memory.save("I like lemons", HERE))
    made = driver.run(lambda e: e.backups.make(HERE))
    receipt = erase(driver, text(SECRET), backups=choice)
    assert receipt.state is ErasureState.ERASED
    assert receipt.backups == {"removed" if choice is BackupChoice.REMOVE else "rewritten": 1}
    assert Path(clean.path).exists()
    assert holding(driver, SECRET) == []
    assert Path(made.path).exists() == (choice is BackupChoice.REWRITE)
    if choice is BackupChoice.REWRITE:
        driver.run(lambda e: e.safety.restore(HERE, Path(made.path)))
        assert [f.content for f in driver.run(lambda e: e.memory.list_frames(HERE))] == ["I like lemons"]
        assert driver.run(lambda e: e.evidence.verify(HERE)).verdict is not Verdict.TAMPERED
        assert driver.run(lambda e: e.safety.verify(HERE)) == []


def test_a_backup_from_elsewhere_is_erased_again_after_its_restore(driver: Driver, tmp_path: Path) -> None:
    frame = driver.run(lambda e: e.memory.save(f"I like {SECRET}", HERE)).frame
    driver.run(lambda e: e.memory.save("I like lemons", HERE))
    driver.run(lambda e: e.safety.backup(HERE, tmp_path / "away.mind"))
    erase(driver, ErasureTarget(TargetKind.FRAME, (str(frame.id),)))
    assert SECRET.encode() in (tmp_path / "away.mind").read_bytes()
    driver.run(lambda e: e.safety.restore(HERE, tmp_path / "away.mind"))
    assert [f.content for f in driver.run(lambda e: e.memory.list_frames(HERE))] == ["I like lemons"]
    assert holding(driver, SECRET) == []
    assert driver.run(lambda e: e.evidence.verify(HERE)).verdict is not Verdict.TAMPERED


def test_pending_while_somebody_reads_the_old_state(driver: Driver) -> None:
    driver.run(lambda e: e.memory.save(f"I like {SECRET}", HERE))
    path = driver.run(lambda e: e.minds.get(HERE)).path
    other = apsw.Connection(str(path))
    other.execute("BEGIN")
    assert other.execute("SELECT count(*) FROM memory_frames").get == 1
    receipt = erase(driver, text(SECRET))
    assert (receipt.state, receipt.waiting_for) == (ErasureState.PENDING, ("log_file",))
    assert holding(driver, SECRET) != []
    other.execute("ROLLBACK")
    other.close()
    (done,) = driver.run(lambda e: e.erasure.finish_pending())
    assert (done.uuid, done.state) == (receipt.uuid, ErasureState.ERASED)
    assert done.residue is not None and done.residue.total == 0 and done.erased == receipt.erased
    assert holding(driver, SECRET) == []
    assert driver.run(lambda e: e.erasure.finish_pending()) == []


def test_a_backup_that_failed_once_keeps_nothing_pending_when_it_is_done(driver: Driver, monkeypatch) -> None:
    driver.run(lambda e: e.memory.save(f"I like {SECRET}", HERE))
    driver.run(lambda e: e.backups.make(HERE))
    with monkeypatch.context() as full:

        def no_room(*_: Any) -> None:
            raise DiskFull

        full.setattr(erasure_backups, "treat", no_room)
        receipt = erase(driver, text(SECRET))
    assert (receipt.state, receipt.backups) == (ErasureState.PENDING, {"failed": 1})
    [done] = driver.run(lambda e: e.erasure.finish_pending())
    assert (done.state, done.backups) == (ErasureState.ERASED, {"rewritten": 1})
    assert holding(driver, SECRET) == []


def test_after_a_crash_a_backup_is_rewritten_once_however_long_somebody_reads(driver: Driver) -> None:
    driver.run(lambda e: e.memory.save("I like lemons", HERE))
    driver.run(lambda e: e.backups.make(HERE))
    frame = driver.run(lambda e: e.memory.save(f"I like {SECRET}", HERE)).frame
    other = apsw.Connection(str(driver.run(lambda e: e.minds.get(HERE)).path))
    other.execute("BEGIN")
    assert other.execute("SELECT count(*) FROM memory_frames").get == 2
    first = erase(driver, ErasureTarget(TargetKind.FRAME, (str(frame.id),)))
    assert (first.state, first.backups) == (ErasureState.PENDING, {})
    # What another process knows of it: the ledger alone.
    driver.engine.erasure._work._waiting.clear()
    for _ in range(2):
        [again] = driver.run(lambda e: e.erasure.finish_pending())
        assert (again.state, again.backups) == (ErasureState.PENDING, {"rewritten": 1})
    other.execute("ROLLBACK")
    other.close()
    [done] = driver.run(lambda e: e.erasure.finish_pending())
    assert (done.state, done.backups) == (ErasureState.ERASED, {"rewritten": 1})


def test_numbers_in_memory_go_too(tmp_path: Path) -> None:
    meaning = Meaning(tmp_path / "data", WordEncoder("words"))
    engine = meaning.engine
    meaning.save(f"The {SECRET} doctor leaves at noon", "I like lemons")
    meaning.run(engine.embedding.embed_now(HERE))
    request = SearchRequest("physician departs", minds=(HERE,))
    meaning.run(engine.memory.search(request))
    mind = meaning.run(engine.minds.get(HERE))
    index = VectorIndex.of(mind)
    assert len(index) == 2
    receipt = meaning.run(engine.erasure.erase(HERE, text(SECRET), "request"))
    assert receipt.residue is not None and receipt.residue.total == 0 and receipt.residue.passages >= 2
    assert VectorIndex.of(mind) is not index
    result = meaning.run(engine.memory.search(request))
    assert [hit.frame.content for hit in result.hits] in ([], ["I like lemons"]) and len(VectorIndex.of(mind)) == 1
    meaning.close()


def test_a_pending_row_of_another_mind_is_left_alone(driver: Driver) -> None:
    from hivemind.maintenance.erasure_ledger import ErasureLedger

    driver.run(lambda e: e.memory.save(f"I like {SECRET}", HERE))
    told = {"places": {}, "sessions": [], "suppress": [], "named": [], "kind": "text", "channel": "app"}
    row = json.dumps(told | {"workspace": HERE})
    begin = "2026-11-30T12:00:00.000Z"
    driver.run(
        lambda e: e._installed().write(lambda c: ErasureLedger(c).begin("u", "another mind", begin, "request", row))
    )
    assert driver.run(lambda e: e.erasure.finish_pending()) == []
    assert driver.run(lambda e: e.evidence.verify(HERE)).entries == 1


def test_an_import_at_work_is_not_erased(driver: Driver, tmp_path: Path) -> None:
    run = imported(driver, tmp_path, ("Lemons", [("user", "I like lemons"), ("assistant", "They are yellow")]))
    mind = driver.run(lambda e: e.minds.get(HERE))
    state = "UPDATE import_runs SET state = 'paused' WHERE id = ?"
    driver.run(lambda _: mind.write(lambda tx: tx.connection.execute(state, (run,)) and None))
    with pytest.raises(NotAllowed):
        erase(driver, ErasureTarget(TargetKind.IMPORT, (str(run),)))
    assert driver.run(lambda e: e.memory.count(HERE)) > 0


@pytest.mark.parametrize(
    ("target", "error"),
    [
        (ErasureTarget(TargetKind.FRAME, ("99",)), FrameNotFound),
        (ErasureTarget(TargetKind.FRAME, ("x",)), InvalidValue),
        (ErasureTarget(TargetKind.SESSION, ("x",)), SessionNotFound),
        (ErasureTarget(TargetKind.IMPORT, ("9",)), RunNotFound),
        (ErasureTarget(TargetKind.TEXT, ("ab",)), InvalidValue),
        (ErasureTarget(TargetKind.TEXT, ()), InvalidValue),
        (ErasureTarget(TargetKind.TEXT, ("not there at all",)), NotFound),
    ],
)
def test_what_is_not_there_is_refused_and_nothing_is_logged(driver: Driver, target, error) -> None:
    driver.run(lambda e: e.memory.save("I like lemons", HERE))
    before = driver.run(lambda e: e.evidence.verify(HERE)).entries
    with pytest.raises(error):
        erase(driver, target)
    assert driver.run(lambda e: e.evidence.verify(HERE)).entries == before
    assert driver.run(lambda e: e.memory.count(HERE)) == 1


def test_an_unknown_reason_is_refused(driver: Driver) -> None:
    driver.run(lambda e: e.memory.save("I like lemons", HERE))
    with pytest.raises(InvalidValue):
        driver.run(lambda e: e.erasure.erase(HERE, text("lemons"), "because"))


def test_requests_saved_searches_and_reports_of_faults_lose_the_words(driver: Driver) -> None:
    driver.run(lambda e: e.searches.save(HERE, SavedSearch("Mine", SECRET, Profile.BALANCED)))
    crash = driver.engine.data.root / "crashes" / "crash one.txt"
    crash.parent.mkdir()
    crash.write_text(f"a library quoted {SECRET}")
    asked = (
        "INSERT INTO approvals (uuid, client, workspace, query, asked_at, expires_at)"
        " VALUES ('u', 'c', 'w', ?, 'n', 'n')"
    )
    driver.run(lambda e: e._installed().write(lambda c: c.execute(asked, (f"all of {SECRET}",)) and None))
    receipt = erase(driver, text(SECRET))
    assert receipt.state is ErasureState.ERASED and receipt.erased == {"saved searches": 1, "changes": 1}
    assert not crash.exists() and holding(driver, SECRET) == []


def test_words_in_the_names_of_imported_items_go_too(driver: Driver, tmp_path: Path) -> None:
    made = [conversation(f"{SECRET}-talk", [("user", "I like lemons"), ("assistant", "They are yellow")])]
    source = write_json(tmp_path / "conversations.json", made)
    run = driver.run(lambda e: e.harvest.start([source], HERE))
    driver.run(lambda e: e.harvest.wait(HERE, run))
    assert erase(driver, text(SECRET)).state is ErasureState.ERASED
    assert holding(driver, SECRET) == []
    driver.run(lambda e: e.harvest.wait(HERE, run))
    left = driver.run(lambda e: e.memory.count(HERE))
    again = driver.run(lambda e: e.harvest.start([source], HERE))
    assert driver.run(lambda e: e.harvest.wait(HERE, again)).found == 1
    assert driver.run(lambda e: e.memory.count(HERE)) == left
    assert driver.run(lambda e: e.safety.verify(HERE)) == []
