"""The archive: verbatim texts in packed blocks, found again, replaced, and really gone when removed."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hivemind.domain.frames import FrameDraft
from hivemind.domain.sessions import SessionKind
from hivemind.errors import InternalFault, SessionNotFound
from hivemind.mind import MindTransaction
from hivemind.mind.archive import BLOCK_MESSAGES, NewMessage

TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=50)


def message(number: int, text: str, branch: int = 0, hidden: bool = False) -> NewMessage:
    return NewMessage(f"m{number}", None, 0, None, "user", "speech", None, hidden, branch, number, text)


def bodies(tx: MindTransaction) -> bytes:
    return b"|".join(zlib.decompress(b) for (b,) in tx.connection.execute("SELECT bytes FROM archive_blocks"))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(TEXT, max_size=150), gone=st.sets(st.integers(0, 149), max_size=20))
def test_texts_come_back_whatever_is_removed(sync_mind, texts, gone):
    def work(tx):
        session = tx.sessions.create(SessionKind.CONVERSATION).id
        ids = tx.archive.append(session, [message(n, text) for n, text in enumerate(texts)])
        doomed = [ids[n] for n in gone if n < len(ids)]
        tx.archive.remove(doomed)
        kept = [i for i in ids if i not in doomed]
        read = [tx.archive.text_of(i) for i in kept]
        opened = [m.text for m in tx.archive.conversation(session).messages]
        return [texts[ids.index(i)] for i in kept], read, opened

    expected, read, opened = sync_mind.write(work)
    assert read == expected == opened


def test_a_block_holds_at_most_64_messages_or_256_kb(sync_mind):
    def work(tx):
        session = tx.sessions.create().id
        tx.archive.append(session, [message(n, "x") for n in range(BLOCK_MESSAGES + 1)])
        small = tx.connection.execute("SELECT count(*) FROM archive_blocks").get
        tx.archive.append(session, [message(100 + n, "y" * 200_000) for n in range(2)])
        return small, tx.connection.execute("SELECT count(*) FROM archive_blocks").get

    assert sync_mind.write(work) == (2, 4)


def test_removed_text_leaves_its_block(sync_mind):
    def work(tx):
        session = tx.sessions.create().id
        ids = tx.archive.append(session, [message(0, "keep this"), message(1, "secret words"), message(2, "and this")])
        tx.archive.remove([ids[1]])
        return bodies(tx), tx.archive.text_of(ids[2])

    packed, text = sync_mind.write(work)
    assert packed == b"keep thisand this"
    assert text == "and this"


def test_a_message_of_a_newer_export_replaces_the_old_text(sync_mind):
    def work(tx):
        session = tx.sessions.create().id
        ids = tx.archive.append(session, [message(0, "first draft"), message(1, "other")])
        old_hash = tx.archive.find_ids(session)["m0", 0][1]
        tx.archive.update(ids[0], message(0, "final text"))
        return tx.archive.text_of(ids[0]), old_hash, tx.archive.find_ids(session)["m0", 0][1], bodies(tx)

    text, old, new, packed = sync_mind.write(work)
    assert text == "final text"
    assert old != new
    assert b"first draft" not in packed


def test_two_messages_with_one_identity_are_refused(sync_mind):
    def work(tx):
        session = tx.sessions.create().id
        tx.archive.append(session, [message(0, "one"), message(0, "other")])

    with pytest.raises(InternalFault):
        sync_mind.write(work)
    assert sync_mind.read(lambda tx: tx.archive.count()) == 0


def test_reading_order_and_frames(sync_mind):
    def work(tx):
        session = tx.sessions.create(SessionKind.CONVERSATION, "Postgres").id
        ids = tx.archive.append(session, [message(5, "alternative", branch=1), message(1, "said"), message(0, "first")])
        frame = tx.frames.create_i_frame(FrameDraft("said", session_id=session))
        tx.archive.link(frame.id, ids[1], 0, 4)
        assert tx.archive.message_of(frame.id) == ids[1]
        assert tx.archive.frames_of(ids) == [frame.id]
        return tx.archive.conversation(session), frame.id

    conversation, frame = sync_mind.write(work)
    assert [m.text for m in conversation.messages] == ["first", "said", "alternative"]
    assert conversation.messages[1].frame_ids == (frame,)
    assert conversation.messages[0].speaker == "user"


def test_what_is_not_there_has_a_name(sync_mind):
    with pytest.raises(InternalFault):
        sync_mind.read(lambda tx: tx.archive.text_of(7))
    with pytest.raises(SessionNotFound):
        sync_mind.read(lambda tx: tx.archive.conversation("none"))
