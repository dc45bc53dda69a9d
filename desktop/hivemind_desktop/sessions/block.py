"""One message of a conversation: who, when, what, the memories made of it, and other answers folded below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QTextEdit, QWidget

from hivemind.domain.sessions import Mark, Message
from hivemind_desktop.theme import colors, paint_icon, theme
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import day, moment, number, speaker_name, vendor
from hivemind_desktop.widgets.labels import ElidedLabel, Prose, label
from hivemind_desktop.widgets.layouts import Item, box, column, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.words import fill, one_line

from .thread import Entry

#: Text of one message shown at most, characters; the rest is counted.
LONGEST = 60_000
_SPEAKER = {"user": "user", "assistant": "bot"}
#: Margins around a message's text, and of the column it stands in, px.
_LEFT, _RIGHT, _OUTSIDE = 54, 20, 24


class MessageBlock(QWidget):
    """Emits `memory_asked` with the id of the memory made of it."""

    memory_asked = Signal(int)

    def __init__(
        self, entry: Entry, source: str, number_words: str, opened_id: int | None, marks: Sequence[Mark] = ()
    ) -> None:
        super().__init__()
        self.entry, self.message = entry, entry.message
        self._source, self._marks = source, marks
        self._opened = self.message.id == opened_id
        self.texts: list[Prose] = []
        self.texts_by_id: dict[int, Prose] = {}
        self._texts = {each.id: each.text for each in (self.message, *(m for one in entry.others for m in one))}
        self._facts = " · ".join(filter(None, (moment(self.message.sent_at), number_words)))
        self._body = column(gap=3)
        self._fill_body(self._body, self.message)
        self._others = column(gap=4)
        self._above = self._part_head() if entry.part is not None else None
        above: list[Item] = [self._above, 8] if self._above is not None else []
        parts = (self._head(), self._body, *self._made(), self._others)
        self.setLayout(column(*above, *parts, gap=3, margins=(_LEFT, 10, _RIGHT, 10)))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._tell()
        theme().changed.connect(self._mark_words)
        self._mark_words()
        if any(each.id == opened_id for branch in entry.others for each in branch):
            self.show_others()

    @property
    def text(self) -> Prose | None:
        """The text, once it is not folded."""
        return self.texts_by_id.get(self.message.id)

    def set_opened(self, opened: bool) -> None:
        if opened != self._opened:
            self._opened = opened
            self._tell()
            self.update()

    def fit(self, width: int) -> None:
        """Take the height this block needs in a column of `width` px, before the layout has given it that width."""
        for each in self.texts:
            each.fit_width(max(40, width - _LEFT - _RIGHT - _OUTSIDE))

    def _tell(self) -> None:
        name = self._name(self.message)
        opened = self.tr("opened") if self._opened else ""
        self.setAccessibleName(". ".join(filter(None, (name, self._facts, opened))))

    def _name(self, message: Message) -> str:
        return speaker_name(message.speaker, message.role, self._source)

    # parts

    def _part_head(self) -> QWidget:
        part = self.entry.part
        assert part is not None
        title = one_line(part.title) or self.tr("Without a title")
        facts = " · ".join(filter(None, (vendor(part.source or ""), day(part.started_at))))
        sign = Icon("messages-square", "text_soft", 14)
        shown = row(sign, (ElidedLabel(title, "strong"), 1), label(facts, "caption", "faint"), gap=8)
        shown.setContentsMargins(10, 5, 10, 5)
        return box(shown, "well")

    def _head(self) -> QBoxLayout:
        name = label(self._name(self.message), "strong")
        parts: list[QWidget] = []
        if self.entry.others:
            count = len(self.entry.others)
            words = self.tr("1 other answer") if count == 1 else fill(self.tr("%1 other answers"), number(count))
            self.fork = Button(words, "link", "chevron-down", trailing=True, on_click=self._toggle_others)
            parts.append(self.fork)
        return row(name, (ElidedLabel(self._facts, "caption", "faint"), 1), *parts, gap=8)

    def _made(self) -> list[QBoxLayout]:
        frames = self.message.frame_ids
        if not frames:
            return []
        count = len(frames)
        words = self.tr("Open the memory") if count == 1 else fill(self.tr("Open the first of %1 memories"), count)
        opener = Button(words, "link", on_click=lambda: self.memory_asked.emit(frames[0]))
        return [row(Icon("layers", "honey_text", 14), opener, None, gap=7)]

    def _fill_body(self, place: QBoxLayout, message: Message) -> None:
        if message.kind == "speech" and not message.hidden:
            place.addWidget(self._prose(message))
        else:
            place.addWidget(self._folded(place, message))

    def _prose(self, message: Message, mono: bool = False) -> Prose:
        text = message.text
        if len(text) > LONGEST:
            rest = fill(self.tr("%1 more characters are in the archive."), number(len(text) - LONGEST))
            text = f"{text[:LONGEST]}\n\n{rest}"
        shown = Prose(text, mono=mono)
        shown.setAccessibleName(self.tr("Message"))
        self.texts.append(shown)
        self.texts_by_id[message.id] = shown
        return shown

    def _folded(self, place: QBoxLayout, message: Message) -> QWidget:
        """Tool output, code and hidden notes stay folded: long, and rarely the point."""
        kind = self._kind_word(message)
        show = Button(self.tr("Show"), "link", "chevron-down", trailing=True)
        show.setAccessibleName(fill(self.tr("Show: %1"), kind))
        first = (ElidedLabel(one_line(message.text, 160), "caption", "faint"), 1)
        parts = row(Icon("terminal", "text_faint", 14), label(kind, "label"), first, show, gap=8, margins=(10, 3, 6, 3))
        fold = box(parts, "well")

        def unfold() -> None:
            fold.hide()
            place.addWidget(self._prose(message, mono=True))

        show.clicked.connect(lambda _checked=False: unfold())
        return fold

    def _kind_word(self, message: Message) -> str:
        words = {
            "code": self.tr("Code"),
            "tool_call": self.tr("Call of a tool"),
            "tool_result": self.tr("Output of a tool"),
            "reasoning": self.tr("Reasoning"),
            "profile": self.tr("Profile"),
            "error": self.tr("Error"),
        }
        return words.get(message.kind, self.tr("Hidden message") if message.hidden else self.tr("Other"))

    # other answers

    def _toggle_others(self) -> None:
        if self._others.count():
            while (item := self._others.takeAt(0)) is not None:
                shown = item.widget()
                if shown is not None:
                    shown.hide()
                    shown.deleteLater()
            for branch in self.entry.others:
                for each in branch:
                    gone = self.texts_by_id.pop(each.id, None)
                    if gone is not None:
                        self.texts.remove(gone)
            self.fork.set_icon("chevron-down")
        else:
            self.show_others()

    def show_others(self) -> None:
        """Unfold the branches that answer the same message."""
        self.fork.set_icon("x")
        for count, branch in enumerate(self.entry.others, 1):
            inner = column(gap=3, margins=(12, 8, 12, 8))
            inner.addWidget(label(fill(self.tr("Other answer %1"), number(count)), "caption", "faint"))
            for each in branch:
                inner.addWidget(label(self._name(each), "label"))
                self._fill_body(inner, each)
            self._others.addWidget(box(inner, "well"))
        self._mark_words()

    # looks

    def _mark_words(self) -> None:
        """The words that became the memory, on the colour of hits; the ink stays as it is."""
        for mark in self._marks:
            prose = self.texts_by_id.get(mark.message_id)
            if prose is not None:
                prose.setExtraSelections([_selection(prose, self._texts[mark.message_id], mark)])

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter = colors(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        top = self._above.y() + self._above.height() + 4 if self._above is not None else 0
        ground = QRectF(self.rect()).adjusted(6, top + 1, 0, -1)
        if self._opened:
            painter.setBrush(QColor(c.honey_tint))
            painter.drawRoundedRect(ground, 8, 8)
        painter.setBrush(QColor(c.surface if self._opened else c.sunken))
        painter.drawEllipse(QRectF(20, top + 9, 24, 24))
        icon = _SPEAKER.get(self.message.role, "terminal")
        paint_icon(painter, icon, c.text_soft, QRectF(25.5, top + 14.5, 13, 13), 2)
        if self.message.frame_ids:
            painter.setBrush(QColor(c.honey_edge))
            painter.drawRoundedRect(QRectF(6, top + 8, 3, self.height() - top - 16), 1.5, 1.5)
        if self.hasFocus():
            painter.setPen(QPen(QColor(c.honey_edge), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground.adjusted(1, 1, -2, -1), 8, 8)


def _selection(prose: Prose, text: str, mark: Mark) -> QTextEdit.ExtraSelection:
    found = QTextEdit.ExtraSelection()
    last = prose.document().characterCount() - 1
    cursor = QTextCursor(prose.document())
    cursor.setPosition(min(last, _units(text, mark.start)))
    cursor.setPosition(min(last, _units(text, mark.end)), QTextCursor.MoveMode.KeepAnchor)
    ground = QTextCharFormat()
    ground.setBackground(QColor(colors().hit))
    found.cursor, found.format = cursor, ground
    return found


def _units(text: str, place: int) -> int:
    """A place in a text as its document counts: lines end in one character, others are units of UTF-16."""
    return len(text[:place].replace("\r\n", "\n").encode("utf-16-le", "surrogatepass")) // 2
