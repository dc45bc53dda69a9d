"""The status bar and the mind switcher: which mind, how search works, what runs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from hivemind.errors import HiveMindError
from hivemind.events import Area, MindChanged, Progress
from hivemind_desktop.bridge import TaskSet
from hivemind_desktop.widgets.drop_menu import DropMenu
from hivemind_desktop.widgets.figures import memories, mind_name, percent
from hivemind_desktop.widgets.page import Desk, Target
from hivemind_desktop.widgets.words import fill, one_line

if TYPE_CHECKING:
    from hivemind.domain.minds import DoctorReport, MindFacts

    from .window import MainWindow

#: Counts of a mind are read at most this often, ms.
PAUSE_MS = 1000


class StatusController(QObject):
    """Keeps the status bar and the switcher true."""

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window, self._desk = window, desk
        self._tasks = TaskSet(desk.client.loop, self._unknown)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PAUSE_MS)
        self._soon.timeout.connect(self._count)
        self._unknown_mode, self._interrupted = True, 0
        #: Where a press on the running job leads.
        self.job_target = Target("import")
        self._show_mind(self.tr("opening"))
        desk.started.connect(self._begin)
        desk.workspace_changed.connect(lambda _workspace: self._count())
        desk.signals.mind_changed.connect(self._on_mind_changed)
        desk.signals.progress.connect(self._on_progress)
        window.rail.mind.clicked.connect(lambda: self._tasks.start("minds", self._list_minds(), desk.notices.failure))

    def close(self) -> None:
        self._soon.stop()
        self._tasks.close()

    def _begin(self) -> None:
        self._count()
        self._tasks.start("doctor", self._ask_doctor())
        self._tasks.start("interrupted", self._look_for_interrupted(told=False))

    def _count(self) -> None:
        self._tasks.start("count", self._read_counts())

    def _on_mind_changed(self, change: MindChanged) -> None:
        if change.workspace == self._desk.workspace and Area.IMPORTS in change.areas and self._interrupted:
            self._tasks.start("interrupted", self._look_for_interrupted(told=True))
        counted = {Area.FRAMES, Area.SESSIONS, Area.WORKSPACES}
        if change.workspace == self._desk.workspace and change.areas & counted and not self._soon.isActive():
            self._soon.start()

    async def _read_counts(self) -> None:
        workspace = self._desk.workspace
        facts = await self._desk.client.call(lambda engine: engine.workspaces.facts(workspace))
        self._show_mind(memories(facts.frames) if facts.frames else self.tr("empty"))
        if not self._tasks.is_running("doctor") and self._unknown_mode:
            self._tasks.start("doctor", self._ask_doctor())

    async def _look_for_interrupted(self, *, told: bool) -> None:
        """Imports cut off by the program's end wait on the Import page; at the start that is said once."""
        workspace = self._desk.workspace
        waiting = await self._desk.client.call(lambda engine: engine.harvest.interrupted(workspace))
        self._interrupted = len(waiting)
        self._window.rail.set_count("import", self._interrupted)
        if waiting and not told:
            self._desk.notices.toast(
                self.tr("An import was interrupted. What is in can be searched."), self.tr("Look"),
                lambda: self._window.show_target(Target("import")), icon="triangle-alert", ink="warn",
            )  # fmt: skip

    async def _ask_doctor(self) -> None:
        report = await self._desk.client.call(lambda engine: engine.workspaces.doctor())
        self._unknown_mode = bool(report.minds and report.minds[0].problem)
        icon, words, tip = self._mode(report)
        self._window.mode_item.set_state(icon, words, "ok" if icon == "circle-check" else "warn", tip=tip)

    def _mode(self, report: DoctorReport) -> tuple[str, str, str]:
        """Icon, words and tip of how search works on this computer."""
        if self._unknown_mode:
            return "triangle-alert", self.tr("Search cannot work yet"), report.minds[0].problem
        reasons = "\n".join(f"{each.title}: {each.hint}" for each in report.problems)
        if report.embedder.mode == "keyword-only":
            plain = self.tr("No model for meaning is installed. Words are found, in every language.")
            return "quote", self.tr("Search by words only"), "\n".join(filter(None, (plain, reasons)))
        if report.problems:
            return "triangle-alert", self.tr("Search by words only"), reasons
        return "circle-check", self.tr("Search by words and meaning"), ""

    def _show_mind(self, facts: str) -> None:
        name = mind_name(self._desk.workspace)
        self._window.rail.mind.set_mind(name, facts)
        self._window.mind_item.set_state("hard-drive", fill(self.tr("%1: %2"), name, facts))

    def _unknown(self, error: BaseException) -> None:
        """The mind cannot be read. The page in sight says why and what to do; here it is named."""
        title = error.title if isinstance(error, HiveMindError) else self.tr("Hive-Mind made a mistake")
        name = mind_name(self._desk.workspace)
        self._window.rail.mind.set_mind(name, self.tr("cannot be opened"))
        self._window.mind_item.set_state("triangle-alert", fill(self.tr("%1: %2"), name, title), "danger", tip=title)
        self._window.mode_item.set_state("triangle-alert", self.tr("Search cannot work yet"), "warn", tip=title)
        self._unknown_mode = True

    def _on_progress(self, progress: Progress) -> None:
        if progress.kind == "survey":
            return  # counting before an import is shown where it is decided
        item = self._window.job_item
        item.setVisible(not progress.finished)
        embedding = progress.kind == "embedding"
        self.job_target = Target("settings", query="models") if embedding else Target("import")
        if embedding:
            share = percent(progress.done / progress.total) if progress.total else ""
            words = fill(self.tr("Indexing meaning %1"), share).strip()
        elif progress.total:
            words = fill(self.tr("Import %1"), percent(progress.done / progress.total))
        else:
            words = fill(self.tr("Import, %1"), memories(progress.frames))
        item.set_state("loader-circle", words, "honey_text", tip=one_line(progress.current))

    async def _list_minds(self) -> None:
        minds = await self._desk.client.call(lambda engine: engine.workspaces.list())
        self.open_minds(minds)

    def open_minds(self, minds: list[MindFacts]) -> None:
        """The minds of this installation to choose from."""
        menu = DropMenu(self._window)
        for mind in minds:
            facts = mind.problem or memories(mind.frames)
            words = fill(self.tr("%1, %2"), mind_name(mind.workspace), one_line(facts, 80))
            here = mind.workspace == self._desk.workspace
            menu.offer(words, partial(self._desk.show_workspace, mind.workspace), here)
        menu.open_below(self._window.rail.mind)
