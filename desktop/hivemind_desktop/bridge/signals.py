"""The engine's news as typed Qt signals on the Qt thread, never more of them than it can show."""

from __future__ import annotations

import threading
from collections.abc import Hashable

from PySide6.QtCore import QObject, Qt, Signal

from hivemind.events import Event, MindChanged, Progress


class EngineSignals(QObject):
    """`publish` may be called on any thread; the signals come on the thread this object lives in.

    News that nobody has seen yet are joined: the last progress of a job, the union of changed areas of a mind. So a
    quick import cannot fill the event queue of a window that is busy painting.
    """

    progress = Signal(Progress)
    mind_changed = Signal(MindChanged)
    _arrived = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, Event] = {}
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def publish(self, event: Event) -> None:
        """Listener for an EventHub. Returns at once."""
        with self._lock:
            first = not self._waiting
            key = _key(event)
            self._waiting[key] = _joined(self._waiting.pop(key, None), event)
        if first:
            self._arrived.emit()

    def _deliver(self) -> None:
        with self._lock:
            events = list(self._waiting.values())
            self._waiting.clear()
        for event in events:
            if isinstance(event, Progress):
                self.progress.emit(event)
            else:
                self.mind_changed.emit(event)


def _key(event: Event) -> Hashable:
    if isinstance(event, Progress):
        return ("progress", event.workspace, event.kind, event.job_id)
    return ("changed", event.workspace)


def _joined(before: Event | None, event: Event) -> Event:
    if isinstance(event, MindChanged) and isinstance(before, MindChanged):
        return MindChanged(event.workspace, before.areas | event.areas)
    return event
