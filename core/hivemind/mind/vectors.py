"""VectorStore: what a frame means, as its models see it: floats, sign bits, token rows, document frequencies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hivemind.domain.vectors import TOKEN_DIM, Encoded, ModelIdentity
from hivemind.errors import InternalFault
from hivemind.mind.feed import FrameFeed
from hivemind.mind.models import TABLES, ModelRecord, ModelStore
from hivemind.mind.pieces import unpack_pieces
from hivemind.storage import Connection
from hivemind.storage.schema import create_vector_table, has_object

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hivemind.mind.vector_codec import PackedVectors

_IDS = "(SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True, eq=False)
class TokenBlock:
    """Token rows of n frames in the order asked. `lengths` int64[n]: rows of each, 0 also for a frame without vectors;
    `stored` bool[n]: whether it has any. `tokens` int8[sum of lengths, 64], not of unit length; `pieces` names the
    rows."""

    lengths: NDArray[np.int64]
    stored: NDArray[np.bool_]
    tokens: NDArray[np.int8]
    pieces: NDArray[np.int64]


class VectorStore:
    """Owns the vec0 tables, `memory_frames_bits`, `frame_tokens` and `piece_df`, all changed in one transaction.

    `loaded`: whether this connection has sqlite-vec. Without it nothing can be put; removing works for all the rest,
    and what stays in the vec0 table is never reached, because ids are not used twice.
    """

    def __init__(self, connection: Connection, feed: FrameFeed, *, loaded: bool) -> None:
        self._connection = connection
        self._feed = feed
        self._loaded = loaded
        self.models = ModelStore(connection)

    # models

    def register(self, identity: ModelIdentity) -> int:
        """The id for vectors of this model (see ModelStore.register)."""
        return self.models.register(identity)

    def serving(self) -> ModelRecord | None:
        """The model whose vectors are searched."""
        return self.models.serving()

    def count_embedded(self) -> int:
        """Current frames that have the serving model's vectors."""
        serving = self.serving()
        if serving is None:
            return 0
        # Who has no vector is owed one, and counting these few is much faster than counting the others.
        owed = (
            "SELECT count(DISTINCT o.frame_id) FROM outbox AS o JOIN current_frames AS f ON f.id = o.frame_id"
            " WHERE o.kind = 'embedding'"
        )
        everything = "SELECT count(*) FROM current_frames"
        current, waiting = (int(self._connection.execute(sql).get) for sql in (everything, owed))
        return min(serving.docs, current - waiting)

    def having(self, ids: Sequence[int], model_id: int) -> set[int]:
        """Those of the ids that have this model's vectors."""
        rows = self._connection.execute(
            f"SELECT frame_id FROM memory_frames_bits WHERE frame_id IN {_IDS} AND model_id = ?",  # noqa: S608
            (json.dumps(list(ids)), model_id),
        )
        return {int(frame_id) for (frame_id,) in rows}

    # writing

    def put(
        self,
        frame_id: int,
        model_id: int,
        pooled: NDArray[np.float32],
        tokens: NDArray[np.float32],
        pieces: Sequence[int],
        content: NDArray[np.bool_] | None = None,
    ) -> None:
        """Store one frame's vectors; `content` as in `vector_codec.pack`. Replaces what this model had of the frame."""
        from hivemind.mind.vector_codec import pack

        bits = self.models.get(model_id).token_bits
        self.put_packed(model_id, [pack(frame_id, Encoded(pooled, tokens, tuple(pieces)), content, bits)])

    def put_packed(self, model_id: int, vectors: Sequence[PackedVectors]) -> None:
        """Store many frames' vectors, each frame once. What the outbox owes of them for this model is settled."""
        if not self._loaded:
            raise InternalFault(details="vectors cannot be stored without sqlite-vec")
        model = self.models.get(model_id)
        serves = model.state == "serving"
        table = self._table_for(model)
        ids = [one.frame_id for one in vectors]
        self._forget(ids, model_id)
        self._connection.executemany(
            f"INSERT INTO {table} (rowid, embedding) VALUES (?, ?)",  # noqa: S608
            [(one.frame_id, one.embedding) for one in vectors],
        )
        self._connection.executemany(
            "INSERT INTO memory_frames_bits (frame_id, model_id, bits) VALUES (?, ?, ?)",
            [(one.frame_id, model_id, one.bits) for one in vectors],
        )
        if model.token_dim:
            self._connection.executemany(
                "INSERT INTO frame_tokens (frame_id, model_id, n, pieces, t) VALUES (?, ?, ?, ?, ?)",
                [(one.frame_id, model_id, one.count, one.pieces, one.tokens) for one in vectors],
            )
            self._count_pieces(model_id, Counter(piece for one in vectors for piece in one.distinct))
        self.models.count(model_id, len(vectors))
        if serves:
            self._feed.append("vector", ids)
            self._connection.executemany(
                "DELETE FROM outbox WHERE frame_id = ? AND kind = 'embedding'", [(i,) for i in ids]
            )

    def remove(self, frame_ids: Iterable[int]) -> None:
        """Take away every model's vectors of these frames: they are going, or their text has changed."""
        ids = list(frame_ids)
        for model in self.models.list():
            gone = self._forget(ids, model.model_id)
            if gone and model.state == "serving":
                self._feed.append("vector", gone)

    def _forget(self, ids: Sequence[int], model_id: int) -> list[int]:
        """Returns the ids that had vectors."""
        had = sorted(self.having(ids, model_id))
        model = self.models.get(model_id)
        if self._loaded and model.state != "retired":
            # Also where there is no row of bits: a mind that was opened without the library may have left floats.
            table = self._table_for(model)
            self._connection.executemany(f"DELETE FROM {table} WHERE rowid = ?", [(i,) for i in ids])  # noqa: S608
        if not had:
            return had
        rows = self._connection.execute(
            f"SELECT n, pieces FROM frame_tokens WHERE frame_id IN {_IDS} AND model_id = ?",  # noqa: S608
            (json.dumps(had), model_id),
        )
        lost = Counter(piece for n, pieces in rows for piece in set(unpack_pieces(pieces, n)))
        self._uncount_pieces(model_id, lost)
        keys = [(frame_id, model_id) for frame_id in had]
        self._connection.executemany("DELETE FROM frame_tokens WHERE frame_id = ? AND model_id = ?", keys)
        self._connection.executemany("DELETE FROM memory_frames_bits WHERE frame_id = ? AND model_id = ?", keys)
        self.models.count(model_id, -len(had))
        return had

    def _count_pieces(self, model_id: int, seen: Counter[int]) -> None:
        self._connection.executemany(
            "INSERT INTO piece_df (model_id, piece, df) VALUES (?, ?, ?)"
            " ON CONFLICT (model_id, piece) DO UPDATE SET df = df + excluded.df",
            [(model_id, piece, df) for piece, df in seen.items()],
        )

    def _uncount_pieces(self, model_id: int, lost: Counter[int]) -> None:
        changed = [(df, model_id, piece) for piece, df in lost.items()]
        self._connection.executemany("UPDATE piece_df SET df = df - ? WHERE model_id = ? AND piece = ?", changed)
        self._connection.executemany(
            "DELETE FROM piece_df WHERE df <= 0 AND model_id = ? AND piece = ?", [one[1:] for one in changed]
        )

    def _table_for(self, model: ModelRecord) -> str:
        table = self.models.serving_table() if model.state == "serving" else self.models.spare_table()
        if not has_object(self._connection, table):
            create_vector_table(self._connection, table)
        return table

    def tables(self) -> list[str]:
        """The vec0 tables that are there and can be used."""
        return [table for table in TABLES if self._loaded and has_object(self._connection, table)]

    # reading

    def tokens_of(self, frame_ids: Sequence[int], model_id: int) -> TokenBlock:
        """Token rows of the frames, in this order."""
        import numpy as np

        from hivemind.mind.vector_codec import unpack_all_pieces, unpack_tokens

        found = {
            int(frame_id): (int(n), bytes(pieces), bytes(tokens))
            for frame_id, n, pieces, tokens in self._connection.execute(
                f"SELECT frame_id, n, pieces, t FROM frame_tokens WHERE frame_id IN {_IDS} AND model_id = ?",  # noqa: S608
                (json.dumps(list(frame_ids)), model_id),
            )
        }
        rows = [found.get(frame_id) for frame_id in frame_ids]
        there = [row for row in rows if row is not None]
        tokens = b"".join(row[2] for row in there)
        return TokenBlock(
            np.array([0 if row is None else row[0] for row in rows], np.int64),
            np.array([row is not None for row in rows], np.bool_),
            unpack_tokens(tokens, self.models.get(model_id).token_bits).reshape(-1, TOKEN_DIM),
            unpack_all_pieces([(row[1], row[0]) for row in there]),
        )

    def pieces_of(self, frame_id: int, model_id: int) -> tuple[int, ...]:
        """The pieces that name a frame's token rows, in order; empty without vectors."""
        row = self._connection.execute(
            "SELECT n, pieces FROM frame_tokens WHERE frame_id = ? AND model_id = ?", (frame_id, model_id)
        ).fetchone()
        return () if row is None else tuple(unpack_pieces(row[1], row[0]))

    def df(self, pieces: Sequence[int], model_id: int) -> NDArray[np.int64]:
        """int64: in how many frames each piece stands, 0 for a stop word."""
        import numpy as np

        counts = dict(
            self._connection.execute(
                f"SELECT piece, df FROM piece_df WHERE model_id = ? AND piece IN {_IDS}",  # noqa: S608
                (model_id, json.dumps(sorted(set(pieces)))),
            )
        )
        return np.array([counts.get(piece, 0) for piece in pieces], np.int64)

    def docs(self, model_id: int) -> int:
        """Frames that have this model's vectors."""
        return self.models.get(model_id).docs

    def miscounted(self, model_id: int) -> bool:
        """Whether documents or pieces are not what the stored rows say."""
        return not self._agrees(model_id, *self._counted(model_id))

    def recount(self, model_id: int) -> bool:
        """Count documents and pieces anew from the stored rows. True when something was wrong."""
        docs, seen = self._counted(model_id)
        if self._agrees(model_id, docs, seen):
            return False
        self._connection.execute("DELETE FROM piece_df WHERE model_id = ?", (model_id,))
        self._count_pieces(model_id, seen)
        self.models.count(model_id, docs - self.docs(model_id))
        return True

    def _agrees(self, model_id: int, docs: int, seen: Counter[int]) -> bool:
        kept = dict(self._connection.execute("SELECT piece, df FROM piece_df WHERE model_id = ?", (model_id,)))
        return kept == dict(seen) and docs == self.docs(model_id)

    def _counted(self, model_id: int) -> tuple[int, Counter[int]]:
        seen: Counter[int] = Counter()
        for n, pieces in self._connection.execute("SELECT n, pieces FROM frame_tokens WHERE model_id = ?", (model_id,)):
            seen.update(set(unpack_pieces(pieces, n)))
        having = "SELECT count(*) FROM memory_frames_bits WHERE model_id = ?"
        return int(self._connection.execute(having, (model_id,)).get), seen
