"""Import as seen: a preview, the running import, the report, what was interrupted, earlier imports."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.harvest import ImportReport, UndoReport
from hivemind.domain.review import ReviewCounts
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.drop_zone import DropZone
from hivemind_desktop.widgets.figures import memories
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.layouts import box, clear_layout, column, row, scrolling
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.page import PageView, StartStack
from hivemind_desktop.widgets.shell import Banner, PageHeader
from hivemind_desktop.widgets.words import fill, one_line

from .interrupted import InterruptedImports
from .preview import PreviewCard
from .report import EarlierImports, ReportView, UndoneView
from .review import ReviewView
from .running import RunningImport


class ImportPanel(PageView):
    """`stack` is empty (a drop zone) until something was imported here."""

    wanted = Signal(str)  # an action of ACTIONS
    dropped = Signal(list)
    memory_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        add = Button(self.tr("Add files…"), "", "plus", on_click=lambda: self.wanted.emit("files.choose"))
        header = PageHeader(self.tr("Import"), "", add)
        self._start = self._make_start()
        self.preview: PreviewCard | None = None
        self._preview = column(gap=6)
        self._troubles = column(gap=6)
        self._runs = column(gap=8)
        self.interrupted = InterruptedImports()
        self._undone = column(gap=6)
        self.report = ReportView()
        self.report.hide()
        self.report.undo_asked.connect(lambda: self.wanted.emit("import.undo"))
        self.report.search_asked.connect(lambda: self.wanted.emit("search.all"))
        self.review = ReviewView()
        self._to_review = column(gap=6)
        self.earlier = EarlierImports()
        content = QWidget()
        content.setLayout(
            column(
                self.interrupted,
                self._troubles,
                self._preview,
                self._runs,
                self._undone,
                self.report,
                self._to_review,
                self.review,
                8,
                self.earlier,
                None,
                gap=8,
                margins=(24, 6, 24, 20),
            )
        )
        self._area = scrolling(content)
        self.start_stack = StartStack(self._area, self._start)
        self.stack = self.start_stack
        self.setLayout(column(header, (self.stack, 1), gap=0))

    def _make_start(self) -> QWidget:
        choose = Button(
            self.tr("Choose a file…"), "primary", "folder-open", on_click=lambda: self.wanted.emit("files.choose")
        )
        sample = Button(self.tr("Try with a sample"), "link", on_click=lambda: self.wanted.emit("files.sample"))
        folder = Button(self.tr("Choose a folder…"), "link", on_click=lambda: self.wanted.emit("files.folder"))
        self.zone = DropZone(
            self.tr("Nothing was imported yet"),
            self.tr("Drop a ZIP, folder or single file here, exactly as you downloaded it"),
            choose,
            links=(folder, sample),
        )
        self.zone.setMinimumHeight(282)
        self.zone.dropped.connect(self.dropped)
        start = QWidget()
        start.setLayout(column(self.zone, None, margins=(24, 6, 24, 20)))
        return scrolling(start)

    def show_drag(self, over: bool) -> None:
        self.zone.show_drag(over)

    # before

    def show_looking(self, names: str) -> None:
        """A path was given; what it is, is not known yet."""
        clear_layout(self._preview)
        clear_layout(self._troubles)
        words = ElidedLabel(fill(self.tr("Looking inside %1"), one_line(names, 200)), "body", "soft")
        self._preview.addWidget(
            box(row(Icon("loader-circle", "text_faint"), (words, 1), margins=(14, 11, 14, 11)), "card")
        )

    def show_preview(self, card: PreviewCard | None) -> None:
        """What was recognised, in place of what stood there; None: nothing."""
        leaving = self.preview
        self.preview = card
        if leaving is not None and leaving is not card and leaving.isAncestorOf(self.focusWidget() or self):
            self.window().setFocus()  # else Qt moves the focus to a neighbour nobody asked for
        clear_layout(self._preview)
        if card is not None:
            self._preview.addWidget(card)
            card.go.setFocus()

    @property
    def has_troubles(self) -> bool:
        return self._troubles.count() > 0

    def clear_troubles(self) -> None:
        clear_layout(self._troubles)

    def show_trouble(self, name: str, title: str, hint: str) -> None:
        """A file that is not imported: its name, the reason, the next step."""
        words = " ".join(
            filter(None, (f"{one_line(name, 120)}:" if name else "", _sentence(title) if title else "", hint))
        )
        banner = Banner("danger", words)
        close = Button("", "quiet", "x", tip=self.tr("Close"), on_click=lambda: _let_go(banner))
        layout = banner.layout()
        assert layout is not None
        layout.addWidget(close)
        self._troubles.addWidget(banner)

    # while it runs

    def add_running(self, card: RunningImport) -> None:
        self._runs.addWidget(card)

    def remove_running(self, card: RunningImport) -> None:
        if card.isAncestorOf(self.focusWidget() or self):
            self.window().setFocus()
        self._runs.removeWidget(card)
        _let_go(card)

    # after

    def show_report(self, report: ImportReport | None, workspace: str) -> None:
        self.report.setVisible(report is not None)
        if report is not None:
            self.report.show_report(report, workspace)

    def show_undone(self, undone: UndoReport | None) -> None:
        clear_layout(self._undone)
        self.report.setEnabled(True)
        if undone is not None:
            view = UndoneView(undone)
            view.memory_asked.connect(self.memory_asked)
            self._undone.addWidget(view)

    def show_undoing(self) -> None:
        """An undo is under way; large ones take a while."""
        clear_layout(self._undone)
        words = ElidedLabel(self.tr("Taking out what this import brought"), "body", "soft")
        sign = Icon("loader-circle", "text_faint")
        self._undone.addWidget(box(row(sign, (words, 1), margins=(14, 11, 14, 11)), "card"))
        self.report.setEnabled(False)

    def show_review_counts(self, counts: ReviewCounts) -> None:
        """One line while there is something to decide about; it opens the list."""
        clear_layout(self._to_review)
        if not counts.quarantined and not counts.masked:
            return
        held = fill(self.tr("%1 held back"), memories(counts.quarantined)) if counts.quarantined else ""
        masked = fill(self.tr("%1 with a masked secret"), memories(counts.masked)) if counts.masked else ""
        words = self.tr("To review: %1.")
        look = Button(self.tr("Review"), "link", on_click=lambda: self.wanted.emit("import.review"))
        self._to_review.addWidget(Banner("warn", fill(words, ", ".join(filter(None, (held, masked)))), look))

    def to_top(self) -> None:
        self._area.verticalScrollBar().setValue(0)


def _sentence(title: str) -> str:
    return title if title.endswith((".", "?")) else f"{title}."


def _let_go(widget: QWidget) -> None:
    widget.hide()
    widget.deleteLater()
