"""One conversation of any length: a window of blocks that slides along it, and a strip that shows the whole."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from hivemind.domain.sessions import OpenSession
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.layouts import clear_layout, column, row, scrolling
from hivemind_desktop.widgets.strip import Strip
from hivemind_desktop.widgets.words import fill

from .block import MessageBlock
from .thread import Entry, place_of, thread_of

#: Messages made around the one that was opened; as many are kept at most, twice over.
WINDOW = 24
#: Blocks made before the window may answer again, and at the end of a window that slides.
AT_ONCE, STEP = 3, 4
#: Heights of new blocks are settled by then, ms; later the person's own scrolling counts.
SETTLE_MS = 250


class ConversationView(QWidget):
    """`memory_asked`: a frame's id. `place_asked`: build around this entry. `strip_moved`: another place is seen."""

    memory_asked = Signal(int)
    place_asked = Signal(int)
    strip_moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._opened: OpenSession | None = None
        self._entries: list[Entry] = []
        self._opened_at: int | None = None
        self._opened_id: int | None = None
        self._first = self._end = 0
        self._anchor: tuple[MessageBlock, int] | None = None
        self._building = False
        self.blocks: list[MessageBlock] = []
        self._place = column(gap=2)
        content = QWidget()
        content.setLayout(column(self._place, None, gap=2, margins=(12, 8, 12, 8)))
        self._content = content
        self.area: QScrollArea = scrolling(content)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # the strip beside it scrolls
        self.strip = Strip()
        self.strip.asked.connect(self.go_to)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLE_MS)
        self._settling.timeout.connect(self._on_scroll)
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(lambda _low, _high: self._keep_anchor())
        bar.valueChanged.connect(lambda _value: self._on_scroll())
        self.setLayout(row((self.area, 1), self.strip, gap=0))

    # what is shown

    @property
    def count(self) -> int:
        return len(self._entries)

    @property
    def opened_at(self) -> int | None:
        """The place of the opened message, None when the beginning was opened."""
        return self._opened_at

    async def show_messages(self, opened: OpenSession, message_id: int | None) -> None:
        """Show the conversation, at this message or at its beginning."""
        self._opened, self._entries = opened, thread_of(opened)
        self._opened_at = place_of(self._entries, message_id)
        marked = {at for at, each in enumerate(self._entries) if each.message.id in opened.important}
        self.strip.show_messages(len(self._entries), frozenset(marked))
        self.strip.show_opened(-1 if self._opened_at is None else self._opened_at)
        self._opened_id = message_id
        first = max(0, (self._opened_at or 0) - WINDOW // 2)
        await self.show_range(first, first + WINDOW)
        if self._opened_at is None:
            self.area.verticalScrollBar().setValue(0)

    async def show_range(self, first: int, end: int, top: int | None = None) -> None:
        """Make the blocks from `first` to before `end`, a few at a time; `top` comes to the top of the view."""
        self._first = self._end = max(0, first)
        self._anchor = None
        clear_layout(self._place)
        self.blocks = []
        self._building = True
        try:
            await self._build(min(len(self._entries), end), self._opened_at if top is None else top, top is None)
        finally:
            self._building = False
        self._settle()
        self._on_scroll()

    async def _build(self, end: int, wanted: int | None, opened: bool) -> None:
        """Blocks up to `end`; the window ends where they end, so that a press in between finds it whole."""
        for place in range(self._first, end):
            block = self._make(place)
            self.blocks.append(block)
            self._end = place + 1
            self._place.addWidget(block)
            block.show()  # else the layout counts it from the next event on only
            if place == wanted:
                self._hold(block, self.height() // 5 if opened else 8)
            if len(self.blocks) % AT_ONCE == 0:
                await asyncio.sleep(0)

    def opened_block(self) -> MessageBlock | None:
        at = self._opened_at
        return self.blocks[at - self._first] if at is not None and self._first <= at < self._end else None

    def seen(self) -> tuple[int, int]:
        """The first and the last entry in sight."""
        top = self.area.verticalScrollBar().value()
        bottom = top + self.area.viewport().height()
        inside = [
            n for n, each in enumerate(self.blocks) if each.y() + each.height() > top + 12 and each.y() < bottom - 12
        ]
        return (self._first + inside[0], self._first + inside[-1]) if inside else (self._first, self._first)

    # moving

    def go_to(self, place: int) -> None:
        """Bring an entry to the top of the view."""
        if self._first <= place < self._end:
            self._hold(self.blocks[place - self._first], 8)
            self._settling.start()
            self._keep_anchor()
            self._on_scroll()
        else:
            self.place_asked.emit(place)

    async def show_at(self, place: int) -> None:
        """Build the window anew around an entry, which comes to the top."""
        first = max(0, place - WINDOW // 4)
        await self.show_range(first, first + WINDOW, top=place)

    def step(self, direction: int) -> None:
        """Open the next (1) or previous (-1) message that became a memory."""
        at = self.seen()[0] - (direction > 0) if self._opened_at is None else self._opened_at
        at += direction
        while 0 <= at < len(self._entries) and not self._entries[at].message.frame_ids:
            at += direction
        if not 0 <= at < len(self._entries):
            return
        before = self.opened_block()
        if before is not None:
            before.set_opened(False)
        self._opened_at = at
        self._opened_id = self._entries[at].message.id
        self.strip.show_opened(at)
        now = self.opened_block()
        if now is not None:
            now.set_opened(True)
        self.go_to(at)
        self.strip_moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._on_scroll()

    # inside

    def _make(self, place: int) -> MessageBlock:
        assert self._opened is not None
        words = fill(self.tr("%1 of %2"), number(place + 1), number(len(self._entries)))
        source = self._opened.session.source or ""
        block = MessageBlock(self._entries[place], source, words, self._opened_id, self._opened.marks)
        block.memory_asked.connect(self.memory_asked)
        block.fit(self.area.viewport().width())
        return block

    def _hold(self, block: MessageBlock, offset: int) -> None:
        """Texts get their height late: until then this block stays `offset` px below the top."""
        self._anchor = (block, offset)

    def _keep_anchor(self) -> None:
        if self._anchor is not None and self._settling.isActive():
            block, offset = self._anchor
            self.area.verticalScrollBar().setValue(block.y() - offset)

    def _on_scroll(self) -> None:
        if not self.blocks:
            return
        self.strip.show_seen(*self.seen())
        self.strip_moved.emit()
        if self._building or self._settling.isActive() or not self.isVisible():
            return
        bar, page = self.area.verticalScrollBar(), self.area.viewport().height()
        if self._end < len(self._entries) and bar.maximum() - bar.value() < page:
            self._slide(1)
        elif self._first > 0 and bar.value() < page:
            self._slide(-1)

    def _slide(self, direction: int) -> None:
        """Take blocks in at one end and let go of those far away at the other; what is in sight stays where it is."""
        kept = self.blocks[self.seen()[0] - self._first]
        self._hold(kept, kept.y() - self.area.verticalScrollBar().value())
        if direction > 0:
            for place in range(self._end, min(len(self._entries), self._end + STEP)):
                self.blocks.append(self._make(place))
                self._place.addWidget(self.blocks[-1])
                self.blocks[-1].show()
            self._end = self._first + len(self.blocks)
        else:
            for _ in range(min(STEP, self._first)):
                self._first -= 1
                self.blocks.insert(0, self._make(self._first))
                self._place.insertWidget(0, self.blocks[0])
                self.blocks[0].show()
        while len(self.blocks) > 2 * WINDOW:
            gone = self.blocks.pop(0 if direction > 0 else -1)
            self._first, self._end = (self._first + 1, self._end) if direction > 0 else (self._first, self._end - 1)
            self._place.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        self._settle()

    def _settle(self) -> None:
        """Lay out now, and again while texts still find their height."""
        self._settling.start()
        layout = self._content.layout()
        assert layout is not None
        layout.activate()
        self._keep_anchor()
