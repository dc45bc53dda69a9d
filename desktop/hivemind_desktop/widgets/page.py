"""What every page shares: the desk it is given, its view with four states, its controller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from hivemind.errors import HiveMindError, InternalFault
from hivemind.events import Area, MindChanged
from hivemind.settings import Settings
from hivemind_desktop.bridge import EngineClient, EngineSignals, TaskSet
from hivemind_desktop.notices import Notices, fault_details

from .layouts import paint_ground
from .states import StateStack

#: News of the mind are gathered this long before a page loads again, ms.
REFRESH_MS = 300


@dataclass(frozen=True, slots=True)
class Target:
    """A place in the app. `page` is a key of PAGES; the rest says what to show there."""

    page: str
    query: str | None = None
    frame_id: int | None = None
    session_id: str | None = None
    message_id: int | None = None
    paths: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One action as the keyboard map shows it. `key` in force, `usual` the one it comes with, '' for none."""

    id: str
    name: str
    icon: str
    where: str
    key: str
    usual: str


class Desk(QObject):
    """Given to every page: the engine's client and news, notices, settings, the mind in sight, the way elsewhere."""

    asked = Signal(Target)  # somebody wants to go there
    requested = Signal(str)  # somebody wants this action of ACTIONS done
    menu_asked = Signal(str, QPoint)  # the possible actions with this need, as a menu at this place on the screen
    started = Signal()  # the window has been painted: pages may load
    workspace_changed = Signal(str)
    settings_changed = Signal(Settings)

    def __init__(
        self,
        client: EngineClient,
        signals: EngineSignals,
        notices: Notices,
        data_dir: Path,
        settings: Settings,
        save_settings: Callable[[Settings], object],
    ) -> None:
        super().__init__()
        self.client, self.signals, self.notices, self.data_dir = client, signals, notices, data_dir
        self._settings, self._save_settings = settings, save_settings
        self._workspace = "personal"
        self._is_started = False
        #: Every action with its key, told by the window.
        self.key_map: Callable[[], tuple[KeyRow, ...]] = tuple

    @property
    def workspace(self) -> str:
        """Id of the mind in sight."""
        return self._workspace

    def show_workspace(self, workspace: str) -> None:
        if workspace != self._workspace:
            self._workspace = workspace
            self.workspace_changed.emit(workspace)

    @property
    def settings(self) -> Settings:
        return self._settings

    def change_settings(self, **values: Any) -> None:
        """Change fields of the settings; they are saved in the background."""
        self._settings = replace(self._settings, **values)
        self._save_settings(self._settings)
        self.settings_changed.emit(self._settings)

    @property
    def is_started(self) -> bool:
        return self._is_started

    def start(self) -> None:
        if not self._is_started:
            self._is_started = True
            self.started.emit()


class PageView(QWidget):
    """A page on its canvas. `stack` shows its state."""

    shown = Signal()
    stack: StateStack

    def __init__(self) -> None:
        super().__init__()
        paint_ground(self, "canvas")

    def show_drag(self, over: bool) -> None:
        """Something is held over the window; a page with a drop zone shows it."""

    def focus_search(self) -> bool:
        """Put the keyboard into the search line; False when the page has none."""
        return False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()


class StartStack(StateStack):
    """The four states where the empty one is a whole view to start from instead of a sentence."""

    def __init__(self, data: QWidget, start: QWidget) -> None:
        super().__init__(data)
        self._start = start
        self.addWidget(start)

    def show_start(self) -> None:
        self._enter("empty")
        self.setCurrentWidget(self._start)
        self._forget()


class PageController(QObject):
    """Loads a page through the client, keeps it fresh, answers its actions.

    Subclasses give `load`, and `offers` and `perform` when the page has actions of its own.
    """

    offers_changed = Signal()

    def __init__(self, view: PageView, desk: Desk, areas: frozenset[Area], loading_words: str) -> None:
        super().__init__(view)
        self.view: PageView = view
        self.desk = desk
        self.tasks = TaskSet(desk.client.loop, desk.notices.failure)
        self._areas, self._loading_words = areas, loading_words
        self._stale = True
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(REFRESH_MS)
        self._soon.timeout.connect(self._load_if_stale)
        view.stack.show_loading(loading_words)
        view.shown.connect(self._load_if_stale)
        desk.started.connect(self._load_if_stale)
        desk.workspace_changed.connect(self._on_workspace)
        desk.signals.mind_changed.connect(self._on_mind_changed)

    async def load(self) -> None:
        """Read what the page shows and show it."""
        raise NotImplementedError

    def offers(self) -> frozenset[str]:
        """Ids of the actions that can be done here now."""
        return frozenset()

    def perform(self, action_id: str) -> None:
        """Do one of `offers`."""

    def arrive(self, target: Target) -> None:
        """Show what the target names. Comes after the page is in sight."""

    def refresh(self) -> None:
        """Load again; what is in sight stays until then."""
        self._stale = False
        self.tasks.start("load", self.load(), self.show_failure)

    def retry(self) -> None:
        self.view.stack.show_loading(self._loading_words)
        self.refresh()

    def show_failure(self, error: BaseException) -> None:
        """The page's error state: what happened, what is safe, what to do, and a way to try again."""
        if isinstance(error, HiveMindError):
            self.view.stack.show_error(error.title, error.hint, self.retry, error.details)
        else:
            self.view.stack.show_error(InternalFault.title, InternalFault.hint, self.retry, fault_details(error))

    def close(self) -> None:
        """Cancel what runs; the engine's side of it is cancelled too."""
        self._soon.stop()
        self.tasks.close()

    def _load_if_stale(self) -> None:
        if not (self._stale and self.desk.is_started and self.view.isVisible()):
            return
        if self.tasks.is_running("load"):
            self._soon.start()  # a load that is under way is finished first: news must not starve it
        else:
            self.refresh()

    def _on_mind_changed(self, change: MindChanged) -> None:
        if change.workspace == self.desk.workspace and change.areas & self._areas:
            self._stale = True
            if not self._soon.isActive():
                self._soon.start()

    def _on_workspace(self, _workspace: str) -> None:
        self._stale = True
        if self.view.isVisible():
            self.retry()
