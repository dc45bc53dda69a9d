"""Known keys are blotted out of whatever leaves through logs: messages, arguments, tracebacks."""

from __future__ import annotations

import logging
import threading

BLOT = "[key]"
_SHORTEST = 8


class Redaction(logging.Filter):
    """A filter for log handlers that knows the keys in use. Shorter than 8 characters is no key."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: set[str] = set()
        self._lock = threading.Lock()

    def learn(self, key: str) -> None:
        """From now on this key is blotted out."""
        if len(key) >= _SHORTEST:
            with self._lock:
                self._keys.add(key)

    def watch_logs(self) -> None:
        """Stand in front of whatever prints log records in this process. Called once, by whoever starts the program."""
        for handler in (logging.lastResort, *logging.getLogger().handlers):
            if handler is not None:
                handler.addFilter(self)

    def cleaned(self, text: str) -> str:
        """The text without any known key."""
        with self._lock:
            keys = sorted(self._keys, key=len, reverse=True)
        for key in keys:
            text = text.replace(key, BLOT)
        return text

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record as one finished text, so that no argument or traceback escapes. Drops nothing."""
        record.msg = self.cleaned(record.getMessage())
        record.args = None
        if record.exc_info:
            record.exc_text = self.cleaned(logging.Formatter().formatException(record.exc_info))
            record.exc_info = None
        return True
