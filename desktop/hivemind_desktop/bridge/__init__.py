"""The bridge to the engine: its thread, calls from the Qt loop, its news as Qt signals, tasks of a page."""

from .client import EngineClient
from .engine_thread import EngineThread
from .signals import EngineSignals
from .tasks import TaskSet

__all__ = ["EngineClient", "EngineSignals", "EngineThread", "TaskSet"]
