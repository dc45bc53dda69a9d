"""Markdown: notes, whole vaults of them, and talks written down in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hivemind.clock import Clock, system_clock
from hivemind.domain.harvest import Confidence, HarvestEvent, ItemSkipped, Peek
from hivemind.domain.protocols import HarvestSource
from hivemind.harvest.adapters.documents_lines import is_text
from hivemind.harvest.adapters.documents_reading import read_text

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd")
_DRAWING = re.compile(rb"excalidraw-plugin:|```compressed-json")


class MarkdownAdapter:
    """One file is one item: a conversation when people take turns in it, else a document."""

    name = "markdown"
    label = "Markdown"

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock = clock

    def sniff(self, peek: Peek) -> Confidence:
        """Nothing in a text says that it is Markdown, so here the name does; what is not text is not read."""
        named = peek.name.lower().endswith(SUFFIXES)
        return Confidence.LIKELY if named and is_text(peek.head) else Confidence.NO

    def read(self, source: HarvestSource) -> Iterator[HarvestEvent]:
        """Events of the one item. Raises SourceUnreadable."""
        with source.open() as stream:
            drawing = _DRAWING.search(stream.read(4096)) is not None
        if drawing:
            yield ItemSkipped(0, f"file:{source.place}", source.name, "a drawing, packed: it holds no text to read")
            return
        yield from read_text(source, self._clock(), headings=True)
