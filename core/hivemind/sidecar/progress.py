"""How far an import is, on stderr: one line that renews itself at a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable

from hivemind.events import Event, Progress
from hivemind.sidecar import output

_AT_TERMINAL = 0.1
_ELSEWHERE = 5.0


class ProgressLine:
    """A listener for the engine's events."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._renews = output.progress_is_seen()
        self._every = _AT_TERMINAL if self._renews else _ELSEWHERE
        self._last = clock()
        self._shown = False

    def hear(self, event: Event) -> None:
        if not isinstance(event, Progress) or event.finished:
            return
        now = self._clock()
        if now - self._last < self._every:
            return
        self._last = now
        self._shown = self._renews
        (output.progress if self._renews else output.note)(line_of(event))

    def end(self) -> None:
        """Take the line away, so that the answer stands alone."""
        if self._shown:
            output.progress("")
            self._shown = False


def line_of(event: Progress) -> str:
    """The progress in words."""
    share = f"{min(100, 100 * event.done // event.total)} %, " if event.total else ""
    return f"{share}{event.items:,} conversations, {event.messages:,} messages"
