"""Memories as a Qt list model: hits of a search or frames by id, paged; plain rows in, roles out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from hivemind.domain.frames import Frame, FrameType, Importance, Provenance
from hivemind.domain.search import Hit
from hivemind_desktop.widgets.figures import day, speaker_name, vendor
from hivemind_desktop.widgets.memory_row import LINE, MemoryLine
from hivemind_desktop.widgets.text_paint import MarkedText
from hivemind_desktop.widgets.words import one_line

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
#: Words shown before the first hit of a long text.
_LEAD = 40
_TITLE = 80


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One row: the frame's id, what is painted, and the hit when it was searched for."""

    frame_id: int
    line: MemoryLine
    hit: Hit | None = None


class MemoryModel(QAbstractListModel):
    """Rows in the order they were given. `more_wanted` asks for the next page when the view nears the end."""

    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: list[MemoryEntry] = []
        self._more = False

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == LINE:
            return entry.line
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.line.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return entry.line.spoken()
        return None

    def canFetchMore(self, parent: AnyIndex) -> bool:
        return self._more and not parent.isValid()

    def fetchMore(self, parent: AnyIndex) -> None:
        if self.canFetchMore(parent):
            self._more = False  # asked once; the answer says whether there is still more
            self.more_wanted.emit()

    def entry(self, row: int) -> MemoryEntry:
        return self._entries[row]

    def row_of(self, frame_id: int) -> int | None:
        return next((row for row, each in enumerate(self._entries) if each.frame_id == frame_id), None)

    def last_id(self) -> int | None:
        return self._entries[-1].frame_id if self._entries else None

    def replace(self, entries: Sequence[MemoryEntry], more: bool) -> None:
        """Show these rows instead. The view keeps its own place by `row_of`."""
        self.beginResetModel()
        self._entries, self._more = list(entries), more
        self.endResetModel()

    def append(self, entries: Sequence[MemoryEntry], more: bool) -> None:
        if entries:
            end = len(self._entries)
            self.beginInsertRows(QModelIndex(), end, end + len(entries) - 1)
            self._entries += entries
            self.endInsertRows()
        self._more = more


def entry_of_hit(hit: Hit) -> MemoryEntry:
    """A found frame: its text around the first matched word, the words marked."""
    title, body, offset = split_title(hit.text)
    spans = tuple((span.start - offset, span.end - span.start) for span in hit.spans if span.start >= offset)
    snippet = around_first(MarkedText(body, spans)) if spans else MarkedText(hit.text, _from_start(hit))
    place = " · ".join(
        filter(None, (vendor(hit.source_name) or origin_words(hit.frame), one_line(hit.session_title, 120)))
    )
    return MemoryEntry(hit.frame.id, _line(hit.frame, title, snippet, place), hit)


def _from_start(hit: Hit) -> tuple[tuple[int, int], ...]:
    """When the matched words are in the title only, the snippet begins with the title so that they are seen."""
    return tuple((span.start, span.end - span.start) for span in hit.spans)


def entry_of_frame(frame: Frame) -> MemoryEntry:
    """A frame from the plain list."""
    title, body, _ = split_title(frame.content)
    return MemoryEntry(frame.id, _line(frame, title, MarkedText(body), origin_words(frame)))


def split_title(text: str) -> tuple[str, str, int]:
    """Title, the rest, and where the rest begins in characters. A one-line text is both."""
    stripped = text.lstrip()
    lead = len(text) - len(stripped)
    first, newline, rest = stripped.partition("\n")
    if newline and len(first) <= _TITLE and rest.strip():
        return first.strip(), rest, lead + len(first) + 1
    return one_line(first, _TITLE), text, 0


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
