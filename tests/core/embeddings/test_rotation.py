"""The rotation: orthonormal for every size, exact entries, and the same for ever."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hivemind.embeddings.rotation import DIM, rotation


@given(st.integers(1, DIM))
@settings(max_examples=15, deadline=None)
def test_rows_are_orthonormal_and_entries_exact(model_dim: int) -> None:
    turn = rotation(model_dim)
    assert turn.shape == (model_dim, DIM)
    assert set(np.unique(np.abs(turn))) == {np.float32(1 / 32)}
    assert np.array_equal(turn @ turn.T, np.eye(model_dim, dtype=np.float32))


def test_it_never_changes() -> None:
    # Stored vectors were turned by it: another matrix would make all of them wrong.
    digest = hashlib.sha256(np.signbit(rotation(384)).tobytes()).hexdigest()
    assert digest[:16] == "d4a274f271a13bd9"


@pytest.mark.parametrize("model_dim", [0, -1, 1025])
def test_other_sizes_are_refused(model_dim: int) -> None:
    with pytest.raises(ValueError, match="1024"):
        rotation(model_dim)
