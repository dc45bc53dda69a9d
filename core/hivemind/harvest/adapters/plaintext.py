"""Plain text: notes, logs of chats (messengers, IRC, names with colons), in whatever encoding they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from hivemind.clock import Clock, system_clock
from hivemind.domain.harvest import Confidence, HarvestEvent, Peek
from hivemind.domain.protocols import HarvestSource
from hivemind.harvest.adapters.documents_lines import is_text
from hivemind.harvest.adapters.documents_reading import read_text

SUFFIXES = (".txt", ".text", ".log")
_JSON = re.compile(
    r'\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:["\[{\]]|(?:-?\d[\d.eE+-]*|true|false|null)\s*[,\]]\s*(?![\w<*]))|$)'
)
_MARKUP = re.compile(r"\s*<(?:!doctype|html|\?xml|svg)\b", re.IGNORECASE)


class PlainTextAdapter:
    """One file is one item: a conversation when people take turns in it, else a document."""

    name = "plaintext"
    label = "Plain text"

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock = clock

    def sniff(self, peek: Peek) -> Confidence:
        """By name, and never what is JSON or markup inside: that must not become a document in silence."""
        suffix = PurePosixPath(peek.name.lower()).suffix
        if suffix not in ("", *SUFFIXES) or not is_text(peek.head) or not peek.head:
            return Confidence.LIKELY if suffix in SUFFIXES and not peek.head else Confidence.NO
        text = peek.head[:4096].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe").decode("utf-8", "replace")
        if _JSON.match(text) or _MARKUP.match(text):
            return Confidence.NO
        return Confidence.LIKELY if suffix in SUFFIXES else Confidence.MAYBE

    def read(self, source: HarvestSource) -> Iterator[HarvestEvent]:
        """Events of the one item. Raises SourceUnreadable."""
        yield from read_text(source, self._clock(), headings=False)
