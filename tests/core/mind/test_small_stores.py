"""The small stores of a mind: facts about itself, speakers, the frame feed, the outbox.

Covers: meta, speakers, feed, outbox.
"""

from __future__ import annotations

import pytest

from hivemind.domain.frames import FrameDraft
from hivemind.errors import InternalFault
from hivemind.mind.saving import save


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
