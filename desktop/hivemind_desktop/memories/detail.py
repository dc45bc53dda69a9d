"""One memory in full: what it says, where it comes from, how it changed, and its tools."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from hivemind.domain.frames import Frame, FrameDetail, Importance, PatchKind
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.diff import DiffLine, DiffView
from hivemind_desktop.widgets.figures import moment, vendor
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, row, scrolling
from hivemind_desktop.widgets.markdown_text import as_written
from hivemind_desktop.widgets.marks import Badge, BadgeTone, Icon
from hivemind_desktop.widgets.safe_browser import SafeBrowser
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.timeline import Step
from hivemind_desktop.widgets.words import fill, one_line

from .beside import Beside
from .editor import MemoryEditor
from .history import changed_lines
from .lines import importance_word, origin_words, without_marks
from .versions import VersionSlider

#: Texts longer than this have their title above them, characters.
TITLE_FROM = 240
_SIGN = {Importance.CRITICAL: "star", Importance.IMPORTANT: "flag", Importance.TEMPORARY: "hourglass"}


class MemoryView(QWidget):
    """The memory as read. Emits `requested` with an action's id, `menu_asked` with a place on the screen."""

    requested = Signal(str)
    menu_asked = Signal(QPoint)
    version_asked = Signal(int)  # number of a step of the history
    memory_asked = Signal(int)  # frame id

    def __init__(self) -> None:
        super().__init__()
        self._badges = row(gap=4)
        self._edit = self._tool("pencil", self.tr("Edit (E)"), "memory.edit")
        self._pin = self._tool("pin", self.tr("Pin (P)"), "memory.pin")
        self._copy = self._tool("copy", self.tr("Copy for an AI (Ctrl+Shift+C)"), "memory.copy_ai")
        self._more = Button("", "quiet", "ellipsis", tip=self.tr("More actions"), on_click=self._open_menu)
        self._title = label("", "title", wrap=True)
        self._place = ElidedLabel("", "label")
        self._facts = ElidedLabel("", "caption", "faint")
        self._message = Button(self.tr("Open message"), "link", on_click=lambda: self.requested.emit("memory.message"))
        words = box(column(self._place, self._facts, gap=0))
        self._origin = box(
            row(Icon("messages-square", "text_faint", 15), (words, 1), self._message, gap=10, margins=(12, 8, 8, 8)),
            "well",
        )
        self._notes = column(gap=6)
        self.text = SafeBrowser()
        self.text.setAccessibleName(self.tr("Text of the memory"))
        # What was shown beside the words is searched too, so a hit may stand here alone.
        self._captions = label("", "label", "faint", wrap=True)
        self._steps = column(gap=0)
        self.versions = VersionSlider()
        self.versions.moved.connect(self.version_asked)
        self.beside = Beside()
        self.beside.asked.connect(self.memory_asked)
        self.text.asked.connect(self._follow_place)
        tools = row(self._badges, None, self._edit, self._pin, self._copy, self._more, gap=4)
        content = QWidget()
        content.setLayout(
            column(
                tools,
                2,
                self._title,
                self._origin,
                self._notes,
                self.versions,
                4,
                self.text,
                self._captions,
                8,
                label(self.tr("History"), "heading"),
                2,
                self._steps,
                self.beside,
                None,
                gap=6,
                margins=(20, 8, 20, 8),
            )
        )
        self.setLayout(column(scrolling(content), gap=0))

    def show_detail(self, detail: FrameDetail, html: str | None = None, *, tall: bool = True) -> None:
        """`html`: the text, or its first piece, as `render_markdown` made it; None shows the text as written."""
        frame = detail.frame
        self._show_badges(detail)
        self._pin.setToolTip(self.tr("Unpin (P)") if frame.pinned else self.tr("Pin (P)"))
        self._pin.setAccessibleName(self.tr("Unpin") if frame.pinned else self.tr("Pin"))
        trashed = frame.trashed_at is not None
        self._edit.setEnabled(not trashed)
        title = one_line(without_marks(detail.title)) or self.tr("Without text")
        self._title.setText(title)
        # A short text is its own title; a long one is easier to find one's way in with a heading.
        self._title.setVisible(len(detail.text) > TITLE_FROM)
        self._place.set_full_text(one_line(detail.session_title) or self.tr("Without a title"))
        self._facts.set_full_text(self._origin_facts(detail))
        self._message.setVisible(detail.messages_in_session > 0)
        at_message = detail.message_id is not None
        self._message.set_words(self.tr("Open message") if at_message else self.tr("Open conversation"))
        self._show_notes(detail)
        self.text.show_html(as_written(detail.text) if html is None else html, tall=tall)
        self.versions.show_history(detail.history)
        captions = one_line(detail.frame.captions or "", 400)
        self._captions.setText(fill(self.tr("Attached: %1"), captions))
        self._captions.setVisible(bool(captions))
        self._show_history(detail)

    def _tool(self, icon: str, tip: str, action_id: str) -> Button:
        return Button("", "quiet", icon, tip=tip, on_click=lambda: self.requested.emit(action_id))

    def _open_menu(self) -> None:
        self.menu_asked.emit(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def _follow_place(self, place: str) -> None:
        """`mind:frame/12` leads to another memory; no other place is known here."""
        kind, _, number = place.removeprefix("mind:").strip("/").partition("/")
        if kind == "frame" and number.isdecimal():
            self.memory_asked.emit(int(number))

    def _show_badges(self, detail: FrameDetail) -> None:
        clear_layout(self._badges)
        frame = detail.frame
        if frame.importance is not Importance.NORMAL:
            tone: BadgeTone = "honey" if frame.importance is Importance.CRITICAL else "neutral"
            sign = _SIGN.get(frame.importance, "circle-dashed")
            self._badges.addWidget(Badge(importance_word(frame.importance), sign, tone))
        self._badges.addWidget(
            Badge(origin_words(frame, detail.source_name), "bot" if frame.role == "assistant" else "user")
        )
        if frame.pinned:
            self._badges.addWidget(Badge(self.tr("Pinned"), "pin", "honey"))
        if detail.retracted:
            self._badges.addWidget(Badge(self.tr("Taken back"), "ban", "info"))
        if frame.trashed_at is not None:
            self._badges.addWidget(Badge(self.tr("In the trash"), "trash-2", "warn"))

    def _origin_facts(self, detail: FrameDetail) -> str:
        frame = detail.frame
        parts = [vendor(detail.source_name) or self.tr("Saved here")]
        if frame.position is not None and detail.messages_in_session:
            words = self.tr("message %1 of %2")
            parts.append(fill(words, frame.position + 1, detail.messages_in_session))
        parts.append(moment(frame.event_at or frame.created_at))
        return " · ".join(filter(None, parts))

    def _show_notes(self, detail: FrameDetail) -> None:
        clear_layout(self._notes)
        if detail.retracted:
            words = self.tr("You took this back. It is not found any more; its history stays.")
            again = Button(self.tr("Bring back"), "link", on_click=lambda: self.requested.emit("memory.retract"))
            self._notes.addWidget(Banner("info", words, again))
        if detail.frame.trashed_at is not None:
            words = self.tr("This memory is in the trash. It is not found any more.")
            back = Button(self.tr("Restore"), "link", on_click=lambda: self.requested.emit("memory.restore"))
            self._notes.addWidget(Banner("warn", words, back, icon_name="trash-2"))
        if detail.frame.quarantine:
            self._notes.addWidget(Banner("warn", one_line(detail.frame.quarantine), icon_name="shield-alert"))

    def _show_history(self, detail: FrameDetail) -> None:
        clear_layout(self._steps)
        before = ""
        for number, frame in enumerate(detail.history):
            last = number == len(detail.history) - 1
            self._steps.addWidget(self._step(detail, frame, before, last))
            if frame.patch_kind is not PatchKind.RETRACT:
                before = frame.content

    def _step(self, detail: FrameDetail, frame: Frame, before: str, last: bool) -> Step:
        if frame.patch_kind is PatchKind.AMEND:
            changed = [DiffLine(sign, text) for sign, text in changed_lines(before, frame.content)]
            below = [DiffView(changed)] if changed else []
            title = self.tr("Corrected")
            return Step("pencil", title, self._step_facts(frame), *below, last=last, ink="info")
        if frame.patch_kind is PatchKind.RETRACT:
            facts = " · ".join(filter(None, (self._step_facts(frame), one_line(frame.content, 200))))
            return Step("ban", self.tr("Taken back, or brought back"), facts, last=last)
        facts = " · ".join(filter(None, (moment(frame.event_at or frame.created_at), vendor(detail.source_name))))
        return Step("circle", self.tr("First said"), facts, last=last)

    def _step_facts(self, frame: Frame) -> str:
        who = one_line(frame.client or frame.author or "", 60) or self.tr("by you")
        return f"{moment(frame.recorded_at)} · {who}"


class MemoryDetail(QFrame):
    """The pane: nothing chosen, a memory as read, or a memory being written."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "surface")
        self.setMinimumWidth(300)
        self._nothing = QWidget()
        words = self.tr("Choose a memory to read it in full.")
        self._nothing.setLayout(
            column(None, row(None, Icon("layers", "text_faint", 24, "sunken"), None),
                   row(None, label(words, "body", "soft"), None), None, gap=10)
        )  # fmt: skip
        self.view = MemoryView()
        self.editor = MemoryEditor()
        self._stack = QStackedWidget()
        for each in (self._nothing, self.view, self.editor):
            self._stack.addWidget(each)
        self.setLayout(column(self._stack, gap=0))

    @property
    def is_editing(self) -> bool:
        return self._stack.currentWidget() is self.editor

    def show_nothing(self) -> None:
        self._stack.setCurrentWidget(self._nothing)

    def show_view(self) -> None:
        self._stack.setCurrentWidget(self.view)

    def edit(self, title: str, text: str) -> None:
        self._stack.setCurrentWidget(self.editor)
        self.editor.begin(title, text)
