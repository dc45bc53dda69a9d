"""Another model, and the process that embeds killed with -9 in the middle: the mind is whole and searched throughout.

Covers: embedding_queue. The long campaign is tests/soak/test_reembed_kill.py.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from tests.core.engine.reembed_killing import Told, filled, moments, swap, uninterrupted


@pytest.mark.timeout(180)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_in_the_middle_of_another_model(tmp_path: Path) -> None:
    data = tmp_path / "data"
    filled(data, notes=200)
    seconds = uninterrupted(data, "m0")
    told = Told()
    swap(data, "m0", "m1", [0.3 * seconds, *moments(random.Random(3), seconds, 2)], told)
    assert told.kills >= 1
    assert told.by_meaning > 0
    assert told.by_words > 0
