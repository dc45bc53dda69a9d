"""An import killed at fifty uniformly random moments, engine and child, always ends like an uninterrupted one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.core.harvest.killing import export, killed_and_resumed, moments, uninterrupted


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.skipif(sys.platform != "linux", reason="finds the child through /proc")
def test_fifty_kills(tmp_path: Path) -> None:
    source = export(tmp_path, count=400)
    whole, seconds = uninterrupted(tmp_path, source)
    assert whole["problems"] == []
    attempts = []
    for after, victim in moments(50, seconds, seed=50):
        found, tried = killed_and_resumed(tmp_path, source, after, victim)
        assert found == whole, (after, victim)
        attempts.append(tried)
    # The campaign is worth nothing when every kill came too late.
    assert sum(tried > 1 for tried in attempts) > 20
