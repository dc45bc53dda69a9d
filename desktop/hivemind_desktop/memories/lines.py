"""Rows of the list in words: titles, snippets around the hit, origin, importance. Plain rows in, painted lines out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from hivemind.domain.frames import Frame, FrameType, Importance, ListedFrame, Provenance
from hivemind.domain.search import Hit
from hivemind_desktop.widgets.figures import day, speaker_name, vendor
from hivemind_desktop.widgets.memory_row import MemoryLine
from hivemind_desktop.widgets.text_paint import MarkedText
from hivemind_desktop.widgets.words import one_line

#: Words shown before the first hit of a long text.
_LEAD = 40
_TITLE = 80
#: As much of a text as a row can ever show, characters: a page of long documents stays small.
_SHOWN = 600


#: Signs of Markdown that a list does not draw: bold, code, headings, quotes, and where a link leads.
_SIGNS = re.compile(
    r"(?<!\w)\*{2,3}(?=\S)|(?<=\S)\*{2,3}(?!\w)|`+|^#{1,6}[ \t]+|^>[ \t]?"
    r"|\[(?=[^\]\n]+\]\(\w+:)|(?<=\S)\]\(\w+:[^)\s]*\)",
    re.M,
)


class NeighbourLike(Protocol):
    """A memory and how near it is, as the engine's reading gives it."""

    @property
    def listed(self) -> ListedFrame: ...
    @property
    def similarity(self) -> float: ...


class SimilarLike(Protocol):
    @property
    def frames(self) -> Sequence[NeighbourLike]: ...
    @property
    def reason(self) -> str: ...


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One row: the frame's id, what is painted, and the hit when it was searched for."""

    frame_id: int
    line: MemoryLine
    hit: Hit | None = None


def entry_of_hit(hit: Hit) -> MemoryEntry:
    """A found frame: its text around the first matched word, the words marked."""
    title, body, offset = split_title(hit.text)
    spans = tuple((span.start - offset, span.end - span.start) for span in hit.spans if span.start >= offset)
    snippet = unsigned(around_first(MarkedText(body, spans)) if spans else MarkedText(hit.text, _from_start(hit)))
    place = " · ".join(
        filter(None, (vendor(hit.source_name) or origin_words(hit.frame), one_line(hit.session_title, 120)))
    )
    return MemoryEntry(hit.frame.id, _line(hit.frame, title, snippet, place), hit)


def _from_start(hit: Hit) -> tuple[tuple[int, int], ...]:
    """When the matched words are in the title only, the snippet begins with the title so that they are seen."""
    return tuple((span.start, span.end - span.start) for span in hit.spans)


def entry_of_frame(frame: Frame, session_title: str = "", source: str = "") -> MemoryEntry:
    """A frame from the plain list."""
    title, body, _ = split_title(frame.content[: _SHOWN * 2])
    place = " · ".join(filter(None, (vendor(source) or origin_words(frame), one_line(session_title, 120))))
    return MemoryEntry(frame.id, _line(frame, title, unsigned(MarkedText(body)), place))


def entry_of_listed(listed: ListedFrame) -> MemoryEntry:
    return entry_of_frame(listed.frame, listed.session_title, listed.source_name)


def split_title(text: str) -> tuple[str, str, int]:
    """Title, the rest, and where the rest begins in characters. A one-line text is both."""
    stripped = text.lstrip()
    lead = len(text) - len(stripped)
    first, newline, rest = stripped.partition("\n")
    if newline and len(first) <= _TITLE and rest.strip():
        return without_marks(first), rest, lead + len(first) + 1
    return one_line(without_marks(first), _TITLE), text, 0


def without_marks(line: str) -> str:
    """A heading's words without the signs that make it one in Markdown."""
    return _SIGNS.sub("", line.strip()).lstrip("#").strip() or line.strip()


def unsigned(marked: MarkedText) -> MarkedText:
    """As much as a row can show, without the signs of Markdown; the hits stay on their words."""
    text = marked.text[: _SHOWN * 2]
    cuts = [match.span() for match in _SIGNS.finditer(text)]

    def moved(place: int) -> int:
        return place - sum(min(end, place) - start for start, end in cuts if start < place)

    hits = [(moved(start), moved(start + size)) for start, size in marked.hits if start + size <= len(text)]
    return MarkedText(_SIGNS.sub("", text)[:_SHOWN], tuple((start, end - start) for start, end in hits if end > start))


def around_first(marked: MarkedText) -> MarkedText:
    """Cut the beginning so that the first hit stands in the first line."""
    first = marked.hits[0][0]
    if first <= 2 * _LEAD:
        return marked
    cut = marked.text.rfind(" ", 0, first - _LEAD) + 1 or first - _LEAD
    return MarkedText("… " + marked.text[cut:], tuple((start - cut + 2, size) for start, size in marked.hits))


def _line(frame: Frame, title: str, snippet: MarkedText, place: str) -> MemoryLine:
    note, icon = "", ""
    if frame.trashed_at is not None:
        note, icon = QCoreApplication.translate("MemoryModel", "In the trash"), "trash-2"
    elif frame.quarantine:
        note, icon = QCoreApplication.translate("MemoryModel", "Quarantined"), "shield-alert"
    return MemoryLine(
        title=title or QCoreApplication.translate("MemoryModel", "Without text"),
        snippet=snippet,
        place=place,
        when=day(frame.event_at or frame.created_at),
        importance=frame.importance.value,
        importance_word=importance_word(frame.importance),
        note=note,
        note_icon=icon,
        note_tone="neutral" if frame.trashed_at is not None else "warn",
    )


def importance_word(importance: Importance) -> str:
    translate = QCoreApplication.translate
    return {
        Importance.CRITICAL: translate("MemoryModel", "Critical"),
        Importance.IMPORTANT: translate("MemoryModel", "Important"),
        Importance.NORMAL: translate("MemoryModel", "Normal"),
        Importance.TEMPORARY: translate("MemoryModel", "Temporary"),
        Importance.DEPRECATED: translate("MemoryModel", "Set aside"),
    }[importance]


def origin_words(frame: Frame, source: str = "") -> str:
    """Who said it or vouches for it, in words. `source`: vendor of its session, when known."""
    translate = QCoreApplication.translate
    if frame.type is FrameType.B:
        return translate("MemoryModel", "Link between memories")
    if frame.source is Provenance.IMPORT:
        return speaker_name(frame.speaker, frame.role, source) or translate("MemoryModel", "From an import")
    return {
        Provenance.USER_STATED: translate("MemoryModel", "You said this"),
        Provenance.TOOL_VERIFIED: translate("MemoryModel", "Checked by a tool"),
        Provenance.AGENT_INFERRED: translate("MemoryModel", "Concluded by an AI"),
        Provenance.SYSTEM: translate("MemoryModel", "Made by Hive-Mind"),
    }[frame.source]
