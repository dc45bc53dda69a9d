"""Bytes as a source, where no file is wanted: what a reader of a vendor's format gets in its tests."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class HeldSource:
    """A file of an export that exists in memory only."""

    data: bytes
    name: str = "conversations.json"
    modified: datetime | None = None

    @property
    def place(self) -> str:
        return self.name

    @property
    def size(self) -> int:
        return len(self.data)

    def open(self) -> io.BytesIO:
        return io.BytesIO(self.data)
