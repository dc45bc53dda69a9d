"""JobStore: create, claim, advance and end long work; a lease whose heartbeat stopped can be taken over."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from hivemind.clock import parse_stamp, stamp
from hivemind.domain.work import Job, JobState
from hivemind.errors import NotFound
from hivemind.storage import Connection

#: A lease without a heartbeat for this long belongs to nobody.
STALE_AFTER = timedelta(seconds=60)
_COLUMNS = "id, kind, state, cursor, payload, progress, owner, heartbeat, error, created_at, updated_at"
_OPEN = "('waiting', 'running', 'paused')"


class JobStore:
    """Owns `jobs`, within one transaction."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def create(self, kind: str, payload: dict[str, Any], owner: str) -> Job:
        """A job that `owner` runs from now on."""
        self._connection.execute(
            "INSERT INTO jobs (kind, state, payload, owner, heartbeat, created_at, updated_at)"
            " VALUES (?1, 'running', ?2, ?3, ?4, ?4, ?4)",
            (kind, json.dumps(payload), owner, self._now),
        )
        return self.get(self._connection.last_insert_rowid())

    def get(self, job_id: int) -> Job:
        """Raises NotFound."""
        row = self._connection.execute(f"SELECT {_COLUMNS} FROM jobs WHERE id = ?", (job_id,)).fetchone()  # noqa: S608
        if row is None:
            raise NotFound("There is no such job", "List the jobs to see which exist.")
        return _job(row)

    def list_open(self, kind: str | None = None) -> list[Job]:
        """Jobs that are not over, oldest first."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM jobs WHERE state IN {_OPEN} AND (?1 IS NULL OR kind = ?1) ORDER BY id",  # noqa: S608
            (kind,),
        )
        return [_job(row) for row in rows]

    def claim(self, job_id: int, owner: str) -> bool:
        """Take a job over when nobody's heart beats in it, or it is already ours. False = somebody runs it."""
        oldest = stamp(parse_stamp(self._now) - STALE_AFTER)
        self._connection.execute(
            "UPDATE jobs SET owner = ?1, heartbeat = ?2, updated_at = ?2, state = 'running' WHERE id = ?3"  # noqa: S608
            f" AND state IN {_OPEN} AND (owner IS NULL OR owner = ?1 OR heartbeat IS NULL OR heartbeat < ?4)",
            (owner, self._now, job_id, oldest),
        )
        return bool(self._connection.changes())

    def beat(self, owner: str) -> None:
        """Say that this process is alive, for all jobs it runs."""
        self._connection.execute(
            "UPDATE jobs SET heartbeat = ?1 WHERE owner = ?2 AND state IN ('running', 'paused')", (self._now, owner)
        )

    def advance(self, job_id: int, cursor: dict[str, Any], done: int, total: int) -> None:
        self._connection.execute(
            "UPDATE jobs SET cursor = ?, progress = ?, heartbeat = ?, updated_at = ? WHERE id = ?",
            (json.dumps(cursor), json.dumps({"done": done, "total": total}), self._now, self._now, job_id),
        )

    def set_state(self, job_id: int, state: JobState, error: str = "") -> None:
        """End, pause or go on. An ended job has no owner."""
        over = state not in (JobState.WAITING, JobState.RUNNING, JobState.PAUSED)
        self._connection.execute(
            "UPDATE jobs SET state = ?1, error = ?2, updated_at = ?3, owner = CASE WHEN ?4 THEN NULL ELSE owner END"
            " WHERE id = ?5",
            (state, error, self._now, over, job_id),
        )

    def disown(self, job_id: int) -> None:
        """Nobody runs this job now: whoever claims it first goes on with it."""
        self._connection.execute(
            "UPDATE jobs SET owner = NULL, heartbeat = NULL, updated_at = ? WHERE id = ?", (self._now, job_id)
        )

    def release(self, owner: str) -> None:
        """This process goes away: its open jobs wait for whoever opens the mind next."""
        self._connection.execute(
            "UPDATE jobs SET owner = NULL, heartbeat = NULL, state = 'waiting', updated_at = ?1"
            " WHERE owner = ?2 AND state = 'running'",
            (self._now, owner),
        )


def _job(row: tuple[Any, ...]) -> Job:
    job_id, kind, state, cursor, payload, progress, owner, heartbeat, error, created_at, updated_at = row
    figures = json.loads(progress)
    return Job(
        job_id, kind, JobState(state), cursor, payload, int(figures.get("done", 0)), int(figures.get("total", 0)),
        owner, heartbeat, error, created_at, updated_at,
    )  # fmt: skip
