"""A document cut into the blocks that the archive keeps, so that an edit of the file touches few of them."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hivemind.domain.harvest import HarvestEvent, ItemEnded, ItemSkipped, ItemStarted, MessageRead, SourceProgress
from hivemind.harvest.adapters.documents_lines import Line
from hivemind.harvest.adapters.documents_times import Dated

#: Characters at which a block may end, and at which it must.
BLOCK_FROM = 600
BLOCK_CAP = 2_400
HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MAX_HEADING = 120


class Block(NamedTuple):
    """Consecutive lines of a document, verbatim. `path`: the headings it stands under that are not in it."""

    text: str
    path: tuple[str, ...]
    repaired: bool


class DocumentFacts(NamedTuple):
    """What is known of a document beside its text. `named_by_place`: see ItemEnded."""

    item_id: str
    title: str
    date: Dated
    named_by_place: bool
    captions: str = ""


class _Cutter:
    """Gathers lines; a block ends before a heading, and behind a paragraph that the text itself chooses.

    A border depends on the paragraph before it alone, not on a count from the beginning: a sentence put in at the top
    leaves all other blocks as they were, with their memories.
    """

    def __init__(self, *, headings: bool) -> None:
        self._headings = headings
        self._path: list[tuple[int, str]] = []
        self._over: tuple[str, ...] = ()
        self._lines: list[str] = []
        self._size = 0
        self._said = False
        self._repaired = False
        self._fence = ""

    def feed(self, line: Line) -> Iterator[Block]:
        heading = None if line.continued or self._fence or not self._headings else HEADING.fullmatch(line.text)
        if not line.text.strip() and not line.continued:
            yield from self._paragraph_ends()
        elif heading is not None:
            if self._said:
                yield from self.end()
            self._enter(len(heading[1]), heading[2])
        else:
            self._said = True
            self._follow_fence(line)
        if not self._lines:
            # The headings above; the block's own are in its text.
            self._over = tuple(name for _, name in (self._path[:-1] if heading is not None else self._path))
        self._add(line)
        if self._size >= BLOCK_CAP:
            yield from self.end()

    def _add(self, line: Line) -> None:
        if line.continued and self._lines:
            self._lines[-1] += line.text
        else:
            self._lines.append(line.text)
        self._size += len(line.text) + 1
        self._repaired = self._repaired or line.repaired

    def _paragraph_ends(self) -> Iterator[Block]:
        last = next((text for text in reversed(self._lines) if text.strip()), "")
        chosen = zlib.crc32(last.encode("utf-8", "replace")) & 3 == 0
        if self._size >= BLOCK_FROM and chosen and not self._fence:
            yield from self.end()

    def _enter(self, level: int, name: str) -> None:
        self._path = [(depth, above) for depth, above in self._path if depth < level]
        self._path.append((level, name[:_MAX_HEADING]))

    def _follow_fence(self, line: Line) -> None:
        found = None if line.continued else _FENCE.match(line.text)
        if found is None:
            return
        if not self._fence:
            self._fence = found[1]
        elif found[1].startswith(self._fence) and not line.text.strip(" `~"):
            self._fence = ""

    def end(self) -> Iterator[Block]:
        """What is gathered, as a block; white lines at its edges are dropped."""
        lines = self._lines
        while lines and not lines[-1].strip():
            lines.pop()
        first = next((at for at, text in enumerate(lines) if text.strip()), len(lines))
        if lines[first:]:
            yield Block("\n".join(lines[first:]), self._over, self._repaired)
        self._lines, self._size, self._said, self._repaired = [], 0, False, False


def blocks_of(lines: Iterable[Line], *, headings: bool) -> Iterator[Block]:
    """Blocks that hold every line that is not white, once, in order. `headings`: Markdown's are borders."""
    cutter = _Cutter(headings=headings)
    for line in lines:
        yield from cutter.feed(line)
    yield from cutter.end()


def block_message(block: Block, date: Dated, captions: str = "") -> MessageRead:
    """A block as a message of the document's session. Its id is its content: the same block is found again."""
    path = " > ".join(block.path)
    digest = hashlib.sha256(repr((path, block.text)).encode("utf-8", "replace")).hexdigest()[:32]
    return MessageRead(
        ordinal=0,
        ext_id=digest,
        parent_ext_id=None,
        role="document",
        speaker="",
        sent_at=date.stamp,
        sent_at_original=date.original,
        kind="speech",
        hidden=False,
        text=block.text,
        spoken=block.text,
        captions=", ".join(filter(None, (path, captions))),
        repaired=block.repaired,
    )


def document_events(
    facts: DocumentFacts, blocks: Iterable[Block], size: int, head: MessageRead | None = None
) -> Iterator[HarvestEvent]:
    """One document from its blocks; without any it is skipped as empty. `size`: bytes of the file.

    `head`: what stands before the text, archived with it.
    """
    found = False
    yield ItemStarted(0)
    if head is not None:
        yield head
    for block in blocks:
        yield block_message(block, facts.date, "" if found else facts.captions)
        found = True
    if not found and head is None:
        yield ItemSkipped(0, facts.item_id, facts.title, "empty")
    else:
        yield ItemEnded(
            0, facts.item_id, facts.title, facts.date.stamp, facts.date.stamp, None,
            document=True, named_by_place=facts.named_by_place, dated_by=facts.date.source,
        )  # fmt: skip
    yield SourceProgress(size, size)
