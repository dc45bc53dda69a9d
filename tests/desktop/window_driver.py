"""Drives the real window with the real engine: waits for what a person would see, then acts as a person would."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar, cast

import qasync
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from hivemind_desktop.application import Application, EngineFactory, make_engine
from hivemind_desktop.demo import drop
from hivemind_desktop.home.panel import HomePanel
from hivemind_desktop.importing.controller import ImportController
from hivemind_desktop.importing.panel import ImportPanel
from hivemind_desktop.importing.preview import PreviewCard
from hivemind_desktop.memories.controller import MemoriesController
from hivemind_desktop.memories.panel import MemoriesPanel
from hivemind_desktop.sessions.panel import SessionsPanel
from hivemind_desktop.widgets.dialogs import ErrorDialog, QuestionDialog
from hivemind_desktop.widgets.page import Target

T = TypeVar("T")
PATIENCE = 30.0


class WindowDriver:
    """The application under test, and the hands of a person."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.window = app.window

    async def until(self, is_so: Callable[[], object], what: str = "", patience: float = PATIENCE) -> None:
        end = time.monotonic() + patience
        while not is_so():
            errors = [each._error for each in self.window.findChildren(ErrorDialog) if each.isVisible()]
            if errors:
                raise AssertionError(f"an error was shown: {errors[0]}")
            if time.monotonic() > end:
                raise TimeoutError(what or "it did not happen")
            await asyncio.sleep(0.01)

    async def show(self, key: str) -> None:
        """Go to a page and wait for its state."""
        self.window.show_target(Target(key))
        await self.until(lambda: self.window.page(key).view.stack.state != "loading", f"page {key}")

    @property
    def home(self) -> HomePanel:
        return cast("HomePanel", self.window.page("home").view)

    @property
    def memories(self) -> MemoriesPanel:
        return cast("MemoriesPanel", self.window.page("memories").view)

    @property
    def memories_controller(self) -> MemoriesController:
        return cast("MemoriesController", self.window.page("memories"))

    @property
    def importing(self) -> ImportPanel:
        return cast("ImportPanel", self.window.page("import").view)

    @property
    def import_controller(self) -> ImportController:
        return cast("ImportController", self.window.page("import"))

    @property
    def sessions(self) -> SessionsPanel:
        return cast("SessionsPanel", self.window.page("sessions").view)

    def drop(self, *paths: Path) -> None:
        drop(self.window, list(paths))

    async def preview(self, *paths: Path) -> PreviewCard:
        """Drop files and wait until they can be imported."""
        self.drop(*paths)
        choosing = self.import_controller.choosing
        await self.until(lambda: choosing.card is not None and choosing.card.go.isEnabled(), "the preview")
        assert choosing.card is not None
        return choosing.card

    async def import_file(self, *paths: Path) -> None:
        """Drop files, press Import and wait for the report."""
        (await self.preview(*paths)).go.click()
        await self.until(lambda: self.importing.report.isHidden(), "the start")
        await self.until(lambda: not self.importing.report.isHidden(), "the report")

    async def search(self, query: str) -> None:
        """Type into the search line and wait for the answer."""
        await self.show("memories")
        await self.until(lambda: self.memories.stack.state == "data", "memories to search in")
        line = self.memories.search
        line.setFocus()
        line.selectAll()
        for letter in query:
            press(line, 0, letter)
        controller = self.memories_controller
        await self.until(
            lambda: controller._shown == (query.strip(), False) and not controller.tasks.is_running("load")
        )

    async def open_first(self) -> None:
        """Choose the first row and wait for the memory."""
        panel = self.memories
        panel.list.setCurrentIndex(panel.model.index(0))
        wanted = panel.model.entry(0).frame_id
        await self.until(lambda: self.memories_controller.detail and self.memories_controller.detail.frame.id == wanted)

    async def answer(self, key: str) -> None:
        """Press the button of an open question."""
        await self.until(
            lambda: any(each.isVisible() for each in self.window.findChildren(QuestionDialog)), "a question"
        )
        dialog = next(each for each in self.window.findChildren(QuestionDialog) if each.isVisible())
        dialog._answer(key)
        await asyncio.sleep(0)

    def dialogs(self) -> list[QDialog]:
        return [each for each in self.window.findChildren(QDialog) if each.isVisible()]

    async def idle(self) -> None:
        """Nothing of the pages runs any more."""
        await self.until(lambda: not any(page.tasks._running for page in self.window._built.values()), "idle pages")


def press(widget: QWidget, key: int, text: str = "", modifiers: Qt.KeyboardModifier | None = None) -> None:
    """Press and release a key on a widget."""
    held = modifiers or Qt.KeyboardModifier.NoModifier
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, key, held, text))


def drive(data_dir: Path, walk: Callable[[WindowDriver], Awaitable[T]], *, factory: EngineFactory = make_engine) -> T:
    """Open the window on a data folder, walk, close it. Everything must be put away at the end."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    loop = qasync.QEventLoop(app)

    async def run() -> T:
        running = Application(data_dir, loop, factory)
        running.show()
        driver = WindowDriver(running)
        try:
            await driver.until(lambda: driver.window.shown, "the first page")
            return await walk(driver)
        finally:
            await running.aclose()
            assert not running._thread.is_alive

    with loop:
        return cast("T", loop.run_until_complete(run()))
