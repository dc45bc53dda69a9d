"""What search by meaning stands on: who encodes a query, and the query's vectors bound to one mind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hivemind.domain.vectors import TOKEN_DIM, Encoded, ModelIdentity
from hivemind.mind import MindTransaction
from hivemind.mind.vectors import TokenBlock

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hivemind.search.vector_index import VectorIndex


class QueryEmbedder(Protocol):
    """Turns a query into vectors. `content_pieces` bool by piece id: neither a stop word nor punctuation."""

    @property
    def identity(self) -> ModelIdentity: ...

    @property
    def content_pieces(self) -> NDArray[np.bool_]: ...

    def piece_texts(self, pieces: Iterable[int]) -> tuple[str, ...]:
        """The pieces as the vocabulary writes them."""

    async def encode_query(self, text: str) -> Encoded:
        """Raises EmbedderUnavailable."""


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """A query's vectors in one mind, within one transaction.

    `model_id`: the serving model, None where the mind has no vectors of the query's one: then nothing is near.
    """

    tx: MindTransaction
    encoded: Encoded
    embedder: QueryEmbedder
    index: VectorIndex
    model_id: int | None

    @property
    def by_tokens(self) -> bool:
        """Whether there are token vectors to compare."""
        return len(self.encoded.tokens) > 0

    def nearest(self, limit: int, where: str, bindings: tuple[object, ...]) -> list[tuple[int, float]]:
        """At most `limit` current frames and their cosine, best first. The condition is as in `Scope`."""
        if self.model_id is None:
            return []
        return self.index.nearest(self.tx, self.encoded.pooled, limit, where=where, bindings=bindings)

    def cosines(self, frame_ids: Sequence[int]) -> NDArray[np.float64]:
        """float64 in the order asked, 0 for a frame without a vector."""
        import numpy as np

        if self.model_id is None:
            return np.zeros(len(frame_ids))
        return self.index.cosines(self.tx, self.encoded.pooled, frame_ids)

    def tokens_of(self, frame_ids: Sequence[int]) -> TokenBlock:
        """The stored token rows of the frames, in this order."""
        import numpy as np

        if self.model_id is not None:
            return self.tx.vectors.tokens_of(frame_ids, self.model_id)
        none = np.zeros(len(frame_ids), np.int64)
        return TokenBlock(none, none > 0, np.zeros((0, TOKEN_DIM), np.int8), none[:0])

    def frequencies(self) -> tuple[NDArray[np.int64], int]:
        """In how many frames each piece of the query stands, and how many there are."""
        import numpy as np

        pieces = self.encoded.pieces
        if self.model_id is None:
            return np.zeros(len(pieces), np.int64), 0
        return self.tx.vectors.df(pieces, self.model_id), self.tx.vectors.docs(self.model_id)
