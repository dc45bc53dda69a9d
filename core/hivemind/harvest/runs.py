"""RunStore: one row per import and per source in it, its state, its counts, who runs it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hivemind.domain.harvest import RunState
from hivemind.domain.surveys import ImportOptions
from hivemind.errors import RunNotFound
from hivemind.harvest.choices import as_json, from_json, next_time
from hivemind.harvest.ownership import is_gone, owner_mark
from hivemind.harvest.prepared import SEVERAL
from hivemind.storage import Connection

_COLUMNS = (
    "id, parent_id, source, name, path, fingerprint, options, state, counts, seconds, started_at, finished_at, error"
)
_OPEN = "('running', 'paused')"


@dataclass(frozen=True, slots=True)
class Run:
    """One row of `import_runs`. `wanted`: the source asked for ('auto' or a name); `owner`: see `ownership`.
    `choice`: what of the source comes in, None until that is known."""

    id: int
    parent_id: int | None
    source: str
    name: str
    path: str
    fingerprint: str
    wanted: str
    owner: object
    choice: ImportOptions | None
    state: RunState
    counts: dict[str, int]
    seconds: float
    started_at: str
    finished_at: str | None
    error: str


class RunStore:
    """Owns `import_runs` and `harvest_sources`, within one transaction."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def begin(
        self, source: str, name: str, path: str, *, parent_id: int | None = None, choice: ImportOptions | None = None
    ) -> int:
        """A run of this process; returns its id. `source`: 'auto' until it is recognised. `choice` None: not known yet,
        what was chosen the last time."""
        options = _options(source, choice)
        self._connection.execute(
            "INSERT INTO import_runs (parent_id, source, name, path, options, state, started_at)"
            " VALUES (?, ?, ?, ?, ?, 'running', ?)",
            (parent_id, source, name, path, options, self._now),
        )
        return self._connection.last_insert_rowid()

    def get(self, run_id: int) -> Run:
        """Raises RunNotFound."""
        row = self._connection.execute(
            f"SELECT {_COLUMNS} FROM import_runs WHERE id = ?",  # noqa: S608 - fixed columns
            (run_id,),
        ).fetchone()
        if row is None:
            raise RunNotFound()
        return _run(row)

    def children(self, run_id: int) -> list[Run]:
        """The sources of a run, in the order they were named."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM import_runs WHERE parent_id = ? ORDER BY id",  # noqa: S608
            (run_id,),
        )
        return [_run(row) for row in rows]

    def family(self, run_id: int) -> list[Run]:
        """The run and its sources."""
        return [self.get(run_id), *self.children(run_id)]

    def list_top(self) -> list[Run]:
        """Runs that are not part of another, newest first."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM import_runs WHERE parent_id IS NULL ORDER BY id DESC"  # noqa: S608
        )
        return [_run(row) for row in rows]

    def adopt(self, run_id: int) -> list[Run]:
        """This process goes on with the run and those of its sources that are not finished. Returns all of them."""
        family = self.family(run_id)
        for run in family:
            if run.id == run_id or run.state is not RunState.FINISHED:
                options = _options(run.wanted, run.choice)
                self._connection.execute(
                    "UPDATE import_runs SET options = ?, state = 'running', error = '', finished_at = NULL"
                    " WHERE id = ?",
                    (options, run.id),
                )
        return self.family(run_id)

    def identify(self, run_id: int, source: str, name: str, fingerprint: str) -> None:
        """What the reader found at the path."""
        self._connection.execute(
            "UPDATE import_runs SET source = ?, name = ?, fingerprint = ? WHERE id = ?",
            (source, name, fingerprint, run_id),
        )

    def split(self, run: Run, kinds: Sequence[str]) -> list[Run]:
        """A source of several kinds becomes one source per kind, under the run that it belongs to. Returns them."""
        if run.parent_id is None:
            self.identify(run.id, SEVERAL, run.name, "")
            ids = [self.begin(kind, run.name, run.path, parent_id=run.id, choice=run.choice) for kind in kinds]
        else:
            options = _options(kinds[0], run.choice)
            self._connection.execute("UPDATE import_runs SET options = ? WHERE id = ?", (options, run.id))
            more = [self.begin(k, run.name, run.path, parent_id=run.parent_id, choice=run.choice) for k in kinds[1:]]
            ids = [run.id, *more]
        return [self.get(run_id) for run_id in ids]

    def choose(self, run_id: int, choice: ImportOptions) -> None:
        """Write down what of the source comes in, so that going on later means the same."""
        options = _options(self.get(run_id).wanted, choice)
        self._connection.execute("UPDATE import_runs SET options = ? WHERE id = ?", (options, run_id))

    def remembered(self) -> dict[str, ImportOptions]:
        """Source → what was chosen in its newest import that stands, for the next one that nobody chooses anew for."""
        rows = self._connection.execute(
            "SELECT source, json_extract(options, '$.choice') FROM import_runs"
            " WHERE state NOT IN ('undone', 'failed') AND json_valid(options) ORDER BY id"
        )
        known = [(str(source), from_json(json.loads(choice))) for source, choice in rows if choice]
        return {source: next_time(choice) for source, choice in known if choice is not None}

    def set_state(self, run_id: int, state: RunState, error: str = "") -> None:
        """Every state but running and paused sets the time it ended."""
        over = None if state in (RunState.RUNNING, RunState.PAUSED) else self._now
        self._connection.execute(
            "UPDATE import_runs SET state = ?, error = ?, finished_at = ? WHERE id = ?", (state, error, over, run_id)
        )

    def add(self, run_id: int, counts: dict[str, int], seconds: float) -> None:
        """Add to the counts of a run."""
        known = self.get(run_id).counts
        merged = {key: known.get(key, 0) + counts.get(key, 0) for key in sorted(known.keys() | counts.keys())}
        self._connection.execute(
            "UPDATE import_runs SET counts = ?, seconds = seconds + ? WHERE id = ?",
            (json.dumps(merged), seconds, run_id),
        )

    def has_abandoned(self) -> bool:
        """Whether a run claims to be at work whose process is gone."""
        return bool(self._abandoned())

    def interrupt_abandoned(self) -> list[int]:
        """Mark runs whose process is gone as interrupted; returns the top runs among the interrupted ones."""
        for run in self._abandoned():
            self.set_state(run.id, RunState.INTERRUPTED)
        return self.list_interrupted()

    def list_interrupted(self) -> list[int]:
        """Top runs that can be taken up again, newest first."""
        return [run.id for run in self.list_top() if run.state is RunState.INTERRUPTED]

    def _abandoned(self) -> list[Run]:
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM import_runs WHERE state IN {_OPEN}")  # noqa: S608
        return [run for run in map(_run, rows) if is_gone(run.owner)]

    def credit_source(self, run: Run, label: str, items: int, frames: int) -> None:
        """Keep the seed's row about a source up to date."""
        self._connection.execute(
            "INSERT INTO harvest_sources (source_type, display_name, source_path, last_synced_at, items_imported,"
            " frames_created, last_content_hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
            " ON CONFLICT (source_type) DO UPDATE SET source_path = ?3, last_synced_at = ?4,"
            " items_imported = items_imported + ?5, frames_created = frames_created + ?6, last_content_hash = ?7",
            (run.source, label, run.path, self._now, items, frames, run.fingerprint),
        )


def _options(wanted: str, choice: ImportOptions | None) -> str:
    chosen = None if choice is None else as_json(choice)
    return json.dumps({"wanted": wanted, "owner": owner_mark(), "choice": chosen}, ensure_ascii=False)


def _run(row: tuple[Any, ...]) -> Run:
    run_id, parent, source, name, path, mark, options, state, counts, seconds, started, finished, error = row
    asked = json.loads(options)
    return Run(
        run_id, parent, source, name, path, mark, str(asked.get("wanted", "auto")), asked.get("owner"),
        from_json(asked.get("choice")),
        RunState(state), json.loads(counts), float(seconds), started, finished, error,
    )  # fmt: skip
