"""What Home does: looks whether the mind holds anything, and leads on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from hivemind.events import Area
from hivemind_desktop.widgets.page import Desk, PageController, Target

from .model import RECENT, AtAGlance
from .panel import HomePanel


class HomeController(PageController):
    """Shows the first run until there is something, or until the person chose to start empty."""

    def __init__(self, desk: Desk) -> None:
        self.panel = HomePanel(str(desk.data_dir))
        areas = frozenset({Area.FRAMES, Area.SESSIONS, Area.WORKSPACES})
        words = QCoreApplication.translate("HomeController", "Opening your memories")
        super().__init__(self.panel, desk, areas, words)
        self.panel.first_run.chosen.connect(self._choose)
        self.panel.first_run.dropped.connect(self._import)
        self.panel.add.clicked.connect(lambda: desk.requested.emit("files.choose"))
        self.panel.searched.connect(lambda query: desk.asked.emit(Target("memories", query=query)))
        self.panel.recent.opened.connect(lambda session: desk.asked.emit(Target("sessions", session_id=session)))
        self.panel.recent.all_asked.connect(lambda: desk.asked.emit(Target("sessions")))

    async def load(self) -> None:
        workspace = self.desk.workspace
        facts = await self.desk.client.call(lambda engine: engine.workspaces.facts(workspace))
        if not facts.frames and not facts.sessions and not self.desk.settings.start_empty:
            self.panel.start_stack.show_start()
            return
        rows = await self.desk.client.call(lambda engine: engine.sessions.list_rows(workspace, RECENT))
        self.panel.show_glance(AtAGlance(facts.frames, facts.sessions, facts.size, tuple(rows)))

    def _choose(self, action: str) -> None:
        if action == "start.empty":
            self.desk.change_settings(start_empty=True)
            self.refresh()
        else:
            self.desk.requested.emit(action)

    def _import(self, paths: Sequence[Path]) -> None:
        self.desk.asked.emit(Target("import", paths=tuple(paths)))
