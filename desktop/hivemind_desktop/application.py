"""Wiring: theme, engine thread, window, settings; one window per data folder; an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QCoreApplication, QLockFile, QSocketNotifier
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from hivemind.errors import WorldFault
from hivemind.paths import DataDir
from hivemind.settings import Settings, load_settings, save_settings
from hivemind_desktop.bridge import EngineClient, EngineSignals, EngineThread
from hivemind_desktop.crash_report import CrashReports
from hivemind_desktop.main_window import SMALLEST, MainWindow
from hivemind_desktop.notices import Notices
from hivemind_desktop.theme import STYLE, STYLED, Choice, theme
from hivemind_desktop.widgets.notice_layer import NoticeLayer
from hivemind_desktop.widgets.page import Desk

if TYPE_CHECKING:
    from hivemind.engine import Engine

#: Makes an engine for a data folder that tells its news to the signals.
EngineFactory = Callable[[Path, EngineSignals], "Engine"]


class AlreadyRunning(WorldFault):
    code = "already_running"
    title = "Hive-Mind is already open with this data folder"
    hint = "Use the window that is open, or close it first."


def make_engine(data_dir: Path, signals: EngineSignals) -> Engine:
    """Import the engine and make one. Runs on the engine's thread: the import must not delay the first paint."""
    from hivemind.engine import Engine

    engine = Engine(data_dir)
    engine.redaction.watch_logs()
    engine.events.subscribe(signals.publish)
    return engine


class Application:
    """One window on one data folder. `theme.install` comes before, `aclose` at the end."""

    def __init__(self, data_dir: Path, loop: asyncio.AbstractEventLoop, factory: EngineFactory = make_engine) -> None:
        """Raises AlreadyRunning when another window has this data folder."""
        self._data = DataDir(data_dir)
        self._loop = loop
        self._lock = take_folder(data_dir)
        self._unsaved: Settings | None = None
        self._saving: asyncio.Task[None] | None = None
        settings = load_settings(self._data.settings_file)
        theme().choose(cast("Choice", settings.theme if settings.theme in ("light", "dark") else "system"))
        theme().reduced_motion = settings.reduced_motion
        if settings.text_percent != theme().text_percent:
            theme().set_text_percent(settings.text_percent)
        self.crashes = CrashReports(data_dir)
        self.crashes.install()
        loop.set_exception_handler(self.crashes.on_loop)
        self.signals = EngineSignals()
        self._thread = EngineThread(lambda: factory(data_dir, self.signals))
        self.client = EngineClient(self._thread, loop)
        area = QStackedWidget()
        self.window = MainWindow(area)
        self.notices = Notices(NoticeLayer(area), self.crashes.write)
        self.desk = Desk(self.client, self.signals, self.notices, data_dir, settings, self._save)
        self.closed = loop.create_future()
        self.window.closed.connect(self._on_closed)
        self.window.resize(max(SMALLEST.width(), settings.window_width), max(SMALLEST.height(), settings.window_height))
        self.window.attach(self.desk)

    def show(self) -> None:
        """Show the window; the engine opens after the first paint."""
        self._thread.start(self.crashes.on_loop)
        self.window.show()
        self.desk.started.connect(self._tell_of_crashes)

    async def run(self) -> None:
        """Show the window, come back when the person has closed it and everything is put away."""
        self.show()
        await self.closed
        await self.aclose()

    async def aclose(self) -> None:
        """Close the engine (what runs can go on at the next start), finish saving, release the folder."""
        self.window.close()
        await self.client.aclose()
        if self._saving is not None:
            await self._saving
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
        self.crashes.remove()
        self.window.deleteLater()

    def _tell_of_crashes(self) -> None:
        """Offer the folder once for each report; nothing is sent."""
        if self.crashes.unseen():
            self.crashes.mark_seen()
            words = QCoreApplication.translate(
                "Application", "Hive-Mind made a mistake last time. A report without your texts is on this computer."
            )
            look = QCoreApplication.translate("Application", "Open folder")
            self.notices.toast(
                words, look, lambda: self.desk.requested.emit("crashes.open"), icon="triangle-alert", ink="warn"
            )

    def _on_closed(self) -> None:
        if not self.closed.done():
            self.closed.set_result(None)

    def _save(self, settings: Settings) -> None:
        """Write the settings off the Qt thread, one after the other: the last ones given are the last ones written."""
        self._unsaved = settings
        if self._saving is None or self._saving.done():
            self._saving = self._loop.create_task(self._write_settings())

    async def _write_settings(self) -> None:
        """A folder that cannot be written keeps the old ones."""
        while self._unsaved is not None:
            settings, self._unsaved = self._unsaved, None
            with contextlib.suppress(OSError):
                await asyncio.to_thread(save_settings, self._data.settings_file, settings)


def take_folder(data_dir: Path) -> QLockFile | None:
    """Lock the data folder for this window. None when the folder cannot be written: the pages say so then.

    Raises AlreadyRunning.
    """
    with contextlib.suppress(OSError):
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = QLockFile(str(data_dir / "desktop.lock"))
    lock.setStaleLockTime(0)  # a lock is stale only when its process is gone, however long it has been open
    if lock.tryLock(0):
        return lock
    if lock.error() == QLockFile.LockError.LockFailedError:
        raise AlreadyRunning()
    return None


def close_on_signals(window: QWidget) -> None:
    """Ctrl+C in the terminal and the end of the login session close the window as a person would."""
    if sys.platform == "win32":
        return
    reading, writing = os.pipe()
    for end in (reading, writing):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(writing)  # Python hears of a signal only when it runs; the notifier makes Qt run it
    heard = QSocketNotifier(reading, QSocketNotifier.Type.Read, window)
    heard.activated.connect(lambda _socket, _kind: window.close())
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: None)


def application() -> QApplication:
    """The Qt application, made once per process."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        app = existing
    else:
        app = QApplication(["hive-mind", "-style", STYLE])
        app.setProperty(STYLED, True)
    app.setApplicationName("Hive-Mind")
    app.setApplicationDisplayName("Hive-Mind")
    app.setQuitOnLastWindowClosed(False)  # the end comes when the engine is closed, not before
    return app
