"""Re-embedding killed at forty random moments of many swaps: nothing is left half, and every search is answered."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from tests.core.engine.reembed_killing import Told, filled, moments, swap, uninterrupted

WANTED = 40


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_forty_kills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    filled(data, notes=400)
    seconds = uninterrupted(data, "m0")
    rng, told = random.Random(40), Told()
    # The same mind goes from model to model, so that a kill also falls into the clearing of what a former one left.
    while told.kills < WANTED:
        assert told.swaps < 2 * WANTED, told
        swap(data, f"m{told.swaps}", f"m{told.swaps + 1}", moments(rng, seconds, 4), told)
    with capsys.disabled():
        sys.stdout.write(f"\n{told}\n")
