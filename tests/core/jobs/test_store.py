"""Jobs: one owner at a time, taken over only when the heart has stopped."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hivemind.domain.work import JobState
from hivemind.errors import NotFound
from hivemind.jobs import STALE_AFTER, JobStore


def test_a_living_lease_cannot_be_taken_and_a_stale_one_can(sync_mind):
    job = sync_mind.write(lambda tx: JobStore(tx.connection, tx.now).create("import", {"run_id": 3}, "one"))
    claim = lambda owner: sync_mind.write(lambda tx: JobStore(tx.connection, tx.now).claim(job.id, owner))  # noqa: E731
    assert not claim("two")
    assert claim("one")
    sync_mind.clock.moment += STALE_AFTER - timedelta(seconds=10)
    sync_mind.write(lambda tx: JobStore(tx.connection, tx.now).beat("one"))
    sync_mind.clock.moment += timedelta(seconds=20)
    assert not claim("two")
    sync_mind.clock.moment += STALE_AFTER
    assert claim("two")
    assert sync_mind.read(lambda tx: JobStore(tx.connection, tx.now).get(job.id)).owner == "two"


def test_progress_state_and_release(sync_mind):
    def work(tx):
        jobs = JobStore(tx.connection, tx.now)
        first, second = jobs.create("import", {}, "me"), jobs.create("embedding", {}, "me")
        jobs.advance(first.id, {"item": 7}, 50, 200)
        jobs.set_state(second.id, JobState.FAILED, "disk full")
        jobs.release("me")
        return jobs.get(first.id), jobs.get(second.id), jobs.list_open(), jobs.list_open("embedding")

    first, second, still_open, none = sync_mind.write(work)
    assert (first.state, first.owner, first.cursor, first.done, first.total) == (
        JobState.WAITING, None, '{"item": 7}', 50, 200,
    )  # fmt: skip
    assert (second.state, second.error, second.owner) == (JobState.FAILED, "disk full", None)
    assert [job.id for job in still_open] == [first.id]
    assert none == []


def test_an_ended_job_cannot_be_claimed(sync_mind):
    def work(tx):
        jobs = JobStore(tx.connection, tx.now)
        job = jobs.create("import", {}, "me")
        jobs.set_state(job.id, JobState.DONE)
        return jobs.claim(job.id, "me")

    assert sync_mind.write(work) is False
    with pytest.raises(NotFound):
        sync_mind.read(lambda tx: JobStore(tx.connection, tx.now).get(99))


def test_a_job_that_nobody_owns_any_more_is_free_at_once(sync_mind):
    job = sync_mind.write(lambda tx: JobStore(tx.connection, tx.now).create("embedding", {}, "one"))
    sync_mind.write(lambda tx: JobStore(tx.connection, tx.now).disown(job.id))
    assert sync_mind.write(lambda tx: JobStore(tx.connection, tx.now).claim(job.id, "two"))
