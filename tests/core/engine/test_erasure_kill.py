"""An erasure killed at a transaction is finished by the next engine: nothing of it is left, nothing else is gone."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest
from tests.core.engine.erasure_killing import killed_and_finished, plant, run

SECRET = "Mirabellenkompott-2207"


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
def test_killed_at_some_steps(tmp_path: Path) -> None:
    """The first ones, one in the middle and the last; every one is in the soak campaign."""
    asyncio.run(plant(tmp_path / "whole", SECRET))
    shutil.copytree(tmp_path / "whole", tmp_path / "count")
    code, said = run(tmp_path / "count", SECRET, 0, "after")
    assert code == 0
    steps = int(said)
    for number, moment in ((1, "before"), (1, "after"), (3, "before"), (steps // 2, "after"), (steps, "before")):
        code, problems = killed_and_finished(tmp_path / "whole", tmp_path / "data", SECRET, number, moment)
        assert (code, problems) == (-9, []), (number, moment, steps)
