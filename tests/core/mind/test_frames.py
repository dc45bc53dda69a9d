"""FrameStore: what each call does and refuses.

Covers: frame_writer, patches, links, removal, outbox.
"""

from __future__ import annotations

import pytest

from hivemind.domain.frames import FrameDraft, FrameType, Importance, PatchKind, ReferenceKind
from hivemind.errors import FrameNotFound, InvalidFrame
from hivemind.mind import MindTransaction
from hivemind.mind.frames import link_description


def chat(tx: MindTransaction) -> tuple[str, int, int]:
    """A session with an I and one P."""
    session = tx.sessions.create(title="Database choice").id
    i = tx.frames.create_i_frame(FrameDraft("Alice suggested Postgres.", session_id=session))
    p = tx.frames.create_p_frame(FrameDraft("Bob handles the migration.", session_id=session), i.id)
    return session, i.id, p.id


def matches(tx: MindTransaction, word: str) -> set[int]:
    rows = tx.connection.execute(
        "SELECT rowid FROM memory_frames_fts WHERE memory_frames_fts MATCH ?"
        " AND rowid IN (SELECT id FROM current_frames)",
        (f'"{word}"',),
    )
    return {int(i) for (i,) in rows}


def test_an_amend_becomes_the_text_and_the_old_one_stays_in_history(sync_mind):
    session, _i, p = sync_mind.write(chat)
    patch = sync_mind.write(lambda tx: tx.frames.amend(p, "Ana handles the migration."))
    assert (patch.patch_kind, patch.patch_target_id) == (PatchKind.AMEND, p)
    assert sync_mind.read(lambda tx: tx.frames.current_text(p)) == "Ana handles the migration."
    assert [f.content for f in sync_mind.read(lambda tx: tx.frames.history(p))] == [
        "Bob handles the migration.",
        "Ana handles the migration.",
    ]
    assert sync_mind.read(lambda tx: matches(tx, "Bob")) == set()
    assert sync_mind.read(lambda tx: matches(tx, "Ana")) == {patch.id}
    state = sync_mind.read(lambda tx: tx.frames.reconstruct_state(session))
    assert state.current_content == "Alice suggested Postgres.\nAna handles the migration."
    assert state.frame_count == 3


def test_an_amend_of_an_amend_aims_at_the_original(sync_mind):
    _, _, p = sync_mind.write(chat)
    first = sync_mind.write(lambda tx: tx.frames.amend(p, "second text"))
    second = sync_mind.write(lambda tx: tx.frames.amend(first.id, "third text"))
    assert second.patch_target_id == p
    assert sync_mind.read(lambda tx: tx.frames.current_text(first.id)) == "third text"


def test_retracting_hides_and_retracting_again_restores(sync_mind):
    session, i, p = sync_mind.write(chat)
    sync_mind.write(lambda tx: tx.frames.amend(p, "Ana handles it."))
    sync_mind.write(lambda tx: tx.frames.retract(p, "not true"))
    assert sync_mind.read(lambda tx: matches(tx, "Ana")) == set()
    assert (
        sync_mind.read(lambda tx: tx.frames.reconstruct_state(session)).current_content == "Alice suggested Postgres."
    )
    sync_mind.write(lambda tx: tx.frames.retract(p))
    assert sync_mind.read(lambda tx: tx.frames.reconstruct_state(session)).current_content.endswith("Ana handles it.")
    assert [f.id for f in sync_mind.read(lambda tx: tx.frames.list_current(9))] == [3, i]


def test_a_p_frame_needs_an_i_of_its_own_session(sync_mind):
    _, _, p = sync_mind.write(chat)
    other, i, _ = sync_mind.write(chat)
    with pytest.raises(InvalidFrame):
        sync_mind.write(lambda tx: tx.frames.create_p_frame(FrameDraft("x", session_id=other), p))
    with pytest.raises(InvalidFrame):
        sync_mind.write(lambda tx: tx.frames.create_p_frame(FrameDraft("x", session_id="elsewhere"), i))


def test_the_database_itself_refuses_a_wrong_base(sync_mind):
    _, _, p = sync_mind.write(chat)
    sql = "UPDATE memory_frames SET base_frame_id = id WHERE id = ?"
    with pytest.raises(InvalidFrame):
        sync_mind.write(lambda tx: tx.connection.execute(sql, (p,)))


def test_removing_the_i_promotes_the_oldest_living_p(sync_mind):
    def prepare(tx: MindTransaction) -> tuple[int, int, int, int]:
        session, i, p = chat(tx)
        q = tx.frames.create_p_frame(FrameDraft("Carol tests it.", session_id=session), i)
        tx.frames.trash([p])
        amend = tx.frames.amend(q.id, "Carol tested it.")
        return i, p, q.id, amend.id

    i, p, q, amend = sync_mind.write(prepare)
    assert sync_mind.write(lambda tx: tx.frames.remove([i])) == 1
    promoted = sync_mind.read(lambda tx: tx.frames.get(q))
    assert (promoted.type, promoted.base_frame_id, promoted.patch_kind) == (FrameType.I, None, None)
    assert sync_mind.read(lambda tx: tx.frames.get(p)).base_frame_id == q
    assert sync_mind.read(lambda tx: tx.frames.get(amend)).base_frame_id == q
    assert sync_mind.read(lambda tx: tx.frames.current_text(q)) == "Carol tested it."


def test_removing_everything_leaves_no_row_anywhere(sync_mind):
    def prepare(tx: MindTransaction) -> list[int]:
        session, i, p = chat(tx)
        tx.frames.amend(p, "Ana 用户 handles it.")
        tx.frames.create_b_frame("both", [(i, ReferenceKind.LINK), (p, ReferenceKind.LINK)])
        return tx.frames.ids_of_session(session)

    ids = sync_mind.write(prepare)
    assert len(ids) == 4
    sync_mind.write(lambda tx: tx.frames.remove(ids))
    for table in ("memory_frames", "memory_frames_fts", "memory_frames_cjk", "frame_refs", "outbox", "accesses"):
        assert sync_mind.read(lambda tx, t=table: tx.connection.execute(f"SELECT count(*) FROM {t}").get) == 0


def test_a_link_without_two_living_ends_is_deprecated_and_revives(sync_mind):
    def prepare(tx: MindTransaction) -> tuple[int, int]:
        _, i, p = chat(tx)
        return tx.frames.create_b_frame("see also", [(i, ReferenceKind.LINK), (p, ReferenceKind.LINK)]).id, p

    link, p = sync_mind.write(prepare)
    assert link_description(sync_mind.read(lambda tx: tx.frames.get(link))) == "see also"
    sync_mind.write(lambda tx: tx.frames.trash([p]))
    assert sync_mind.read(lambda tx: tx.frames.get(link)).importance is Importance.DEPRECATED
    sync_mind.write(lambda tx: tx.frames.restore([p]))
    assert sync_mind.read(lambda tx: tx.frames.get(link)).importance is Importance.NORMAL
    sync_mind.write(lambda tx: tx.frames.deprecate(p))
    assert sync_mind.read(lambda tx: tx.frames.get(link)).importance is Importance.DEPRECATED


@pytest.mark.parametrize("count", [0, 1])
def test_a_link_needs_two_ends(sync_mind, count):
    _, i, _ = sync_mind.write(chat)
    with pytest.raises(InvalidFrame):
        sync_mind.write(lambda tx: tx.frames.create_b_frame("x", [(i, ReferenceKind.LINK)] * (count + 1)))


def test_the_trash_takes_patches_along_and_brings_back_only_those(sync_mind):
    _, _, p = sync_mind.write(chat)
    early = sync_mind.write(lambda tx: tx.frames.amend(p, "early text"))
    sync_mind.write(lambda tx: tx.frames.trash([early.id]))
    assert sync_mind.read(lambda tx: tx.frames.get(p)).trashed_at is not None
    with pytest.raises(InvalidFrame):
        sync_mind.write(lambda tx: tx.frames.amend(p, "in the trash"))
    sync_mind.write(lambda tx: tx.frames.restore([p]))
    assert sync_mind.read(lambda tx: tx.frames.current_text(p)) == "early text"


def test_missing_frames_have_a_name(sync_mind):
    with pytest.raises(FrameNotFound):
        sync_mind.read(lambda tx: tx.frames.get(99))
    with pytest.raises(FrameNotFound):
        sync_mind.write(lambda tx: tx.frames.trash([99]))


@pytest.mark.parametrize("text", ["", "   ", "\x00", "\n"])
def test_an_empty_memory_is_refused(sync_mind, text):
    session, i, _ = sync_mind.write(chat)
    with pytest.raises(InvalidFrame):
        sync_mind.write(lambda tx: tx.frames.create_p_frame(FrameDraft(text, session_id=session), i))


def test_unstorable_characters_are_repaired_not_lost(sync_mind):
    session, i, _ = sync_mind.write(chat)
    draft = FrameDraft("Yrsa likes \ud83d and \x00 tea", session_id=session)
    frame = sync_mind.write(lambda tx: tx.frames.create_p_frame(draft, i))
    assert frame.content == "Yrsa likes � and  tea"


def test_bulk_frames_equal_single_ones(sync_mind):
    def prepare(tx: MindTransaction) -> tuple[list, list]:
        out = []
        drafts = [FrameDraft(f"line {n} 设备清单", speaker="user", role="user", position=n) for n in range(5)]
        for bulk in (True, False):
            session = tx.sessions.create().id
            i = tx.frames.create_i_frame(FrameDraft("head", session_id=session))
            ids = (
                tx.frames.add_imported(drafts, i.id) if bulk else [tx.frames.create_p_frame(d, i.id).id for d in drafts]
            )
            frames = [tx.frames.get(x) for x in ids]
            out.append([(f.content, f.t, f.speaker, f.position, f.flags, f.patch_kind) for f in frames])
        return out[0], out[1]

    bulk, single = sync_mind.write(prepare)
    assert bulk == single
    for table in ("memory_frames_fts", "memory_frames_cjk", "outbox"):
        rows = sync_mind.read(lambda tx, t=table: tx.connection.execute(f"SELECT count(*) FROM {t}").get)
        assert rows >= 10


def test_rewriting_a_summary_keeps_every_index_in_step(sync_mind):
    _session, i, _ = sync_mind.write(chat)
    sync_mind.write(lambda tx: tx.frames.rewrite(i, "部署方案 decided"))
    assert sync_mind.read(lambda tx: matches(tx, "Postgres")) == set()
    assert sync_mind.read(lambda tx: matches(tx, "decided")) == {i}
    rows = sync_mind.read(lambda tx: list(tx.connection.execute("SELECT rowid, bigrams FROM memory_frames_cjk")))
    assert rows == [(i, "部署 署方 方案 ")]


def test_a_link_without_ends_stays_set_aside_whatever_is_asked(sync_mind):
    def prepare(tx: MindTransaction) -> int:
        _, i, p = chat(tx)
        link = tx.frames.create_b_frame("see also", [(i, ReferenceKind.LINK), (p, ReferenceKind.LINK)]).id
        tx.frames.trash([p])
        tx.frames.set_importance(link, Importance.CRITICAL)
        return link

    link = sync_mind.write(prepare)
    assert sync_mind.read(lambda tx: tx.frames.get(link)).importance is Importance.DEPRECATED


def test_a_link_to_an_edit_loses_its_end_with_the_edited_memory(sync_mind):
    def prepare(tx: MindTransaction) -> tuple[int, int]:
        _, i, p = chat(tx)
        edit = tx.frames.amend(p, "Ana handles it.")
        link = tx.frames.create_b_frame("see also", [(i, ReferenceKind.LINK), (edit.id, ReferenceKind.LINK)])
        tx.frames.trash([p])
        return link.id, p

    link, p = sync_mind.write(prepare)
    assert sync_mind.read(lambda tx: tx.frames.get(link)).importance is Importance.DEPRECATED
    sync_mind.write(lambda tx: tx.frames.restore([p]))
    assert sync_mind.read(lambda tx: tx.frames.get(link)).importance is Importance.NORMAL
