"""What is said about an erasure: sums that add up, and codes that a log entry can carry."""

from __future__ import annotations

import pytest

from hivemind.domain.erasure import BackupChoice, ErasurePreview, ErasureReason, ErasureState, Residue, TargetKind
from hivemind.gateway.entries import check_token


@pytest.mark.parametrize("code", [*ErasureReason, *TargetKind, *BackupChoice, *ErasureState])
def test_every_code_fits_into_the_log(code: str) -> None:
    check_token("code", str(code))


def test_a_residue_is_the_sum_of_all_finds() -> None:
    assert Residue({"minds": 2, "backups": 1}, 3, 4, 5, 0).total == 15
    assert Residue({}, 0, 0, 0, 9, 2).total == 0


def test_nothing_means_neither_mind_nor_backup() -> None:
    from pathlib import Path

    empty = ErasurePreview({"frames": 0}, 0, 0, 0, (), 0, (), (), ())
    assert empty.nothing
    assert not ErasurePreview({"frames": 0}, 0, 0, 0, (), 0, (Path("a.mind"),), (), ()).nothing
    assert not ErasurePreview({"changes": 1}, 0, 0, 0, (), 0, (), (), ()).nothing
