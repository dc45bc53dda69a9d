"""Ids of word pieces as bytes: two bytes each, or four when one of them needs that. Works without numpy."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence

# 16 bits hold every vocabulary but those of large multilingual models.
_SHORT = 65_535


def pack_pieces(pieces: Sequence[int]) -> bytes:
    """Little-endian; the length of the blob over the number of pieces tells their width."""
    return _swapped(array("I" if max(pieces, default=0) > _SHORT else "H", pieces)).tobytes()


def unpack_pieces(blob: bytes, count: int) -> array[int]:
    """The ids in order."""
    pieces = array("H" if len(blob) == 2 * count else "I")
    pieces.frombytes(blob)
    return _swapped(pieces)


def _swapped(pieces: array[int]) -> array[int]:
    if sys.byteorder == "big":
        pieces.byteswap()
    return pieces
