"""The seams: what one floor asks of another without knowing who answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from hivemind.domain.frames import Finding, FrameDraft
from hivemind.domain.harvest import Confidence, HarvestEvent, Peek

#: A check that sees the open transaction (a mind's reader view) and the draft. No network, no writing.
BeforeWrite = Callable[[FrameDraft, Any], list[Finding]]


class QueryEncoder(Protocol):
    """Encodes a query: pooled float32[1024], token vectors float32[n, 64], and the n pieces' ids."""

    def encode(self, text: str) -> tuple[Any, Any, list[int]]: ...


class HarvestSource(Protocol):
    """A source opened for reading: a file, or one member of an archive. Never extracted by name to disk."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def place(self) -> str:
        """Where it lies, to tell it apart from files of the same name elsewhere. Never opened by this."""

    @property
    def modified(self) -> datetime | None:
        """When it was last written, in UTC, as far as that is known."""

    def open(self) -> Any:
        """A binary stream from the beginning; the caller closes it."""


class HarvestAdapter(Protocol):
    """Understands one vendor's format."""

    @property
    def name(self) -> str: ...

    @property
    def label(self) -> str: ...

    def sniff(self, peek: Peek) -> Confidence: ...

    def read(self, source: HarvestSource) -> Iterator[HarvestEvent]: ...


@runtime_checkable
class CompanionAdapter(HarvestAdapter, Protocol):
    """An adapter whose conversations refer to other files of the same export."""

    def beside(self, parts: Sequence[HarvestSource]) -> HarvestAdapter:
        """A reader of the same format that may look into `parts`, all files of the export, while they are open."""
