"""The small stores of a mind: facts about itself, speakers, the frame feed, the outbox,
the embedder's use.

Covers: meta, speakers, feed, outbox, usage.
"""

from __future__ import annotations

import pytest

from hivemind.domain.frames import FrameDraft
from hivemind.errors import InternalFault
from hivemind.mind.saving import save
from hivemind.mind.usage import UsageStore


def test_facts_are_kept_and_replaced(sync_mind):
    assert sync_mind.read(lambda tx: tx.meta.find("color")) is None
    sync_mind.write(lambda tx: tx.meta.set("color", "honey"))
    sync_mind.write(lambda tx: tx.meta.set("color", "ink"))
    assert sync_mind.read(lambda tx: tx.meta.get("color")) == "ink"
    with pytest.raises(InternalFault):
        sync_mind.read(lambda tx: tx.meta.get("never set"))


def test_a_speaker_is_one_row_and_roles_are_told_from_people(sync_mind):
    def work(tx):
        ids = [tx.speakers.id_of(name) for name in ("Ana", "Ana ", "user", "", "\x00")]
        kinds = dict(tx.connection.execute("SELECT name, kind FROM speakers"))
        return ids, kinds, tx.speakers.name_of(ids[0]), tx.speakers.name_of(999)

    ids, kinds, name, nobody = sync_mind.write(work)
    assert ids[0] == ids[1] != ids[2]
    assert ids[3] == ids[4]
    assert kinds == {"Ana": "person", "user": "role", "unknown": "person"}
    assert (name, nobody) == ("Ana", None)


def test_the_feed_tells_what_happened_in_order(sync_mind):
    frame = sync_mind.write(lambda tx: save(tx, FrameDraft("one"))).frame
    start = sync_mind.read(lambda tx: tx.feed.last_seq())
    sync_mind.write(lambda tx: tx.frames.set_pinned(frame.id, True))
    sync_mind.write(lambda tx: tx.frames.rewrite(frame.id, "two"))
    sync_mind.write(lambda tx: tx.frames.remove([frame.id]))
    news = sync_mind.read(lambda tx: tx.feed.since(start))
    assert [(f, op) for _, f, op in news] == [(frame.id, "visibility"), (frame.id, "text"), (frame.id, "delete")]
    assert [seq for seq, _, _ in news] == sorted(seq for seq, _, _ in news)


def test_what_is_owed_stays_until_settled_and_goes_with_its_frame(sync_mind):
    frames = [sync_mind.write(lambda tx, n=n: save(tx, FrameDraft(f"note {n}"))).frame for n in range(3)]
    items = sync_mind.read(lambda tx: tx.outbox.take("embedding", 2))
    assert [item.frame_id for item in items] == [frames[0].id, frames[1].id]
    assert sync_mind.read(lambda tx: tx.outbox.pending("embedding")) == 3
    sync_mind.write(lambda tx: tx.outbox.settle([items[0].id]))
    sync_mind.write(lambda tx: tx.frames.remove([frames[2].id]))
    assert sync_mind.read(lambda tx: tx.outbox.pending("embedding")) == 1


def test_the_embedders_use_is_added_up_by_month_and_provider(sync_mind):
    def work(tx):
        for month, provider, texts in (("2026-10", "onnx", 5), ("2026-11", "onnx", 2), ("2026-11", "onnx", 3)):
            UsageStore(tx.connection, f"{month}-02T00:00:00.000Z").add(provider, texts)
        usage = UsageStore(tx.connection, "2026-11-30T00:00:00.000Z")
        return usage.of_month("onnx"), usage.of_month("another")

    assert sync_mind.write(work) == (5, 0)


def test_what_is_owed_of_a_frame_can_be_settled_by_kind(sync_mind):
    def work(tx):
        frame = save(tx, FrameDraft("a ship")).frame.id
        tx.outbox.owe("cognify", (frame,))
        tx.outbox.settle_frames("embedding", (frame,))
        return tx.outbox.pending("embedding"), tx.outbox.pending("cognify")

    assert sync_mind.write(work) == (0, 1)
