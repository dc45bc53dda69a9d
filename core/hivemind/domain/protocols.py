"""The seams: what one floor asks of another without knowing who answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

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
