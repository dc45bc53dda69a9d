"""What the engine tells whoever listens: progress of long work, and which areas of a mind changed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Area(Enum):
    """A part of a mind that a view may show."""

    FRAMES = "frames"
    SESSIONS = "sessions"
    IMPORTS = "imports"
    JOBS = "jobs"
    CHANGES = "changes"
    IDENTITY = "identity"
    AWARENESS = "awareness"
    AUDIT = "audit"
    WORKSPACES = "workspaces"
    USE = "use"


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of long work. `done` and `total` are in bytes for imports, else in items; total 0 = unknown."""

    job_id: int
    kind: str
    workspace: str
    phase: str
    done: int
    total: int
    items: int
    messages: int
    frames: int
    current: str
    finished: bool = False


@dataclass(frozen=True, slots=True)
class MindChanged:
    """Something in these areas of this mind is different now, whoever wrote it."""

    workspace: str
    areas: frozenset[Area]


Event = Progress | MindChanged
Listener = Callable[[Event], None]


class EventHub:
    """Calls every listener for every event, on the publishing thread. Listeners must return at once."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the returned call removes it again."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe

    def publish(self, event: Event) -> None:
        with self._lock:
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener(event)
