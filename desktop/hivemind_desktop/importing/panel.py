"""Import as seen: a preview, the running import, the report, what was interrupted, earlier imports."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.harvest import ImportPreview, ImportReport, UndoReport
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.drop_zone import DropZone
from hivemind_desktop.widgets.figures import conversations, size
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.layouts import box, clear_layout, column, row, scrolling
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.page import PageView, StartStack
from hivemind_desktop.widgets.shell import Banner, PageHeader
from hivemind_desktop.widgets.words import fill, one_line

from .model import source_name
from .report import EarlierImports, ReportView, UndoneView
from .running import RunningImport


class ImportPanel(PageView):
    """`stack` is empty (a drop zone) until something was imported here."""

    wanted = Signal(str)  # an action of ACTIONS
    dropped = Signal(list)
    resume_asked = Signal(int)
    leave_asked = Signal(int)
    memory_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        add = Button(self.tr("Add files…"), "", "plus", on_click=lambda: self.wanted.emit("files.choose"))
        header = PageHeader(self.tr("Import"), "", add)
        self._start = self._make_start()
        self._preview = column(gap=6)
        self._troubles = column(gap=6)
        self._runs = column(gap=8)
        self._interrupted = column(gap=6)
        self._undone = column(gap=6)
        self.report = ReportView()
        self.report.hide()
        self.report.undo_asked.connect(lambda: self.wanted.emit("import.undo"))
        self.report.search_asked.connect(lambda: self.wanted.emit("search.all"))
        self.earlier = EarlierImports()
        content = QWidget()
        content.setLayout(
            column(
                self._interrupted,
                self._troubles,
                self._preview,
                self._runs,
                self._undone,
                self.report,
                8,
                self.earlier,
                None,
                gap=8,
                margins=(24, 6, 24, 20),
            )
        )
        self.start_stack = StartStack(scrolling(content), self._start)
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

    def show_previews(self, previews: Sequence[ImportPreview]) -> None:
        """What was recognised; None of it stays when the list is empty."""
        clear_layout(self._preview)
        for each in previews:
            facts = fill(self.tr("Looks like a %1 export · %2"), each.label, size(each.size))
            words = box(
                column(ElidedLabel(_file_name(each.path), "strong"), ElidedLabel(facts, "label", "soft"), gap=1)
            )
            self._preview.addWidget(
                box(row(Icon("file-archive", tile="sunken"), (words, 1), gap=12, margins=(14, 11, 14, 11)), "card")
            )

    def show_trouble(self, name: str, title: str, hint: str) -> None:
        """A file that is not imported: its name, the reason, the next step."""
        words = " ".join(filter(None, (f"{one_line(name, 120)}:" if name else "", _sentence(title), hint)))
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

    def show_interrupted(self, runs: Sequence[ImportReport]) -> None:
        """Imports that were cut off by the program's end; each can go on or stay as it is."""
        clear_layout(self._interrupted)
        for run in runs:
            self._interrupted.addWidget(self._interrupted_banner(run))

    def _interrupted_banner(self, run: ImportReport) -> Banner:
        words = self.tr("%1 was interrupted. %2 are in and can be searched.")
        again = Button(self.tr("Resume"), "link", on_click=lambda: self.resume_asked.emit(run.run_id))
        leave = Button(self.tr("Leave what is in"), "link", on_click=lambda: self.leave_asked.emit(run.run_id))
        return Banner("warn", fill(words, source_name(run), conversations(run.found)), again, leave)


def _file_name(path: str) -> str:
    return one_line(path.replace("\\", "/").rstrip("/").rpartition("/")[2], 200)


def _sentence(title: str) -> str:
    return title if title.endswith((".", "?")) else f"{title}."


def _let_go(widget: QWidget) -> None:
    widget.hide()
    widget.deleteLater()
