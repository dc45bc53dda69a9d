"""An erasure over a mind and its ledger: planned by lasting ids, repeatable, and seen where it was not done.

Covers: erasure, erasure_plan, erasure_places, erasure_ledger, erasure_residue, erasure_beside, erasure_backups.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.core.conftest import START, StepClock, SyncMind
from tests.samples.encoders import encoded

from hivemind.domain.calls import Call, CallKind
from hivemind.domain.erasure import BackupChoice, ErasureState, ErasureTarget, TargetKind
from hivemind.domain.frames import FrameDraft
from hivemind.domain.sessions import SessionKind
from hivemind.domain.vectors import ModelIdentity
from hivemind.gateway import record_started, verify_log
from hivemind.maintenance import erasure_backups, erasure_beside, verify
from hivemind.maintenance.erasure import SLICE, ErasureFacts, as_json, find_entry, steps
from hivemind.maintenance.erasure_ledger import ErasureLedger
from hivemind.maintenance.erasure_needles import Needles
from hivemind.maintenance.erasure_plan import ErasurePlan, plan_from, seek, seek_again, work_out
from hivemind.maintenance.erasure_residue import Probes, look, search_files, take_probes
from hivemind.mind import MindTransaction
from hivemind.mind.archive import NewMessage
from hivemind.mind.suppressions import suppression_key
from hivemind.paths import DataDir
from hivemind.storage import Database, SchemaKind
from hivemind.storage.backup import backup

SECRET = "Hagebuttenmus-3310"
FACTS = ErasureFacts("text", "request", "app")


def text(words: str = SECRET) -> ErasureTarget:
    return ErasureTarget(TargetKind.TEXT, (words,))


def plant(tx: MindTransaction) -> None:
    session = tx.sessions.create(SessionKind.CONVERSATION, f"On {SECRET}", source="chatgpt", item_id="item-1")
    said = ("good morning", f"I like {SECRET} 用户", "and lemons")
    ids = tx.archive.append(
        session.id,
        [NewMessage(f"m{n}", None, 0, None, "user", "speech", None, False, 0, n, body) for n, body in enumerate(said)],
    )
    base = None
    for message_id, body in zip(ids, said, strict=True):
        draft = FrameDraft(body, session_id=session.id)
        frame = tx.frames.create_i_frame(draft) if base is None else tx.frames.create_p_frame(draft, base.id)
        base = base or frame
        tx.archive.link(frame.id, message_id, 0, len(body))
    record_started(tx.connection, tx.now, Call("c", CallKind.LLM_CALL, "m", "p", input_text=f"of {SECRET}"))
    identity = ModelIdentity("words", "1", "ab" * 32)
    model = tx.vectors.register(identity)
    if tx.vectors.models.get(model).state != "serving":
        tx.vectors.models.promote(model)
    for frame_id in [int(i) for (i,) in list(tx.connection.execute("SELECT id FROM memory_frames"))]:
        body = tx.frames.get(frame_id).content
        made = encoded(body)
        tx.vectors.put(frame_id, model, np.asarray(made.pooled), np.asarray(made.tokens), made.pieces)


def planned(mind: SyncMind, target: ErasureTarget | None = None) -> tuple[ErasurePlan, Probes]:
    def read(tx: MindTransaction) -> tuple[ErasurePlan, Probes]:
        sought = seek(tx, target or text(), "u-1")
        plan = work_out(tx, sought)
        return plan, take_probes(tx, sought)

    return mind.read(read)


def carry_out(mind: SyncMind, plan: ErasurePlan, upto: int = 10**6) -> Counter[str]:
    done: Counter[str] = Counter()
    for number, step in enumerate(steps(plan, FACTS)):
        if number < upto:
            done += mind.write(step)
    return done


def residue(mind: SyncMind, probes: Probes, folder: Path) -> Any:
    assert erasure_beside.rewritten(mind.mind.database)
    assert erasure_beside.truncated(mind.mind.database)
    return mind.read(lambda tx: look(tx, mind.mind.path, DataDir(folder), "test", probes))


def test_the_plan_holds_no_text_and_comes_back_from_its_ledger(sync_mind: SyncMind, tmp_path: Path) -> None:
    sync_mind.write(plant)
    plan, _ = planned(sync_mind)
    kept = as_json(plan, FACTS)
    assert SECRET not in kept and plan.size >= 4
    database = Database.open(tmp_path / "install.db", create=True, kind=SchemaKind.INSTALL)
    try:
        database.submit_write(lambda c: ErasureLedger(c).begin("u-1", "m", "2026", "request", kept)).result(10)
        (row,) = database.submit_read(lambda c: ErasureLedger(c).list_all("m", ErasureState.PENDING)).result(10)
        assert row.plan == plan and row.facts == FACTS
        database.submit_write(lambda c: ErasureLedger(c).extend("u-1", kept.replace("text", "person"))).result(10)
        database.submit_write(lambda c: ErasureLedger(c).set_state("u-1", ErasureState.ERASED)).result(10)
        assert database.submit_read(lambda c: ErasureLedger(c).list_all(state=ErasureState.PENDING)).result(10) == []
        (row,) = database.submit_read(lambda c: ErasureLedger(c).list_all("m")).result(10)
        assert (row.facts.kind, row.state) == ("person", ErasureState.ERASED)
        assert database.submit_read(lambda c: ErasureLedger(c).list_all("other")).result(10) == []
    finally:
        database.close()


def test_every_step_can_be_repeated(sync_mind: SyncMind, tmp_path: Path) -> None:
    sync_mind.write(plant)
    plan, probes = planned(sync_mind)
    count = len(list(steps(plan, FACTS)))
    for upto in range(1, count + 1):
        carry_out(sync_mind, plan_from("u-1", json.loads(json.dumps(plan.document()))), upto)
    assert residue(sync_mind, probes, tmp_path).total == 0
    assert sync_mind.read(verify) == []
    assert sync_mind.read(lambda tx: verify_log(tx.connection)).findings == ()
    entries = "SELECT count(*) FROM ai_log_chain WHERE kind = 'erasure'"
    assert sync_mind.read(lambda tx: tx.connection.execute(entries).get) == 1
    key = suppression_key("chatgpt", "item-1", "m1", 0)
    assert sync_mind.read(lambda tx: tx.suppressions.holds("chatgpt", key))
    left = sync_mind.read(
        lambda tx: [tx.archive.text_of(int(i)) for (i,) in tx.connection.execute("SELECT id FROM messages")]
    )
    assert left == ["good morning", "and lemons"]


@pytest.mark.parametrize("upto", [0, 1, 2])
def test_what_is_not_taken_out_is_seen(sync_mind: SyncMind, tmp_path: Path, upto: int) -> None:
    """Nothing at all; the entry only; the entry and the memories, but neither archive nor log text."""
    sync_mind.write(plant)
    plan, probes = planned(sync_mind)
    carry_out(sync_mind, plan, upto)
    found = residue(sync_mind, probes, tmp_path)
    assert found.total > 0 and found.texts > 0
    assert (found.vectors > 0) == (upto < 2)
    assert found.files  # titles and log texts stand in the file as they are


def test_words_of_an_index_without_their_memory_are_seen(sync_mind: SyncMind, tmp_path: Path) -> None:
    sync_mind.write(plant)
    plan, probes = planned(sync_mind)
    carry_out(sync_mind, plan)

    def smuggle(tx: MindTransaction) -> None:
        tx.connection.execute("INSERT INTO memory_frames_fts (rowid, content) VALUES (999, ?)", (SECRET,))
        tx.connection.execute("UPDATE memory_frames_fts_content SET id = 998 WHERE id = 999")

    import apsw

    with pytest.raises(Exception):  # noqa: B017 (the authorizer's or SQLite's own refusal)
        sync_mind.write(smuggle)
    path = sync_mind.mind.path
    connection = apsw.Connection(str(path))
    connection.execute("INSERT INTO memory_frames_fts (rowid, content) VALUES (999, ?)", (SECRET,))
    connection.execute("DELETE FROM memory_frames_fts_content WHERE id = 999")
    connection.close()
    assert residue(sync_mind, probes, tmp_path).vocabulary > 0


def test_a_place_that_holds_something_else_by_now_is_left_alone(sync_mind: SyncMind) -> None:
    sync_mind.write(plant)
    plan, _ = planned(sync_mind)
    session = sync_mind.read(lambda tx: tx.sessions.list_rows(1)[0].session.id)
    sync_mind.write(lambda tx: tx.sessions.set_title(session, "Jam"))
    carry_out(sync_mind, plan)
    assert sync_mind.read(lambda tx: tx.sessions.get(session).title) == "Jam"


def test_more_places_than_a_slice(sync_mind: SyncMind) -> None:
    def many(tx: MindTransaction) -> None:
        day = tx.sessions.notes_of_day("2026-11-30").id
        base = tx.frames.create_i_frame(FrameDraft("lemons", session_id=day))
        tx.frames.add_imported([FrameDraft(f"{SECRET} {n}", session_id=day) for n in range(2 * SLICE + 5)], base.id)

    sync_mind.write(many)
    plan, _ = planned(sync_mind)
    assert len(list(steps(plan, FACTS))) == 2 + 3
    assert carry_out(sync_mind, plan)["frames"] == 2 * SLICE + 5
    assert sync_mind.read(lambda tx: tx.frames.count_current()) == 1
    assert sync_mind.read(lambda tx: find_entry(tx, "u-1")) == 2


def test_a_backup_is_found_and_rewritten_under_its_name_and_time(sync_mind: SyncMind, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    sync_mind.write(plant)
    kept = folder / "test by hand 1.mind"
    backup(sync_mind.mind.path, kept)
    (folder / "test by hand 1.mind.json").write_text("{}")
    (folder / "test by hand 2.mind").write_bytes(b"no mind at all" * 100)
    (folder / "other by hand 3.mind").write_bytes(b"")
    before = kept.stat().st_mtime_ns
    plan, _ = planned(sync_mind)
    paths = erasure_backups.backups_of(folder, "test")
    found = erasure_backups.find_holding(paths, plan, Needles((SECRET,)), StepClock(START))
    assert (found.holding, found.unreadable) == ([kept], [folder / "test by hand 2.mind"])
    (folder / "test by hand 1.mind.rewriting").write_bytes(b"left by a crash")
    erasure_backups.discard_unfinished(folder)
    erasure_backups.treat(kept, BackupChoice.REWRITE, plan, Needles((SECRET,)), FACTS, StepClock(START))
    assert SECRET.encode() not in kept.read_bytes() and kept.stat().st_mtime_ns == before
    assert sorted(each.name for each in folder.iterdir()) == [
        "other by hand 3.mind",
        "test by hand 1.mind",
        "test by hand 2.mind",
    ]
    erasure_backups.treat(kept, BackupChoice.REMOVE, plan, Needles(), FACTS, StepClock(START))
    assert not kept.exists()
    assert erasure_backups.backups_of(tmp_path / "none", "test") == []


def test_an_older_state_is_sought_by_lasting_ids(sync_mind: SyncMind) -> None:
    sync_mind.write(plant)
    session = sync_mind.read(lambda tx: tx.sessions.list_rows(1)[0].session.id)
    plan, _ = planned(sync_mind, ErasureTarget(TargetKind.SESSION, (session,)))
    again = sync_mind.read(lambda tx: work_out(tx, seek_again(tx, plan, Needles())))
    assert again.places["frames"] == plan.places["frames"] and again.places["archive"] == plan.places["archive"]
    carry_out(sync_mind, plan)
    assert sync_mind.read(lambda tx: work_out(tx, seek_again(tx, plan, Needles()))).size == 0
    assert sync_mind.read(lambda tx: tx.sessions.find(session)) is None


def test_bytes_are_found_across_pieces_of_a_file_and_whole_words_alone(tmp_path: Path, monkeypatch) -> None:
    from hivemind.maintenance import erasure_residue

    monkeypatch.setattr(erasure_residue, "_CHUNK", 1000)
    monkeypatch.setattr(erasure_residue, "_OVERLAP", 64)
    file = tmp_path / "big"
    file.write_bytes(b"x" * 995 + b" secret words " + b"y" * 2000 + b"secret words\xff secret wordsmith")
    assert search_files([("k", file)], {b"secret words"}, False) == {"k": 3}
    assert search_files([("k", file)], {b"secret words"}, True) == {"k": 1}
    assert search_files([("k", file)], set(), False) == {}
    assert search_files([("gone", tmp_path / "gone")], {b"secret"}, False) == {}


def test_requests_lose_their_words_and_keep_their_outcome(tmp_path: Path) -> None:
    database = Database.open(tmp_path / "install.db", create=True, kind=SchemaKind.INSTALL)
    asked = (
        "INSERT INTO approvals (uuid, client, workspace, query, reason, asked_at, expires_at, outcome)"
        " VALUES (?, 'c', 'w', ?, ?, 'n', 'n', 'denied')"
    )
    rows = [("1", f"of {SECRET}", ""), ("2", "of lemons", ""), ("3", "q", SECRET.lower())]
    database.submit_write(lambda c: c.executemany(asked, rows) and None).result(10)
    erased = database.submit_write(lambda c: erasure_beside.erase_requests(c, Needles((SECRET,)))).result(10)
    left = database.submit_read(lambda c: c.execute("SELECT query, reason, outcome FROM approvals").fetchall()).result(
        10
    )
    assert (erased, left) == (2, [("", "", "denied"), ("of lemons", "", "denied"), ("", "", "denied")])
    database.close()
