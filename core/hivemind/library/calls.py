"""One transaction at a time for a caller who waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hivemind.mind import Mind, MindTransaction

T = TypeVar("T")


def write(mind: Mind, work: Callable[[MindTransaction], T]) -> T:
    """Run one write transaction and wait until it is on the disk."""
    return mind.submit_write(work).result()


def read(mind: Mind, work: Callable[[MindTransaction], T]) -> T:
    """Run one read over one snapshot and wait for it."""
    return mind.submit_read(work).result()
