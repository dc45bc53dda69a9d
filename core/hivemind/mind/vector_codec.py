"""Vectors as bytes and back: floats, sign bits, token rows in 8 or 4 bits. Loads numpy, so it is imported on use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hivemind.domain.vectors import POOLED_DIM, TOKEN_DIM, Encoded
from hivemind.mind.pieces import pack_pieces, unpack_pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Token rows that are kept of one frame.
MAX_TOKENS = 128
_LEVELS = {8: 127, 4: 7}


@dataclass(frozen=True, slots=True)
class PackedVectors:
    """One frame's vectors as they are stored. `distinct`: the pieces that count for document frequencies."""

    frame_id: int
    embedding: bytes
    bits: bytes
    count: int
    pieces: bytes
    tokens: bytes
    distinct: frozenset[int]


def pack(frame_id: int, encoded: Encoded, content: NDArray[np.bool_] | None, token_bits: int = 8) -> PackedVectors:
    """`content`: by piece id, whether it is neither a stop word nor punctuation; None keeps every piece.

    At most the first MAX_TOKENS rows are kept. Raises ValueError for a pooled vector that is not float32[1024], finite
    and not zero: such a vector would never be found, and its neighbours are not its own.
    """
    pooled = np.ascontiguousarray(encoded.pooled, np.float32)
    if pooled.shape != (POOLED_DIM,) or not np.isfinite(pooled).all() or not pooled.any():
        raise ValueError(f"not a vector of {POOLED_DIM} finite numbers")
    kept = _kept(encoded, content)
    pieces = [encoded.pieces[row] for row in kept]
    tokens = pack_tokens(np.asarray(encoded.tokens, np.float32)[kept], token_bits)
    return PackedVectors(
        frame_id, pooled.tobytes(), sign_bits(pooled), len(pieces), pack_pieces(pieces), tokens, frozenset(pieces)
    )


def _kept(encoded: Encoded, content: NDArray[np.bool_] | None) -> list[int]:
    rows = range(len(encoded.tokens))
    if content is None:
        return list(rows[:MAX_TOKENS])
    known = len(content)
    return [row for row in rows if encoded.pieces[row] >= known or content[encoded.pieces[row]]][:MAX_TOKENS]


def sign_bits(pooled: NDArray[np.float32]) -> bytes:
    """One bit per number, set when it is above zero, the first in the lowest bit (as sqlite-vec has it)."""
    return np.packbits(pooled > 0, bitorder="little").tobytes()


def pack_tokens(tokens: NDArray[np.float32], token_bits: int) -> bytes:
    """float[n, 64] with each row scaled to its own largest number; in 4 bits the first of two is the lower half."""
    if not len(tokens):
        return b""
    levels = _LEVELS[token_bits]
    peak = np.maximum(np.abs(tokens).max(axis=1, keepdims=True), np.float32(1e-9))
    whole = np.rint(tokens * (levels / peak)).astype(np.int8)
    if token_bits == 8:
        return bytes(whole.tobytes())
    halves = (whole + 8).astype(np.uint8)
    return bytes((halves[:, 0::2] | (halves[:, 1::2] << 4)).tobytes())


def unpack_tokens(blob: bytes, token_bits: int) -> NDArray[np.int8]:
    """int8[n, 64] of any number of packed frames after one another; rows are not of unit length."""
    if token_bits == 8:
        return np.frombuffer(blob, np.int8).reshape(-1, TOKEN_DIM)
    packed = np.frombuffer(blob, np.uint8).reshape(-1, TOKEN_DIM // 2)
    whole = np.empty((len(packed), TOKEN_DIM), np.int8)
    whole[:, 0::2] = (packed & 15).astype(np.int8) - 8
    whole[:, 1::2] = (packed >> 4).astype(np.int8) - 8
    return whole


def unpack_all_pieces(packed: Sequence[tuple[bytes, int]]) -> NDArray[np.int64]:
    """int64: the piece ids of many frames after one another. `packed`: each one's bytes and number of pieces."""
    if all(len(blob) == 2 * count for blob, count in packed):
        # Nearly always: one reading for all of them.
        return np.frombuffer(b"".join(blob for blob, _ in packed), "<u2").astype(np.int64)
    return np.array([piece for blob, count in packed for piece in unpack_pieces(blob, count)], np.int64)
