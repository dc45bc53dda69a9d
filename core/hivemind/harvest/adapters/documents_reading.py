"""The two readings of a text file that is a note or a talk: one to know what it is, one for what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import chain

from hivemind.domain.harvest import HarvestEvent, ItemEnded, ItemSkipped, ItemStarted, MessageRead, SourceProgress
from hivemind.domain.protocols import HarvestSource
from hivemind.harvest.adapters.documents_blocks import (
    Block,
    DocumentFacts,
    block_message,
    blocks_of,
    document_events,
)
from hivemind.harvest.adapters.documents_lines import Encoding, Line, TextLines, encoding_of
from hivemind.harvest.adapters.documents_times import Dated, file_date
from hivemind.harvest.adapters.documents_transcripts import Transcript, find_transcript, turns
from hivemind.harvest.adapters.markdown_front import Front, split_front, title_from


def read_text(source: HarvestSource, now: datetime, *, headings: bool) -> Iterator[HarvestEvent]:
    """One file as one item: a conversation where people take turns, else a document. `headings`: it is Markdown.

    Raises SourceUnreadable.
    """
    encoding = encoding_of(source)
    front, body = split_front(TextLines(source, encoding))
    talk, heading = find_transcript(body)
    date = front.date(now) or file_date(source, now)
    title = title_from(front, heading if headings or talk is not None else "", source.name)
    if talk is not None:
        yield from _conversation(source, encoding, talk, title, date, now)
        return
    lasting = front.lasting_id()
    item_id = f"id:{lasting}" if lasting else f"file:{source.place}"
    facts = DocumentFacts(item_id, title, date, not lasting, front.captions())
    _, text = split_front(TextLines(source, encoding))
    head = _head(front, date)
    yield from document_events(facts, blocks_of(text, headings=headings), source.size, head)


def _head(front: Front, date: Dated) -> MessageRead | None:
    """The front matter as it stands; a memory only when it says more than the title, dates and tags."""
    if not front.lines:
        return None
    text = "\n".join(line.text for line in front.lines)
    head = block_message(Block(text, (), any(line.repaired for line in front.lines)), date)
    return head if front.told else replace(head, kind="other", spoken="")


def _conversation(
    source: HarvestSource, encoding: Encoding, talk: Transcript, title: str, date: Dated, now: datetime
) -> Iterator[HarvestEvent]:
    yield ItemStarted(0)
    lines = TextLines(source, encoding)
    item_id = f"talk:{source.place}"
    found = False
    for message in _messages(lines, talk, date, now):
        found = True
        yield message
        yield SourceProgress(min(lines.bytes_read, source.size), source.size)
    if found:
        yield ItemEnded(0, item_id, title, date.stamp, date.stamp, None, named_by_place=True)
    else:
        yield ItemSkipped(0, item_id, title, "empty")
    yield SourceProgress(source.size, source.size)


def _messages(lines: Iterable[Line], talk: Transcript, date: Dated, now: datetime) -> Iterator[MessageRead]:
    front, body = split_front(lines)
    head = _head(front, date._replace(stamp=None) if talk.timed else date)
    yield from chain([head] if head is not None else [], turns(body, talk, date, now))
