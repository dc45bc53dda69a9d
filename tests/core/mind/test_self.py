"""Identity and awareness: one row, ten items, and nothing lost on the way out.

Covers: identity, awareness.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from hivemind.clock import parse_stamp, stamp
from hivemind.domain.sessions import AwarenessCategory, Identity
from hivemind.errors import InvalidValue


def test_there_is_one_identity(sync_mind):
    assert sync_mind.read(lambda tx: tx.identity.find()) is None
    first = sync_mind.write(lambda tx: tx.identity.set(Identity("Ana", role="Analyst")))
    second = sync_mind.write(lambda tx: tx.identity.set(Identity("Ana K.", system_prompt="Be brief.")))
    assert (second.name, second.role, second.created_at) == ("Ana K.", "", first.created_at)
    assert sync_mind.read(lambda tx: tx.identity.to_context()) == "Name: Ana K.\nBe brief."
    with pytest.raises(InvalidValue):
        sync_mind.write(lambda tx: tx.identity.set(Identity("  ")))


def test_the_eleventh_item_pushes_the_least_urgent_into_the_episodes(sync_mind):
    def work(tx):
        for n in range(10):
            tx.awareness.add(AwarenessCategory.TASK, f"task {n}", priority=n)
        tx.awareness.add(AwarenessCategory.FLAG, "urgent not", priority=-5)
        episodes = [c for (c,) in tx.connection.execute("SELECT content FROM episodes")]
        return [item.content for item in tx.awareness.list_active()], episodes

    active, episodes = sync_mind.write(work)
    assert len(active) == 10
    assert active[0] == "task 9"
    assert "urgent not" in active
    assert episodes == ["task: task 0"]


def test_expired_items_are_not_active(sync_mind):
    def add(tx):
        soon = stamp(parse_stamp(tx.now) + timedelta(milliseconds=500))
        tx.awareness.add(AwarenessCategory.PENDING, "old", expires_at=soon)

    sync_mind.write(add)
    with pytest.raises(InvalidValue):
        sync_mind.write(lambda tx: tx.awareness.add(AwarenessCategory.TASK, "x", expires_at="2026-01-01T00:00:00.000Z"))
    assert sync_mind.read(lambda tx: tx.awareness.list_active()) == []
    sync_mind.write(lambda tx: tx.awareness.add(AwarenessCategory.ACTION, "new"))
    assert sync_mind.read(lambda tx: tx.awareness.to_context()) == "Recent Actions:\n- new"
    assert sync_mind.read(lambda tx: tx.connection.execute("SELECT content FROM episodes").get) == "pending: old"


@pytest.mark.parametrize(("content", "metadata"), [("", "{}"), ("x", "[1]"), ("x", "{")])
def test_bad_items_are_refused(sync_mind, content, metadata):
    with pytest.raises(InvalidValue):
        sync_mind.write(lambda tx: tx.awareness.add(AwarenessCategory.TASK, content, metadata=metadata))
