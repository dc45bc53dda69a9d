"""The window: navigation left, one page right, status bar below. Routes targets and actions, knows no page by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import QMainWindow, QMenu, QStackedWidget, QWidget

from hivemind_desktop.actions import ACTIONS, Action
from hivemind_desktop.pages import PAGES
from hivemind_desktop.widgets.drop_zone import dropped_paths
from hivemind_desktop.widgets.layouts import column, line, row
from hivemind_desktop.widgets.nav_rail import NavRail
from hivemind_desktop.widgets.page import Desk, PageController, Target
from hivemind_desktop.widgets.shell import StatusBar, StatusItem

from . import keymap
from .commands import WindowCommands
from .status import StatusController

if TYPE_CHECKING:
    from hivemind_desktop.widgets.palette import CommandPalette

#: A 1920 × 1080 screen at 200 % leaves about 960 × 480.
SMALLEST = QSize(800, 460)


class MainWindow(QMainWindow):
    """Builds a page when it is first shown. `closed` is emitted once, when the person closes the window."""

    closed = Signal()

    def __init__(self, area: QStackedWidget) -> None:
        """area: where pages go; notices are drawn over it."""
        super().__init__()
        self.setWindowTitle("Hive-Mind")
        self.setMinimumSize(SMALLEST)
        self.setAcceptDrops(True)
        self._area = area
        self._desk: Desk | None = None
        self._commands: WindowCommands
        self._status: StatusController
        self._pages = {page.key: page for page in PAGES}
        self._built: dict[str, PageController] = {}
        self._shown = ""
        self._painted = False
        self.rail = NavRail([page.on_rail() for page in PAGES])
        self.rail.page_chosen.connect(lambda key: self.show_target(Target(key)))
        self.mind_item = StatusItem("hard-drive", self.tr("Opening…"))
        self.mode_item = StatusItem("circle-dashed", self.tr("Search is getting ready"))
        self.job_item = StatusItem("loader-circle", "")
        self.job_item.hide()
        self.mode_item.clicked.connect(lambda: self.show_target(Target("settings", query="models")))
        self.mind_item.clicked.connect(lambda: self.show_target(Target("memories")))
        self.job_item.clicked.connect(lambda: self.show_target(self._status.job_target))
        status = StatusBar((self.mind_item, self.mode_item), (self.job_item,))
        body = QWidget()
        upper = row(self.rail, line(vertical=True), (area, 1), gap=0)
        body.setLayout(column(upper, line(), status, gap=0))
        self.setCentralWidget(body)
        self._qt_actions = {action.id: self._qt_action(action) for action in ACTIONS}

    def attach(self, desk: Desk) -> None:
        """Give the window its desk. The first page is built once the empty window is on the screen."""
        self._desk = desk
        self._commands = WindowCommands(self, desk)
        names = {page.key: page.name() for page in PAGES}
        desk.key_map = lambda: keymap.key_rows(desk.settings, names)
        desk.settings_changed.connect(lambda settings: keymap.apply(self._qt_actions, settings))
        keymap.apply(self._qt_actions, desk.settings)
        self._status = StatusController(self, desk)
        desk.asked.connect(self.show_target)
        desk.requested.connect(self.perform)
        desk.menu_asked.connect(lambda needs, place: self.menu(needs).popup(place))
        self.rail.show_page(PAGES[0].key)
        self.setFocus()  # nothing has the focus ring before the first Tab

    def _begin(self) -> None:
        """The first frame is on the screen: now the page, then the engine."""
        if not self._shown:
            self.show_target(Target(PAGES[0].key))
        self.desk.start()

    @property
    def desk(self) -> Desk:
        assert self._desk is not None, "attach comes first"
        return self._desk

    # pages

    @property
    def shown(self) -> str:
        """Key of the page in sight."""
        return self._shown

    def page(self, key: str) -> PageController:
        """The controller of a page, built if need be."""
        if key not in self._built:
            controller = self._pages[key].open(self.desk)
            controller.offers_changed.connect(self._offer)
            self._built[key] = controller
            self._area.addWidget(controller.view)
        return self._built[key]

    def show_target(self, target: Target) -> None:
        controller = self.page(target.page)
        self._shown = target.page
        self._area.setCurrentWidget(controller.view)
        self.rail.show_page(target.page)
        self._offer()
        controller.arrive(target)

    # actions

    def perform(self, action_id: str) -> None:
        """Do an action; nothing happens when it is not possible now."""
        action = next(each for each in ACTIONS if each.id == action_id)
        if not self.is_offered(action):
            return
        if action.page:
            if self._shown != action.page:
                self.show_target(Target(action.page))
            self.page(action.page).perform(action_id)
        elif action_id.startswith("go."):
            self.show_target(Target(action_id.removeprefix("go.")))
        else:
            self._commands.perform(action_id)

    def is_offered(self, action: Action) -> bool:
        """Whether the action can be done now. What needs a memory or session in sight is for its page only."""
        if not action.needs:
            return True
        if action.needs in ("memory", "search", "session", "trash") and self._shown != action.page:
            return False
        built = self._built.get(action.page)
        return built is not None and action.id in built.offers()

    def menu(self, needs: str) -> QMenu:
        """The actions with this need that can be done now, as a menu."""
        made = QMenu(self)
        offered = [each for each in ACTIONS if each.needs == needs and self.is_offered(each)]
        made.addActions([self._qt_actions[each.id] for each in offered])
        made.aboutToHide.connect(made.deleteLater)
        return made

    def _qt_action(self, action: Action) -> QAction:
        made = QAction(action.name().replace("&", "&&"), self)
        made.triggered.connect(lambda _checked=False: self.perform(action.id))
        made.setEnabled(not action.needs)
        self.addAction(made)
        return made

    def _offer(self) -> None:
        for action in ACTIONS:
            self._qt_actions[action.id].setEnabled(self.is_offered(action))

    def open_palette(self) -> CommandPalette:
        """Ctrl+K: every command, what cannot be done now with the reason, recent sessions."""
        # Loaded at the first Ctrl+K: its list and painter would delay the first paint of every start.
        from .palette_contents import PaletteContents

        return PaletteContents(self, self.desk, self._commands.tasks).open()

    def focus_search(self) -> None:
        """The search line of this page, else that of Memories."""
        if not self._shown or not self.page(self._shown).view.focus_search():
            self.show_target(Target("memories", query=""))

    def reload(self) -> None:
        if self._shown:
            self.page(self._shown).refresh()

    # drops, first paint, closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event):
            event.acceptProposedAction()
            self._show_drag(True)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        self._show_drag(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._show_drag(False)
        paths = dropped_paths(event)
        if paths:
            event.acceptProposedAction()
            self.show_target(Target("import", paths=tuple(paths)))

    def _show_drag(self, over: bool) -> None:
        if self._shown:
            self.page(self._shown).view.show_drag(over)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted and self._desk is not None:
            self._painted = True
            QTimer.singleShot(0, self._begin)  # after this frame is on the screen

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if self._desk is None:
            return
        self._desk.change_settings(window_width=self.width(), window_height=self.height())
        self._desk.notices.close()
        self._commands.close()
        self._status.close()
        for controller in self._built.values():
            controller.close()
        self.closed.emit()
