"""ModelStore: whose vectors a mind holds. One model serves search; another may be built beside it and take over."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hivemind.domain.vectors import POOLED_DIM, ModelIdentity
from hivemind.errors import EmbedderUnavailable
from hivemind.mind.meta import MetaStore
from hivemind.storage import Connection

#: Where a serving model's floats are; the other of the two tables is the one a model is built in.
TABLES = ("memory_frames_vec", "memory_frames_vec_next")
TOKEN_BITS = 8
_POINTER = "vector_table"
_LONG = "long_texts"
_COLUMNS = (
    "model_id, name, revision, sha, dim, token_dim, token_bits, piece_bytes, basis_sha, text_version, docs, state"
)
_IDENTITY = "name = ? AND revision = ? AND sha = ? AND dim = ? AND token_dim = ? AND basis_sha = ? AND text_version = ?"


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """One row of `models`. `state`: building, serving or retired. `docs`: frames that have its vectors."""

    model_id: int
    name: str
    revision: str
    sha: str
    dim: int
    token_dim: int
    token_bits: int
    piece_bytes: int
    basis_sha: str
    text_version: int
    docs: int
    state: str

    def is_of(self, identity: ModelIdentity) -> bool:
        """Whether an embedder of this identity makes vectors that may be compared with the stored ones."""
        mine = (self.name, self.revision, self.sha, self.dim, self.token_dim, self.basis_sha, self.text_version)
        return mine == _marks(identity)


class ModelStore:
    """Owns `models`, and in `meta` the pointer to the serving table and the count of long texts."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = MetaStore(connection)

    def get(self, model_id: int) -> ModelRecord:
        row = self._connection.execute(f"SELECT {_COLUMNS} FROM models WHERE model_id = ?", (model_id,)).fetchone()  # noqa: S608
        if row is None:
            raise LookupError(f"no model {model_id}")
        return _model(row)

    def serving(self) -> ModelRecord | None:
        """The model whose vectors are searched, or None."""
        return self._in_state("serving")

    def building(self) -> ModelRecord | None:
        """The model that is being built beside it, or None."""
        return self._in_state("building")

    def list(self) -> list[ModelRecord]:
        """All of them, retired ones too, oldest first."""
        return [_model(row) for row in self._connection.execute(f"SELECT {_COLUMNS} FROM models ORDER BY model_id")]  # noqa: S608

    def register(self, identity: ModelIdentity) -> int:
        """The id under which this model's vectors are kept: the serving or building one of this identity, else a new
        row. The first model of a mind serves at once, any other is built beside. Raises EmbedderUnavailable for
        vectors of a size that a mind cannot hold.
        """
        known = self._connection.execute(
            f"SELECT model_id FROM models WHERE {_IDENTITY} AND state <> 'retired'"  # noqa: S608
            " ORDER BY state = 'serving' DESC",
            _marks(identity),
        ).fetchone()
        return int(known[0]) if known else self.add(identity)

    def add(self, identity: ModelIdentity) -> int:
        """A new row, serving when none does. What was being built before is given up."""
        if identity.dim != POOLED_DIM:
            raise EmbedderUnavailable(
                "This model's vectors do not fit",
                f"A mind holds vectors of {POOLED_DIM} numbers, these have {identity.dim}. Choose another model.",
            )
        first = self.serving() is None
        self._connection.execute("UPDATE models SET state = 'retired' WHERE state = 'building'")
        self._connection.execute(
            "INSERT INTO models (name, revision, sha, dim, token_dim, basis_sha, text_version, token_bits,"
            " piece_bytes, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 2, ?)",
            (*_marks(identity), TOKEN_BITS, "serving" if first else "building"),
        )
        return self._connection.last_insert_rowid()

    def promote(self, model_id: int) -> None:
        """This one serves from now on, out of the table it was built in."""
        was = self.serving()
        self._connection.execute("UPDATE models SET state = 'retired' WHERE state = 'serving'")
        self._connection.execute("UPDATE models SET state = 'serving' WHERE model_id = ?", (model_id,))
        if was is not None:
            self._meta.set(_POINTER, self.spare_table())

    def give_up(self, model_id: int) -> None:
        """It will not serve; `RebuildRules.clear_retired` takes its vectors away."""
        self._connection.execute("UPDATE models SET state = 'retired' WHERE model_id = ?", (model_id,))

    def count(self, model_id: int, docs: int) -> None:
        """Add to the number of frames that have its vectors."""
        self._connection.execute("UPDATE models SET docs = docs + ? WHERE model_id = ?", (docs, model_id))

    def count_long(self, model_id: int, texts: int) -> None:
        """Add to the number of texts that were longer than the model reads at once and took several passes."""
        if texts:
            known = {str(model.model_id) for model in self.list()}
            counted = {key: count for key, count in self._long().items() if key in known}
            counted[str(model_id)] = counted.get(str(model_id), 0) + texts
            self._meta.set(_LONG, json.dumps(counted, sort_keys=True))

    def long_texts(self) -> int:
        """How many that were for the serving model, over its whole life here."""
        serving = self.serving()
        return 0 if serving is None else self._long().get(str(serving.model_id), 0)

    def _long(self) -> dict[str, int]:
        return {str(key): int(count) for key, count in json.loads(self._meta.find(_LONG) or "{}").items()}

    def serving_table(self) -> str:
        """The vec0 table that search reads."""
        return TABLES[1] if self._meta.find(_POINTER) == TABLES[1] else TABLES[0]

    def spare_table(self) -> str:
        """The other one."""
        return TABLES[1 - TABLES.index(self.serving_table())]

    def _in_state(self, state: str) -> ModelRecord | None:
        row = self._connection.execute(f"SELECT {_COLUMNS} FROM models WHERE state = ?", (state,)).fetchone()  # noqa: S608
        return None if row is None else _model(row)


def _marks(identity: ModelIdentity) -> tuple[str, str, str, int, int, str, int]:
    return (
        identity.name, identity.revision, identity.sha, identity.dim, identity.token_dim, identity.basis_sha,
        identity.text_version,
    )  # fmt: skip


def _model(row: tuple[Any, ...]) -> ModelRecord:
    return ModelRecord(*row)
