"""One fixed way to spread vectors of any model over 1024 numbers: orthonormal, and the same on every machine."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Length of every pooled vector that is stored.
DIM = 1024
_SEED = b"hive-mind rotation 1"


def rotation(model_dim: int) -> NDArray[np.float32]:
    """float32[model_dim, 1024] with orthonormal rows: `vector @ rotation(len(vector))` keeps every cosine.

    Randomised Hadamard: every entry is +1/32 or -1/32, so each of the 1024 numbers hears all inputs and each sign bit
    says something. A QR of a Gaussian matrix does as well but differs in its last digits from one processor to the
    next; these entries are exact, so a model built anywhere is the same file. `model_dim` is 1 to 1024.
    """
    if not 1 <= model_dim <= DIM:
        raise ValueError(f"cannot rotate {model_dim} numbers into {DIM}")
    keys = [hashlib.sha256(_SEED + row.to_bytes(4, "big")).digest() for row in range(DIM)]
    rows = sorted(range(DIM), key=keys.__getitem__)[:model_dim]
    signs = np.unpackbits(np.frombuffer(hashlib.shake_256(_SEED).digest(DIM // 8), np.uint8))
    return np.ascontiguousarray(_hadamard()[rows] * (signs * 2.0 - 1.0) / 32, np.float32)


def _hadamard() -> NDArray[np.float64]:
    grown = np.ones((1, 1))
    while len(grown) < DIM:
        grown = np.block([[grown, grown], [grown, -grown]])
    return grown
