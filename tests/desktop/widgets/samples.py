"""One of everything in `widgets/`, with values that look like real ones: what the looks are checked on."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from hivemind_desktop.widgets.buttons import Button, chip
from hivemind_desktop.widgets.diff import DiffLine, DiffView
from hivemind_desktop.widgets.drop_zone import DropZone
from hivemind_desktop.widgets.labels import ElidedLabel, Prose, label
from hivemind_desktop.widgets.layouts import Item, box, column, line, paint_ground, row
from hivemind_desktop.widgets.marks import Badge, Icon, KindDot, MindMark, Monogram
from hivemind_desktop.widgets.memory_row import HEIGHT, LINE, MemoryLine, MemoryRow
from hivemind_desktop.widgets.nav_items import RailPage
from hivemind_desktop.widgets.nav_rail import NavRail
from hivemind_desktop.widgets.palette import Command
from hivemind_desktop.widgets.search_box import ChipRow, SearchLine
from hivemind_desktop.widgets.shell import Banner, JobRow, PageHeader, StatusBar, StatusItem
from hivemind_desktop.widgets.table import Cell, Column, Table
from hivemind_desktop.widgets.text_paint import MarkedText
from hivemind_desktop.widgets.timeline import Step
from hivemind_desktop.widgets.uniform_list import UniformList
from hivemind_desktop.widgets.why_panel import Lane, Reasons, Weight, WhyPanel

PAGES = (
    RailPage("home", "Home", "house"),
    RailPage("memories", "Memories", "layers"),
    RailPage("importing", "Import", "import", "Sources"),
    RailPage("connect", "Connect", "plug", "Sources"),
    RailPage("approvals", "Approvals", "shield-check", "Trust"),
    RailPage("settings", "Settings", "settings", at_foot=True),
)
COMMANDS = (
    Command("import", "Import files…", "download", "Import", "Ctrl+I", "open add export"),
    Command("go.importing", "Go to Import", "import", "Page", "Ctrl+7"),
    Command("go.home", "Go to Home", "house", "Page", "Ctrl+1"),
    Command("undo", "Undo last change", "undo-2", "Edit", "Ctrl+Z"),
    Command("theme", "Light, dark or as the system", "sun", "Look", "Ctrl+Shift+L", "colour night"),
)
WHY = Reasons(
    "0.82",
    "1st of 14",
    (
        Lane("quote", "By words", "3rd", "chose, postgres"),
        Lane("brain", "By meaning", "", "not searched: no model yet"),
        Lane("waypoints", "By connections", "1st", "one step from Atlas", is_best=True),
    ),
    (
        Weight("Recent", 0.41, "0.41", "opened 12 days ago"),
        Weight("Important", 1.0, "1.00", "you marked it critical"),
    ),
    "balanced · recipe seed",
    "0.82, 1st of 14: by words 3rd",
)


def _marked(text: str) -> MarkedText:
    """`a [b] c` -> the same without brackets and the place of b."""
    plain, hits = "", []
    for number, part in enumerate(text.replace("]", "[").split("[")):
        if number % 2:
            hits.append((len(plain), len(part)))
        plain += part
    return MarkedText(plain, tuple(hits))


LINES = (
    MemoryLine(
        "Postgres chosen for Atlas",
        _marked(
            "We [chose] [Postgres] over DynamoDB because reporting needs joins and the team runs it in production."
        ),
        "ChatGPT · Postgres migration plan",
        "14 May 2025",
        "critical",
        "critical",
    ),
    MemoryLine(
        "Atlas stays on DynamoDB until the first release is out and measured",
        _marked("Keep DynamoDB for the first release, the migration does not pay off before launch."),
        "ChatGPT · Roadmap Q1 with a long name that does not fit",
        "3 Mar 2025",
        "important",
        "important",
        note="Contradicts",
    ),
    MemoryLine(
        "Разговор о миграции 🐘",
        _marked("Решили остаться на 🐘 [Postgres]: отчёты строятся одним запросом, а команда его уже знает."),
        "Gemini · Миграция",
        "15 May 2025",
    ),
)


class LineModel(QAbstractListModel):
    """The sample rows as a list model."""

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(LINES)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown = LINES[index.row()]
        if role == LINE:
            return shown
        return shown.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else None


def _titled(title: str, *parts: Item) -> QWidget:
    widget = QWidget()
    widget.setLayout(column(label(title, "caption", "faint"), *parts, gap=8))
    return widget


def memory_list() -> UniformList:
    view = UniformList(HEIGHT)
    view.setItemDelegate(MemoryRow(view))
    view.setAccessibleName("Found memories")
    view.setModel(LineModel(view))
    view.setCurrentIndex(view.model().index(0, 0))
    view.setMinimumSize(250, 290)
    return view


def why_panel() -> WhyPanel:
    panel = WhyPanel()
    panel.reasons.set_reasons(WHY)
    return panel


def table() -> Table:
    view = Table(
        "Items",
        (
            Column("What"),
            Column("Count", 80, right=True),
            Column("State", 130),
            Column("When", 110, faint=True, needs=560),
        ),
    )
    view.set_rows(
        (
            ("conversations", "4,690", Cell("Finished", "circle-check", "ok"), "14 May 2025"),
            ("not readable", "2", Cell("Look", "triangle-alert", "warn"), "14 May 2025"),
            ("skipped", "15", Cell("empty", "minus", ink="text_faint"), "14 May 2025"),
        )
    )
    view.setFixedHeight(150)
    return view


def drop_zone() -> DropZone:
    return DropZone(
        "Drop your export here",
        "ZIP, folder or single file, exactly as you downloaded it",
        Button("Choose a file…", "primary", "folder-open"),
        links=(Button("I don’t have one yet", "link"), Button("Try with a sample", "link")),
    )


def _left() -> QWidget:
    off = Button("Not now")
    off.setEnabled(False)
    first = row(
        Button("Import", "primary", "download"),
        Button("Save"),
        Button("Erase…", "danger", "eraser"),
        Button("Cancel", "quiet"),
        Button("Open message", "link"),
        None,
        gap=10,
    )
    second = row(
        off,
        Button("", "quiet", "pencil", tip="Edit (E)"),
        Button("", "", "plus", tip="New memory"),
        Button("Rank: balanced", "quiet", "chevron-down", trailing=True),
        None,
        gap=10,
    )
    badges = row(
        Badge("Finished", "circle-check", "ok"),
        Badge("Attention", "triangle-alert", "warn"),
        Badge("Not readable", "circle-x", "danger"),
        Badge("Corrected", "pencil", "info"),
        Badge("Critical", "star", "honey"),
        Badge("Waiting", "circle-dashed"),
        None,
        gap=8,
    )
    job = JobRow("brain", "Index words", Button("", "quiet", "pause", tip="Pause"))
    job.set_progress(0.49, "41,208 of 84,210 · about 52 min left")
    waiting = JobRow("import", "Reading the archive", Button("", "quiet", "pause", tip="Pause import"))
    waiting.set_progress(None, "2.1 GB, 6 files")
    chips = ChipRow([chip("Atlas", "x", on=True), chip("Source", "chevron-down"), chip("Contradictions")], margin=0)
    chips.setMinimumHeight(48)
    view = QWidget()
    view.setLayout(
        column(
            _titled("Buttons", first, second),
            _titled("States", badges),
            _titled("Filters", chips),
            _titled(
                "Banners",
                Banner("ok", "You can search now: words are ready.", Button("Search", "link")),
                Banner(
                    "info",
                    "Searching by exact words only. Add a model to search by meaning.",
                    Button("Add model", "link"),
                ),
                Banner("warn", "Another program is writing. Trying again, nothing is lost."),
                Banner(
                    "danger",
                    "The file failed its check and was not changed. Restore the backup of 09:00.",
                    Button("Restore…", "link"),
                ),
                Banner("honey", "Nothing is saved yet."),
            ),
            _titled("Jobs", box(column(job, waiting, gap=12, margins=(14, 10, 14, 12)), "card")),
            _titled("Table", table()),
            None,
            gap=16,
        )
    )
    return view


def _right() -> QWidget:
    wrong = QLineEdit("legal")
    wrong.setAccessibleName("Name")
    wrong.setProperty("state", "error")
    marks = row(
        Icon("layers"),
        Icon("layers", "text_soft", 16, "sunken"),
        Monogram("chatgpt"),
        MindMark("Personal"),
        MindMark("Legal", "#3863C8"),
        KindDot("person"),
        KindDot("decision"),
        KindDot("concept"),
        None,
        gap=10,
    )
    diff = DiffView(
        (
            DiffLine(" ", "the old tables"),
            DiffLine("-", "stay readable for 90 days"),
            DiffLine("+", "stay readable for 30 days"),
        )
    )
    hostile = label("<b>not bold</b> & <img src=x> &amp;")
    cut = ElidedLabel("A title that is far too long for the narrow place it is given in this column, so it ends early")
    view = QWidget()
    view.setLayout(
        column(
            _titled("Search", SearchLine("Search memories"), wrong),
            _titled("Signs", marks),
            _titled("Plain text", hostile, cut, label("a 4f3c 8e11 → /home/ana/minds", "mono")),
            _titled(
                "Figures", row(label("60.53 %", "display", digits=True), label("1,111", "title", digits=True), None)
            ),
            _titled(
                "Timeline",
                column(
                    Step("circle", "First said", "14 May 2025 · ChatGPT"),
                    Step("pencil", "Corrected by you", "2 Jun 2025", diff, last=True),
                    gap=0,
                ),
            ),
            _titled(
                "Reading text",
                Prose(
                    "We chose Postgres over DynamoDB for Atlas. Reporting needs joins across orders.\n"
                    "Cut-over happens in one maintenance window, <b>tags stay text</b>."
                ),
            ),
            None,
            gap=16,
        )
    )
    return view


def component_page() -> QWidget:
    page = QWidget()
    paint_ground(page, "canvas")
    right = _right()
    right.setFixedWidth(372)
    body = row((_left(), 1), right, gap=32, margins=(24, 4, 24, 20))
    page.setLayout(column(PageHeader("Components", "one of each", Button("Add files…", "", "plus")), body, gap=0))
    return page


def memory_page() -> QWidget:
    page = QWidget()
    paint_ground(page, "canvas")
    left = box(column(memory_list(), gap=0), "surface")
    body = row(
        (left, 10),
        line(vertical=True),
        (box(column(drop_zone(), None, margins=(16, 16, 16, 16))), 14),
        line(vertical=True),
        why_panel(),
        gap=0,
    )
    page.setLayout(column(PageHeader("Memories", "24,377"), body, gap=0))
    return page


def window(page: QWidget) -> QWidget:
    """A page with rail and status bar around it."""
    rail = NavRail(PAGES)
    rail.mind.set_mind("Personal", "24,377 memories")
    rail.show_page("memories")
    rail.set_count("approvals", 2)
    status = StatusBar(
        (StatusItem("circle-dashed", "Search by words only", "warn"), StatusItem("bot", "Model: none, not needed")),
        (StatusItem("loader-circle", "Import 60.53 %", "honey_text"), StatusItem("shield", "Sent today: 0 bytes")),
    )
    frame = QWidget()
    paint_ground(frame, "canvas")
    frame.setLayout(column(row(rail, line(vertical=True), (page, 1), gap=0), line(), status, gap=0))
    return frame
