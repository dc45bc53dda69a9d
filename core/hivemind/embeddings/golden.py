"""Recorded vectors of a model: what a folder says its texts become, and how near to that an encoder comes.

Loads numpy only to compare.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hivemind.domain.vectors import Encoded
from hivemind.embeddings.refusals import refuse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = "golden.json"


@dataclass(frozen=True, slots=True)
class GoldenText:
    """One text: its pieces, and its vectors as base64 of little-endian float16, '' when none were recorded."""

    text: str
    pieces: tuple[int, ...]
    pooled: str
    tokens: str


@dataclass(frozen=True, slots=True)
class Golden:
    """`cosine`: how near a vector must come to the recorded one."""

    texts: tuple[GoldenText, ...]
    cosine: float

    def least_cosine(self, encodings: Sequence[Encoded]) -> float:
        """The least likeness of any vector to its recorded one; -1 when pieces or sizes differ."""
        return min((_likeness(one, made) for one, made in zip(self.texts, encodings, strict=True)), default=1.0)


def read_golden(folder: Path) -> Golden | None:
    """What the folder has recorded, None when it has nothing. Raises EmbedderUnavailable for an unreadable file."""
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        told: dict[str, Any] = json.loads(file.read_text("utf-8"))
        texts = tuple(
            GoldenText(str(one["text"]), tuple(map(int, one["ids"])), str(one["pooled"]), str(one.get("tokens", "")))
            for one in told["texts"]
        )
        return Golden(texts, float(told["cosine"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise refuse(f"{FILE} cannot be read", "Copy the file again, or leave it out.") from error


def _likeness(golden: GoldenText, encoded: Encoded) -> float:
    if encoded.pieces != golden.pieces:
        return -1.0
    return min(_rows(golden.pooled, encoded.pooled[None]), _rows(golden.tokens, encoded.tokens))


def _rows(packed: str, rows: NDArray[np.float32]) -> float:
    import numpy as np

    if not packed or not len(rows):
        return 1.0
    golden = np.frombuffer(base64.b64decode(packed), "<f2").astype(np.float32)
    if golden.size != rows.size:
        return -1.0
    golden = golden.reshape(rows.shape)
    return float(((golden * rows).sum(1) / np.linalg.norm(golden, axis=1)).min())
