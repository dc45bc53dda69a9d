"""Hive-Mind as a library: one mind opened from Python, synchronous, without Qt and without an event loop."""

from hivemind.library.opening import OpenMind as OpenMind
from hivemind.library.opening import open_mind as open_mind
