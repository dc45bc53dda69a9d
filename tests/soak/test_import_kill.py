"""An import killed at fifty uniformly random moments, engine and child, always ends like an uninterrupted one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.core.harvest.killing import export, killed_and_resumed, moments, uninterrupted

WANTED = 50


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.skipif(sys.platform != "linux", reason="finds the child through /proc")
def test_fifty_kills(tmp_path: Path) -> None:
    source = export(tmp_path, count=400)
    whole, seconds = uninterrupted(tmp_path, source)
    assert whole["problems"] == []
    landed = 0
    # A kill that came after the end says nothing; such moments are drawn again.
    for after, victim in moments(4 * WANTED, seconds, seed=50):
        found, attempts = killed_and_resumed(tmp_path, source, after, victim)
        assert found == whole, (after, victim)
        landed += attempts > 1
        if landed == WANTED:
            return
    raise AssertionError(f"only {landed} kills came in time")
