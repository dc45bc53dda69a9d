"""VectorIndex: the frames nearest to a query in meaning, from bits in memory and floats in the file, always fresh."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hivemind.mind import Mind, MindTransaction
from hivemind.mind.models import ModelRecord
from hivemind.search.resident_bits import ResidentBits
from hivemind.storage import Connection

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Frames that pass the count of bits and are weighed by the query's numbers.
WEIGHED = 512
#: Frames whose floats are read for a page of `limit`: a third more, and no fewer than this.
LEAST_READ = 64
_SLICE = 16_384
#: A snapshot that is older than the index is one that began a moment before. Longer than this, and the file was
#: put back to an earlier state.
_MOMENT = 5.0
_IDS = "(SELECT value FROM json_each(?))"

Row = tuple[int, int, str]


class VectorIndex:
    """One per mind and process, shared by its reader threads, freed with the mind. `of` gives it.

    Holds the sign bits of the serving model (130 bytes a frame). Every call first reads on in `frame_feed`, so that
    what another process wrote or removed counts at once; and every frame it names is current in the caller's own
    snapshot, whatever the index still holds.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bits = ResidentBits()
        self._model_id: int | None = None
        self._last: Row = (0, 0, "")
        self._read_at = 0.0

    @classmethod
    def of(cls, mind: Mind) -> VectorIndex:
        """The index of an open mind, empty until its first use."""
        return mind.resident(cls, cls)

    def __len__(self) -> int:
        return len(self._bits)

    @property
    def nbytes(self) -> int:
        """Bytes in memory for all frames."""
        return self._bits.nbytes

    def refresh(self, tx: MindTransaction) -> ModelRecord | None:
        """Read what has changed since the last call; the whole mind at the first. Returns the serving model."""
        with self._lock:
            return self._refresh(tx)

    def nearest(
        self,
        tx: MindTransaction,
        pooled: NDArray[np.float32],
        limit: int,
        allowed: Sequence[int] | None = None,
        *,
        where: str = "",
        bindings: tuple[Any, ...] = (),
    ) -> list[tuple[int, float]]:
        """At most `limit` current frames with their exact cosine, best first; of equal ones the younger first.

        `pooled`: a unit float32[1024] of the serving model. `allowed`: look at these frames only. `where`: further
        conditions on `f` (as `Scope.where`, starting with AND); candidates are tried in their order, and when too few
        of them pass, the frames that do are looked up first. Empty without a serving model or without sqlite-vec.
        """
        query = np.ascontiguousarray(pooled, np.float32)
        read = max(LEAST_READ, limit + limit // 3)
        if allowed is None:
            found = self._passing(tx, query, read, where, bindings)
        else:
            among = np.asarray(allowed, np.int64)
            closest = self._closest(tx, query, max(WEIGHED, 4 * read), among)
            found = _current(tx.connection, closest, where, bindings)
        found = found[:read]
        cosines = _exact(tx, query, found)
        best = sorted(zip(found, cosines.tolist(), strict=True), key=lambda pair: (-pair[1], -pair[0]))
        return [(frame_id, cosine) for frame_id, cosine in best if not np.isnan(cosine)][:limit]

    def cosines(
        self, tx: MindTransaction, pooled: NDArray[np.float32], frame_ids: Sequence[int]
    ) -> NDArray[np.float64]:
        """float64 in the order asked: the exact cosine of each frame's stored vector, 0 for a frame without."""
        return np.nan_to_num(_exact(tx, np.asarray(pooled, np.float32), frame_ids), nan=0.0)

    def _passing(
        self, tx: MindTransaction, query: NDArray[np.float32], read: int, where: str, bindings: tuple[Any, ...]
    ) -> list[int]:
        """The best `read` frames that are current and meet the conditions."""
        closest = self._closest(tx, query, max(WEIGHED, 4 * read))
        few = _current(tx.connection, closest[: 2 * read], where, bindings)
        if len(few) >= read or len(closest) <= 2 * read:
            return few
        more = few + _current(tx.connection, closest[2 * read :], where, bindings)
        if len(more) >= read or len(closest) >= len(self):
            return more
        rows = tx.connection.execute(f"SELECT f.id FROM current_frames AS f WHERE 1{where}", bindings)  # noqa: S608
        among = np.array([frame_id for (frame_id,) in rows], np.int64)
        return self._closest(tx, query, max(WEIGHED, 4 * read), among)

    def _closest(
        self, tx: MindTransaction, query: NDArray[np.float32], count: int, allowed: NDArray[np.int64] | None = None
    ) -> list[int]:
        with self._lock:
            self._refresh(tx)
            closest: list[int] = self._bits.closest(query, count, allowed).tolist()
        return closest

    # freshness

    def _refresh(self, tx: MindTransaction) -> ModelRecord | None:
        model = tx.vectors.serving()
        if model is None:
            self._forget()
            return None
        if model.model_id != self._model_id:
            self._load(tx, model)
        elif self._follows(tx.connection):
            self._read_on(tx, model)
        elif time.monotonic() - self._read_at > _MOMENT:
            self._load(tx, model)
        return model

    def _follows(self, connection: Connection) -> bool:
        """Whether this snapshot holds what the index read last: else it is older, or of another history."""
        seq, frame_id, op = self._last
        if not seq:
            return True
        row = connection.execute("SELECT frame_id, op FROM frame_feed WHERE seq = ?", (seq,)).fetchone()
        return row == (frame_id, op)

    def _read_on(self, tx: MindTransaction, model: ModelRecord) -> None:
        self._read_at = time.monotonic()
        newest = _newest(tx.connection)
        if newest == self._last:
            return
        rows = tx.connection.execute(
            "SELECT DISTINCT frame_id FROM frame_feed WHERE seq > ? AND op IN ('vector', 'delete')", (self._last[0],)
        )
        changed = [int(frame_id) for (frame_id,) in rows]
        for start in range(0, len(changed), _SLICE):
            part = changed[start : start + _SLICE]
            self._bits.remove(part)
            self._put(
                tx.connection.execute(
                    "SELECT frame_id, bits FROM memory_frames_bits WHERE model_id = ? AND frame_id IN"  # noqa: S608
                    f" {_IDS}",
                    (model.model_id, json.dumps(part)),
                ).fetchall()
            )
        self._last = newest

    def _load(self, tx: MindTransaction, model: ModelRecord) -> None:
        """Everything, in slices: no second copy of the whole is ever held."""
        self._forget()
        after = 0
        while True:
            rows: list[Any] = tx.connection.execute(
                "SELECT frame_id, bits FROM memory_frames_bits WHERE frame_id > ? AND model_id = ?"
                " ORDER BY frame_id LIMIT ?",
                (after, model.model_id, _SLICE),
            ).fetchall()
            if not rows:
                break
            self._put(rows)
            after = int(rows[-1][0])
        self._model_id, self._last, self._read_at = model.model_id, _newest(tx.connection), time.monotonic()

    def _put(self, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            self._bits.put([row[0] for row in rows], b"".join(row[1] for row in rows))

    def _forget(self) -> None:
        self._bits, self._model_id, self._last = ResidentBits(), None, (0, 0, "")


def _exact(tx: MindTransaction, query: NDArray[np.float32], frame_ids: Sequence[int]) -> NDArray[np.float64]:
    """float64: the cosine of each frame's stored vector, nan for a frame without."""
    cosines = np.full(len(frame_ids), np.nan)
    table = tx.vectors.models.serving_table()
    if not len(frame_ids) or table not in tx.vectors.tables():
        return cosines
    # A join, because vec0 answers `rowid = ?` from one chunk, and `rowid IN (…)` by a walk through all of them.
    rows = tx.connection.execute(
        f"SELECT v.rowid, v.embedding FROM json_each(?) AS j CROSS JOIN {table} AS v ON v.rowid = j.value",  # noqa: S608
        (json.dumps(sorted(set(frame_ids))),),
    )
    stored: dict[Any, Any] = dict(rows)
    there = [at for at, frame_id in enumerate(frame_ids) if frame_id in stored]
    if there:
        floats = np.frombuffer(b"".join(stored[frame_ids[at]] for at in there), np.float32)
        cosines[there] = floats.reshape(len(there), -1) @ query
    return cosines


def _newest(connection: Connection) -> Row:
    row = connection.execute("SELECT seq, frame_id, op FROM frame_feed ORDER BY seq DESC LIMIT 1").fetchone()
    return (0, 0, "") if row is None else (int(row[0]), int(row[1]), str(row[2]))


def _current(connection: Connection, frame_ids: Sequence[int], where: str, bindings: tuple[Any, ...]) -> list[int]:
    """Those that are current in this snapshot and meet the conditions, in the order given."""
    rows = connection.execute(
        f"SELECT f.id FROM current_frames AS f WHERE f.id IN {_IDS}{where}",  # noqa: S608 - constants, bound values
        (json.dumps(list(frame_ids)), *bindings),
    )
    passing = {int(frame_id) for (frame_id,) in rows}
    return [frame_id for frame_id in frame_ids if frame_id in passing]
