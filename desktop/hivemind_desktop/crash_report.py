"""What happens when Hive-Mind makes a mistake: a local file with type and place of the fault, never a person's text.

Nothing is sent. The message of an exception is left out, because it may quote a memory; so are source lines and values.
"""

from __future__ import annotations

import contextlib
import faulthandler
import platform
import sys
import threading
import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

import PySide6

from hivemind.errors import Cancelled, WorldFault
from hivemind.paths import app_version

FOLDER = "crashes"
#: Reports that are kept; the oldest go.
KEPT = 20
#: What Python writes when the process itself dies (a fault in a library); looked at at the next start.
HARD = "last-breath.txt"
SEEN = "seen"


class CrashReports:
    """The reports of one data folder. `install` catches what nobody else caught, on every thread."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / FOLDER
        self._told: set[str] = set()
        self._hard: TextIO | None = None
        self._lock = threading.Lock()

    # writing

    def write(self, error: BaseException, where: str = "") -> Path | None:
        """Write a report. None for what is no mistake of ours, was told before, or cannot be written."""
        if isinstance(error, (WorldFault, Cancelled)) or not isinstance(error, Exception):
            return None
        body = f"{where or threading.current_thread().name}\n{described(error)}"
        with self._lock:
            if body in self._told:
                return None
            self._told.add(body)
            return self._keep(body)

    def _keep(self, body: str) -> Path | None:
        now = datetime.now(UTC)
        file = self.folder / f"crash {now.strftime('%Y-%m-%dT%H%M%S.%fZ')}.txt"
        text = f"Hive-Mind {app_version()}, {now.strftime('%Y-%m-%dT%H:%M:%SZ')}\n{system()}\nin {body}\n"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
            file.chmod(0o600)
            for old in self._reports()[:-KEPT]:
                old.unlink(missing_ok=True)
        except OSError:
            return None
        return file

    # catching

    def install(self) -> None:
        """From now on, whatever nobody catches is written down, and Python's own account of a dying process too."""
        self._rescue_hard()
        sys.excepthook = self._on_uncaught
        threading.excepthook = self._on_thread
        sys.unraisablehook = self._on_unraisable
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._hard = (self.folder / HARD).open("w", encoding="utf-8")
            faulthandler.enable(self._hard, all_threads=True)

    def remove(self) -> None:
        """Put everything back as Python has it."""
        sys.excepthook, threading.excepthook = sys.__excepthook__, threading.__excepthook__
        sys.unraisablehook = sys.__unraisablehook__
        if self._hard is not None:
            faulthandler.disable()
            self._hard.close()
            self._hard = None
            with contextlib.suppress(OSError):
                if not (self.folder / HARD).stat().st_size:
                    (self.folder / HARD).unlink()

    def _on_uncaught(self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            return
        self.write(error)

    def _on_thread(self, told: threading.ExceptHookArgs) -> None:
        if told.exc_value is not None:
            self.write(told.exc_value, told.thread.name if told.thread is not None else "")

    def _on_unraisable(self, told: sys.UnraisableHookArgs) -> None:
        if told.exc_value is not None:
            self.write(told.exc_value, "clean-up")

    def on_loop(self, _loop: object, context: dict[str, Any]) -> None:
        """Exception handler of an asyncio loop."""
        error = context.get("exception")
        if isinstance(error, BaseException):
            self.write(error, "event loop")

    # looking

    def unseen(self) -> list[Path]:
        """Reports that nobody has been told of yet, oldest first."""
        with contextlib.suppress(OSError):
            seen = (self.folder / SEEN).read_text("utf-8")
            return [file for file in self._reports() if file.name > seen]
        return self._reports()

    def mark_seen(self) -> None:
        found = self._reports()
        if found:
            with contextlib.suppress(OSError):
                (self.folder / SEEN).write_text(found[-1].name, "utf-8")

    def _reports(self) -> list[Path]:
        try:
            return sorted(self.folder.glob("crash *.txt"))
        except OSError:
            return []

    def _rescue_hard(self) -> None:
        """What the process before this one wrote while it died becomes a report like the others."""
        file = self.folder / HARD
        with contextlib.suppress(OSError):
            text = file.read_text("utf-8", "replace")
            if text.strip():
                self._keep(f"a library, the process ended\n{text}")
            file.unlink()


def described(error: BaseException) -> str:
    """Types and places of an exception and its causes, innermost call last. No message, no source line, no value."""
    lines: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        lines.append(f"{type(current).__module__}.{type(current).__qualname__}")
        for frame in traceback.extract_tb(current.__traceback__):
            place = "/".join(Path(frame.filename).parts[-3:])
            lines.append(f"  {place}:{frame.lineno} {frame.name}")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
        if current is not None:
            lines.append("because of")
    return "\n".join(lines)


def system() -> str:
    """Versions and the kind of system, no names."""
    return f"Python {platform.python_version()}, Qt for Python {PySide6.__version__}, {platform.platform(terse=True)}"
