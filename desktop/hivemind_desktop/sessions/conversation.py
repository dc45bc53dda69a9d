"""One conversation: blocks instead of bubbles, a honey line where memories were made, a slice at a time."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from hivemind.domain.sessions import Conversation, Message
from hivemind_desktop.theme import colors, paint_icon
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import moment, number, speaker_name
from hivemind_desktop.widgets.labels import ElidedLabel, Prose, label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, row, scrolling
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.words import fill, one_line

#: Messages shown around the one that was opened; more come on request.
WINDOW = 40
#: Blocks made before the window may answer again.
AT_ONCE = 6
#: Heights of new blocks are settled by then, ms; later the person's own scrolling counts.
SETTLE_MS = 250
#: Text of one message shown at most, characters; the rest is counted and can be copied.
LONGEST = 60_000
_SPEAKER = {"user": "user", "assistant": "bot"}


class MessageBlock(QWidget):
    """Who, when, what. Emits `memory_asked` with the id of the memory made of it."""

    memory_asked = Signal(int)

    def __init__(self, message: Message, source: str, number_words: str, opened: bool) -> None:
        super().__init__()
        self.message = message
        self._opened = opened
        facts = " · ".join(filter(None, (moment(message.sent_at), number_words)))
        name = speaker_name(message.speaker, message.role, source)
        head = row(label(name, "strong"), (ElidedLabel(facts, "caption", "faint"), 1), gap=8)
        self._text: Prose | None = None
        if message.kind == "speech" and not message.hidden:
            body: list[QWidget] = [self._prose()]
        else:
            body = [self._folded()]
        self._body = column(*body, gap=3)
        self._made: list[QWidget] = []
        if message.frame_ids:
            count = len(message.frame_ids)
            words = self.tr("Open the memory") if count == 1 else fill(self.tr("Open the first of %1 memories"), count)
            opener = Button(words, "link", on_click=lambda: self.memory_asked.emit(message.frame_ids[0]))
            self._made.append(box(row(Icon("layers", "honey_text", 14), opener, None, gap=7)))
        self.setLayout(column(head, self._body, *self._made, gap=3, margins=(54, 10, 20, 10)))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(". ".join(filter(None, (name, facts, self.tr("opened") if opened else ""))))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def _prose(self, mono: bool = False) -> Prose:
        text = self.message.text
        if len(text) > LONGEST:
            rest = fill(self.tr("%1 more characters are in the archive."), number(len(text) - LONGEST))
            text = f"{text[:LONGEST]}\n\n{rest}"
        shown = Prose(text, mono=mono)
        shown.setAccessibleName(self.tr("Message"))
        self._text = shown
        return shown

    def _folded(self) -> QWidget:
        """Tool output, code and hidden notes stay folded: long, and rarely the point."""
        first = one_line(self.message.text, 160)
        show = Button(self.tr("Show"), "link", "chevron-down", trailing=True, on_click=lambda: self._unfold(fold))
        words = label(self._kind_word(), "label")
        parts = row(
            Icon("terminal", "text_faint", 14),
            words,
            (ElidedLabel(first, "caption", "faint"), 1),
            show,
            gap=8,
            margins=(10, 3, 6, 3),
        )
        fold = box(parts, "well")
        return fold

    def _unfold(self, fold: QWidget) -> None:
        fold.hide()
        self._body.addWidget(self._prose(mono=True))

    def _kind_word(self) -> str:
        words = {
            "code": self.tr("Code"),
            "tool_call": self.tr("Call of a tool"),
            "tool_result": self.tr("Output of a tool"),
            "reasoning": self.tr("Reasoning"),
            "profile": self.tr("Profile"),
            "error": self.tr("Error"),
        }
        return words.get(self.message.kind, self.tr("Hidden message") if self.message.hidden else self.tr("Other"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter = colors(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if self._opened:
            painter.setBrush(QColor(c.honey_tint))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(6, 1, 0, -1), 8, 8)
        painter.setBrush(QColor(c.surface if self._opened else c.sunken))
        painter.drawEllipse(QRectF(20, 9, 24, 24))
        icon = _SPEAKER.get(self.message.role, "terminal")
        paint_icon(painter, icon, c.text_soft, QRectF(25.5, 14.5, 13, 13), 2)
        if self.message.frame_ids:
            painter.setBrush(QColor(c.honey_edge))
            painter.drawRoundedRect(QRectF(6, 8, 3, self.height() - 16), 1.5, 1.5)
        if self.hasFocus():
            painter.setPen(QPen(QColor(c.honey_edge), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(7, 2, -2, -2), 8, 8)


class ConversationView(QWidget):
    """Scrolls through the messages of one session."""

    memory_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._messages: tuple[Message, ...] = ()
        self._opened: int | None = None
        self._source = ""
        self._first = self._end = 0
        self.blocks: list[MessageBlock] = []
        self._earlier = Button(
            self.tr("Earlier messages"), "link", on_click=lambda: self._ask(self._first - WINDOW, self._end)
        )
        self._later = Button(
            self.tr("Later messages"), "link", on_click=lambda: self._ask(self._first, self._end + WINDOW)
        )
        self._place = column(gap=2)
        content = QWidget()
        content.setLayout(
            column(row(None, self._earlier, None), self._place, row(None, self._later, None), None,
                   gap=2, margins=(12, 8, 12, 8))
        )  # fmt: skip
        self.area: QScrollArea = scrolling(content)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLE_MS)
        self.area.verticalScrollBar().rangeChanged.connect(lambda _low, _high: self._show_opened())
        self.setLayout(column(self.area, gap=0))

    range_asked = Signal(int, int)

    async def show_messages(self, conversation: Conversation, message_id: int | None) -> None:
        """Show the conversation, at this message or at its beginning."""
        messages = self._messages = conversation.messages
        self._source, self._opened = conversation.session.source or "", message_id
        at = next((place for place, each in enumerate(messages) if each.id == message_id), 0)
        first = max(0, at - WINDOW // 2)
        await self.show_range(first, first + WINDOW)
        if message_id is None:
            self.area.verticalScrollBar().setValue(0)

    async def show_range(self, first: int, end: int) -> None:
        """Make the blocks from `first` to before `end`, a few at a time."""
        self._first, self._end = max(0, first), min(len(self._messages), end)
        clear_layout(self._place)
        self.blocks = []
        self._earlier.setVisible(self._first > 0)
        self._later.setVisible(self._end < len(self._messages))
        total = number(len(self._messages))
        for place in range(self._first, self._end):
            message = self._messages[place]
            words = fill(self.tr("%1 of %2"), number(place + 1), total)
            block = MessageBlock(message, self._source, words, message.id == self._opened)
            block.memory_asked.connect(self.memory_asked)
            self.blocks.append(block)
            self._place.addWidget(block)
            if len(self.blocks) % AT_ONCE == 0:
                await asyncio.sleep(0)
        self._settling.start()
        self._show_opened()

    def opened_block(self) -> MessageBlock | None:
        return next((each for each in self.blocks if each.message.id == self._opened), None)

    def _show_opened(self) -> None:
        """Bring the opened message to the upper part; texts get their height late, so this runs until they have it."""
        block = self.opened_block()
        if block is not None and self._settling.isActive():
            self.area.verticalScrollBar().setValue(block.y() - self.height() // 5)

    def _ask(self, first: int, end: int) -> None:
        self.range_asked.emit(first, end)
