"""Full verification is silent on a sound mind and names each kind of damage; reindex mends what is derived."""

from __future__ import annotations

import asyncio
from contextlib import closing

import apsw
import pytest

from hivemind.domain.frames import FrameDraft, ReferenceKind
from hivemind.domain.sessions import SessionKind
from hivemind.maintenance import plan_reindex, reindex, verify
from hivemind.mind import MindTransaction
from hivemind.mind.archive import NewMessage


def fill(tx: MindTransaction) -> None:
    session = tx.sessions.create(SessionKind.CONVERSATION, "Moving house", session_id="s")
    i = tx.frames.create_i_frame(FrameDraft("Moving house in May", session_id=session.id))
    p = tx.frames.create_p_frame(FrameDraft("设备清单在阁楼", session_id=session.id), i.id)
    tx.frames.amend(p.id, "设备清单在地下室")
    tx.frames.create_b_frame("both", [(i.id, ReferenceKind.LINK), (p.id, ReferenceKind.LINK)])
    tx.archive.append(session.id, [NewMessage("m", None, 0, None, "user", "speech", None, False, 0, 0, "hello")])


DAMAGE = {
    "a lost word row": "DELETE FROM memory_frames_fts WHERE rowid = 1",
    "a lost first memory": "UPDATE memory_frames SET frame_type = 'P', patch_kind = 'add', base_frame_id = 1"
    " WHERE id = 1",
    "a link without ends": "DELETE FROM frame_refs WHERE ref_frame_id = 2",
    "a stray index row": "INSERT INTO memory_frames_cjk (rowid, content, bigrams) VALUES (77, 'x', 'x')",
    "a changed archive": "UPDATE messages SET hash = zeroblob(16)",
    "a broken block": "UPDATE archive_blocks SET bytes = x'00'",
    "a changed log": "UPDATE ai_interactions SET model = 'other'",
}


def break_in(path, statement: str) -> None:
    """Another program, which knows nothing of our rules."""
    with closing(apsw.Connection(str(path))) as connection:
        triggers = [n for (n,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
        saved = [s for (s,) in connection.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")]
        for name in triggers:
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute(statement)
        for sql in saved:
            connection.execute(sql)


def test_a_sound_mind_verifies_silently(sync_mind):
    sync_mind.write(fill)
    assert sync_mind.read(verify) == []


@pytest.mark.parametrize("damage", DAMAGE)
def test_each_kind_of_damage_is_named(sync_mind, damage):
    sync_mind.write(fill)
    break_in(sync_mind.mind.path, DAMAGE[damage])
    assert sync_mind.read(verify) != []


def test_reindex_mends_what_is_derived(sync_mind):
    sync_mind.write(fill)
    for statement in (
        DAMAGE["a lost word row"],
        "DELETE FROM memory_frames_cjk",
        "UPDATE memory_frames SET norm_hash = zeroblob(8), flags = 99 WHERE id = 2",
    ):
        break_in(sync_mind.mind.path, statement)
    assert sync_mind.read(plan_reindex).changed == 1
    counts = asyncio.run(reindex(sync_mind.mind))
    assert (counts.frames, counts.changed) == (3, 1)
    assert sync_mind.read(verify) == []
    assert sync_mind.read(lambda tx: tx.connection.execute("SELECT count(*) FROM memory_frames_cjk").get) == 2
    assert sync_mind.read(plan_reindex).changed == 0


def test_a_reader_that_searched_before_others_wrote_sees_no_damage(sync_mind):
    def write(tx: MindTransaction) -> None:
        session = tx.sessions.create().id
        i = tx.frames.create_i_frame(FrameDraft("head", session_id=session))
        words = [FrameDraft(f"word{n} and word{n * 7} 用户{n}") for n in range(150)]
        tx.frames.add_imported(words, i.id)
        tx.frames.rewrite(i.id, "another head")

    def search(tx: MindTransaction) -> int:
        query = "SELECT count(*) FROM memory_frames_fts WHERE memory_frames_fts MATCH 'word7'"
        return int(tx.connection.execute(query).get)

    for _ in range(12):
        sync_mind.write(write)
        assert sync_mind.read(search) and sync_mind.read(search)
    sync_mind.write(write)
    assert sync_mind.read(verify) == []
    assert sync_mind.read(verify) == []
