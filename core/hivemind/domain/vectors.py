"""What an embedder gives and what is kept of who gave it. Arrays are numpy's; this module does not load numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hivemind.domain.calls import CallRecorder
from hivemind.domain.indexed_text import INDEXED_VERSION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Length of every pooled vector, whatever the model's own size.
POOLED_DIM = 1024
#: Length of a token vector, when a model gives any.
TOKEN_DIM = 64


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which vectors may be compared: those of one identity. Kept in a mind's `models`.

    `sha`: 64 hex digits over the files that decide a vector. `model_dim`: numbers inside the model, before the
    rotation to `dim`. `token_dim` 0 and `basis_sha` '': no token vectors. `max_tokens`: pieces per pass, special ones
    included. `text_version`: of the rules that make the embedded text.
    """

    name: str
    revision: str
    sha: str
    dim: int = POOLED_DIM
    model_dim: int = 384
    token_dim: int = TOKEN_DIM
    languages: tuple[str, ...] = ()
    max_tokens: int = 256
    basis_sha: str = ""
    text_version: int = INDEXED_VERSION


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """One text: `pooled` float32[1024], unit; `tokens` float32[n, 64], unit rows; `pieces`: the n ids that name them.

    [CLS], [SEP] and a model's prefix are left out. `tokens` is float32[0, 64] when the model gives none; `pieces`
    are there all the same. `passes`: how often the model ran; more than once for a text over its window.
    """

    pooled: NDArray[np.float32]
    tokens: NDArray[np.float32]
    pieces: tuple[int, ...]
    passes: int = 1


@dataclass(frozen=True, slots=True)
class EmbeddingPlace:
    """In which mind's log a request to a service is written: the mind whose memories or questions are sent."""

    recorder: CallRecorder
    workspace_id: str


@dataclass(frozen=True, slots=True)
class EmbeddingCounts:
    """What an embedder has done since it was made. `long_texts` went over the model's window and took several passes;
    `seconds` and `pieces` are of documents, for the speed shown to a person."""

    documents: int = 0
    queries: int = 0
    pieces: int = 0
    long_texts: int = 0
    seconds: float = 0.0
    restarts: int = 0
