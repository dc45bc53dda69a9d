"""Where the bodies of one conversation wait for its end: in memory while it is small, else in a private file."""

from __future__ import annotations

import pickle
import tempfile
from contextlib import suppress
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import IO

from hivemind.domain.harvest import MessageRead

#: Characters of a conversation that may wait in memory.
SPOOL_MEMORY = 2_000_000
_PREFIX = "spool-"
_NAMES = tuple(field.name for field in fields(MessageRead))
_VALUES = attrgetter(*_NAMES)


def clear_spool(folder: Path) -> None:
    """Remove what a killed reader left. Files in use by another process are nameless already, or locked."""
    for file in folder.glob(f"{_PREFIX}*") if folder.is_dir() else ():
        with suppress(OSError):
            file.unlink()


class Spool:
    """Messages by number, in the order they were added. `folder` None: the system's folder for temporary files."""

    def __init__(self, folder: str | None, memory: int = SPOOL_MEMORY) -> None:
        self._folder = folder
        self._room = memory
        self._held: list[MessageRead] = []
        self._starts: list[int] = []
        self._file: IO[bytes] | None = None

    def __len__(self) -> int:
        return len(self._held) + len(self._starts)

    def add(self, message: MessageRead) -> None:
        """Raises OSError when the disk is full."""
        if self._file is not None:
            self._write(message)
            return
        self._held.append(message)
        self._room -= len(message.text) + len(message.spoken) + 200
        if self._room < 0:
            # The system's call makes a file for the owner only, nameless from the start where that is possible.
            self._file = tempfile.TemporaryFile(prefix=_PREFIX, dir=self._folder)  # noqa: SIM115
            for held in self._held:
                self._write(held)
            self._held = []

    def load(self, number: int) -> MessageRead:
        if self._file is None:
            return self._held[number]
        self._file.seek(self._starts[number])
        return MessageRead(*pickle.load(self._file))  # noqa: S301 - written by this object a moment ago

    def _write(self, message: MessageRead) -> None:
        assert self._file is not None
        self._starts.append(self._file.tell())
        pickle.dump(_VALUES(message), self._file, pickle.HIGHEST_PROTOCOL)

    def close(self) -> None:
        """Forget everything; the file is gone with it."""
        self._held, self._starts = [], []
        if self._file is not None:
            self._file.close()
            self._file = None
