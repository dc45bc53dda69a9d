"""`python -m hivemind_desktop.demo [--out DIR]`: one whole errand in the real window, without a display.

Drops the bundled sample export on the window, waits until it is in, searches by words and, where the search model is,
by meaning, opens the conversation, and leaves pictures of each step. What `make run` does where there is no screen.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hivemind_desktop.application import Application

#: Two words of it are in the sample export, the rest is said in other words there.
QUERY = "citrus leaves lose their colour"
#: How long any step may take, seconds.
PATIENCE = 60.0


def main(arguments: list[str] | None = None) -> int:
    """Run the errand; the exit code is 0 when every step went through."""
    multiprocessing.freeze_support()
    multiprocessing.set_start_method("spawn", force=True)
    parser = argparse.ArgumentParser(prog="hivemind_desktop.demo", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("run-output"), help="folder for pictures (%(default)s)")
    parser.add_argument("--data-dir", type=Path, help="folder for the mind (default: a new one below --out)")
    options = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    out: Path = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    data_dir = options.data_dir or Path(tempfile.mkdtemp(prefix="mind-", dir=out))
    return _run(out, data_dir.resolve())


def _run(out: Path, data_dir: Path) -> int:
    import qasync

    from hivemind_desktop.application import Application, application
    from hivemind_desktop.theme import install

    app = application()
    install(app)
    loop = qasync.QEventLoop(app)
    with loop:
        running = Application(data_dir, loop)
        try:
            loop.run_until_complete(Errand(running, out).walk())
        except TimeoutError as error:
            print(f"hive-mind: stopped while waiting for {error}")
            return 1
        finally:
            loop.run_until_complete(running.aclose())
    print(f"hive-mind: the mind is in {data_dir / 'minds' / 'personal.mind'}")
    return 0


class Errand:
    """The steps, each told and pictured."""

    def __init__(self, running: Application, out: Path) -> None:
        self._app, self._window, self._out = running, running.window, out
        self._number = 0

    async def walk(self) -> None:
        self._app.show()
        home = self._window.page("home").view
        await self._until("Home", lambda: home.stack.state in ("empty", "data", "error"))
        self._picture("home", "opened the window")
        sample = await self._app.client.value(lambda engine: engine.harvest.sample())
        drop(self._window, [sample])
        await self._import()
        await self._read_for_meaning()
        await self._search()
        await self._open_conversation()

    async def _import(self) -> None:
        from hivemind_desktop.importing.panel import ImportPanel

        panel = self._window.page("import").view
        assert isinstance(panel, ImportPanel)
        await self._until("the preview", lambda: panel.preview is not None and panel.preview.go.isEnabled())
        self._picture("preview", "dropped the sample export on it; nothing is saved yet")
        assert panel.preview is not None
        panel.preview.go.click()
        await self._until("the import", lambda: not panel.report.isHidden())
        self._picture("import", "imported it; the report adds up")

    async def _read_for_meaning(self) -> None:
        """Wait until every memory has its vectors; without a model words alone are searched."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            facts = await self._app.client.call(lambda engine: engine.embedding.facts("personal"))
            if facts.reason or facts.embedded == facts.frames:
                return
            await asyncio.sleep(0.1)
        raise TimeoutError("the search model")

    async def _search(self) -> None:
        from hivemind_desktop.memories.panel import MemoriesPanel
        from hivemind_desktop.widgets.page import Target

        self._window.show_target(Target("memories", query=QUERY))
        panel = self._window.page("memories").view
        assert isinstance(panel, MemoriesPanel)
        page = self._window.page("memories")
        await self._until("hits", lambda: panel.found.state == "data" and not page.tasks.is_running("load"))
        panel.list.setCurrentIndex(panel.model.index(0))
        await self._until("the memory", lambda: bool(panel.detail.view.text.text()))
        self._picture("search", f"searched for “{QUERY}” and opened the first of {panel.model.rowCount()} rows")

    async def _open_conversation(self) -> None:
        from hivemind_desktop.sessions.panel import SessionsPanel

        self._window.perform("memory.message")
        panel = self._window.page("sessions").view
        assert isinstance(panel, SessionsPanel)
        await self._until("the conversation", lambda: bool(panel.conversation.blocks))
        self._picture("conversation", "opened the conversation it came from")

    async def _until(self, what: str, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError(what)
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.2)  # layouts settle before the picture

    def _picture(self, name: str, told: str) -> None:
        self._number += 1
        file = self._out / f"{self._number}-{name}.png"
        if not self._window.grab().save(str(file)):
            raise OSError(f"picture not written: {file}")
        print(f"hive-mind: {told} ({file})")


def drop(window: object, paths: list[Path]) -> None:
    """Drop files on a window, with the events a window system sends."""
    from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
    from PySide6.QtGui import QDragEnterEvent, QDropEvent
    from PySide6.QtWidgets import QApplication, QWidget

    assert isinstance(window, QWidget)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    middle = QPoint(window.width() // 2, window.height() // 2)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(middle, copy, data, left, none))
    QApplication.sendEvent(window, QDropEvent(QPointF(middle), copy, data, left, none))


if __name__ == "__main__":
    sys.exit(main())
