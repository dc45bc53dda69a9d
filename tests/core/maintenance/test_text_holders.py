"""Every column that can hold words is held or exempt, and erasing over all holders leaves nothing behind."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hivemind.changes import ChangeStore
from hivemind.domain.calls import Call, CallKind, CallOutcome
from hivemind.domain.frames import FrameDraft
from hivemind.domain.sessions import AwarenessCategory, Identity, SessionKind
from hivemind.domain.work import Change
from hivemind.gateway import Recorder, genesis, verify_log
from hivemind.maintenance.text_holders import EXEMPT, TEXT_HOLDERS, Erasure
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.archive import NewMessage

SECRET = "Zwetschgenknödel-4711"


@pytest.fixture
def mind(tmp_path: Path):
    def clock() -> datetime:
        return datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

    mind = Mind.open(tmp_path / "t.mind", "t", create=True, clock=clock, seeders=(genesis(clock),))
    yield mind
    mind.close()


def text_columns(tx: MindTransaction) -> set[str]:
    """table.column of every TEXT, BLOB or untyped column, shadow tables of virtual ones left out."""
    tables = list(tx.connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'"))
    virtual = [name for name, sql in tables if sql.startswith("CREATE VIRTUAL")]
    found = set()
    for name, _sql in tables:
        if name.startswith("sqlite_") or any(name.startswith(f"{owner}_") and name != owner for owner in virtual):
            continue
        for _, column, kind, *_ in tx.connection.execute(f'PRAGMA table_info("{name}")'):
            if column != "rowid" and (name in virtual or kind.upper() in ("TEXT", "BLOB", "")):
                found.add(f"{name}.{column}")
    return found


def test_every_text_column_is_held_or_exempt(mind):
    columns = mind.submit_read(text_columns).result(10)
    held = [column for holder in TEXT_HOLDERS for column in holder.columns]
    exempt = [place for places in EXEMPT.values() for place in places]
    assert len(held) == len(set(held)), "held twice"
    loose = {c for c in columns if c not in held and c not in exempt and f"*.{c.split('.')[1]}" not in exempt}
    assert loose == set()
    assert set(held) - columns == set(), "a holder names a column that is not there"
    names = {c.split(".")[1] for c in columns}
    stale = {p for p in exempt if (p.startswith("*.") and p[2:] not in names) or (p[0] != "*" and p not in columns)}
    assert stale == set(), "an exemption names a column that is not there"


def plant(tx: MindTransaction) -> int:
    session = tx.sessions.create(SessionKind.CONVERSATION, f"About {SECRET}", session_id="s")
    tx.sessions.close(session.id, f"We spoke of {SECRET}.")
    speaker = tx.speakers.id_of("user")
    (message,) = tx.archive.append(
        session.id,
        [
            NewMessage(
                "m1", None, 0, speaker, "user", "speech", None, False, 0, 0, f"I like {SECRET}", (f"{SECRET}.png",)
            )
        ],
    )
    frame = tx.frames.create_i_frame(FrameDraft(f"I like {SECRET} 用户", session_id=session.id, captions=SECRET))
    tx.archive.link(frame.id, message, 0, 10)
    tx.frames.amend(frame.id, f"I love {SECRET}")
    tx.connection.execute(
        "INSERT INTO frame_notes (frame_id, summary, tags) VALUES (?, ?, ?)", (frame.id, SECRET, SECRET)
    )
    tx.identity.set(Identity(SECRET, role=SECRET))
    tx.awareness.add(AwarenessCategory.TASK, f"buy {SECRET}", metadata=f'{{"what": "{SECRET}"}}')
    ChangeStore(tx).record(Change("Change who you are", (("identity.set", {"to": {"name": SECRET}}),)))
    tx.speakers.id_of(SECRET)
    return frame.id


async def record_a_call(mind: Mind) -> None:
    recorder = Recorder(mind)
    await recorder.started(Call("call-1", CallKind.LLM_CALL, "m", "p", input_text=f"tell me about {SECRET}"))
    await recorder.finished(CallOutcome("call-1", output_text=f"{SECRET} is a dish"))


def test_erasing_over_all_holders_leaves_no_residue_and_a_sound_log(mind):
    import asyncio

    frame = mind.submit_write(plant).result(10)
    asyncio.run(record_a_call(mind))
    before = {h.name: mind.submit_read(lambda tx, h=h: h.residue(tx, SECRET)).result(10) for h in TEXT_HOLDERS}
    assert all(before[name] for name in ("archive", "frames", "changes", "interaction log", "speakers"))
    erasure = Erasure((frame,), (SECRET,))
    changed = mind.submit_write(lambda tx: {h.name: h.erase(tx, erasure) for h in TEXT_HOLDERS}).result(10)
    assert all(changed[name] for name, count in before.items() if count)
    for holder in TEXT_HOLDERS:
        assert mind.submit_read(lambda tx, h=holder: h.residue(tx, SECRET)).result(10) == 0, holder.name
    assert mind.submit_read(lambda tx: verify_log(tx.connection)).result(10).findings == ()
