"""Hive-Mind as a library: one mind opened from Python, synchronous, without Qt and without an event loop."""

from hivemind.library.about_user import MindAwareness as MindAwareness
from hivemind.library.about_user import MindIdentity as MindIdentity
from hivemind.library.frames import MindFrames as MindFrames
from hivemind.library.opening import OpenMind as OpenMind
from hivemind.library.opening import open_mind as open_mind
from hivemind.library.sessions import MindSessions as MindSessions
