"""What a restore would change says itself whether there is anything."""

from __future__ import annotations

import pytest

from hivemind.domain.upkeep import Difference


@pytest.mark.parametrize("counts", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_nothing_differs_only_when_no_kind_does(counts: tuple[int, int, int]) -> None:
    lost, back, changed = counts
    assert Difference(lost, (), back, (), changed, ()).nothing is (counts == (0, 0, 0))
