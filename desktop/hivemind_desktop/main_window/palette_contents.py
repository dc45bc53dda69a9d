"""What Ctrl+K holds: every action with its key or the reason why not, recent sessions, searching for what was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence
from shiboken6 import isValid

from hivemind.errors import HiveMindError
from hivemind_desktop.actions import ACTIONS, Action
from hivemind_desktop.bridge import TaskSet
from hivemind_desktop.pages import PAGES
from hivemind_desktop.widgets.figures import day
from hivemind_desktop.widgets.floating import open_over
from hivemind_desktop.widgets.page import Desk, Target
from hivemind_desktop.widgets.palette import Command, CommandPalette
from hivemind_desktop.widgets.words import one_line

from . import keymap

if TYPE_CHECKING:
    from .window import MainWindow

#: Sessions offered beside the commands.
SESSIONS = 12
_SESSION, _SEARCH = "session:", "search:"


class PaletteContents(QObject):
    """Lives as long as its palette. Actions are there at once; sessions come when they are read."""

    def __init__(self, window: MainWindow, desk: Desk, tasks: TaskSet) -> None:
        commands = [command(window, desk, each) for each in ACTIONS if each.id != "palette"]
        self.palette = CommandPalette(commands, window)
        super().__init__(self.palette)
        self._window, self._desk, self._tasks = window, desk, tasks
        self.palette.chosen.connect(self._run)

    def open(self) -> CommandPalette:
        open_over(self.palette)
        self._tasks.start("palette", self._add_sessions())
        return self.palette

    async def _add_sessions(self) -> None:
        workspace = self._desk.workspace
        searching = Command(_SEARCH, self.tr("Search memories for “%1”"), "search", "")
        try:
            rows = await self._desk.client.call(lambda engine: engine.sessions.list_rows(workspace, SESSIONS))
        except HiveMindError:
            rows = []  # the page in sight says what is wrong with the mind
        found = [
            Command(
                f"{_SESSION}{row.session.id}",
                one_line(row.session.title, 80) or self.tr("Untitled session"),
                "messages-square",
                day(row.session.started_at),
            )
            for row in rows
        ]
        if isValid(self.palette):
            self.palette.add(found, searching)

    def _run(self, key: str) -> None:
        if key.startswith(_SESSION):
            self._window.show_target(Target("sessions", session_id=key.removeprefix(_SESSION)))
        elif key == _SEARCH:
            self._window.show_target(Target("memories", query=self.palette.typed))
        else:
            self._window.perform(key)


def command(window: MainWindow, desk: Desk, action: Action) -> Command:
    """An action as the palette shows it."""
    page = next((each.name() for each in PAGES if each.key == action.page), "")
    key = QKeySequence(keymap.key_of(action, desk.settings)).toString(QKeySequence.SequenceFormat.NativeText)
    why_not = "" if window.is_offered(action) else keymap.reason_not(action)
    return Command(action.id, action.name(), action.icon, page, key, action.other_words(), why_not)
