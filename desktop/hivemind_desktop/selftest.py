"""`hive-mind --selftest`: in a data folder of its own, tries everything this program is made of, and says what works.

A line for each step, then one JSON document. It is how a frozen program shows that it holds all its parts; it needs no
display, no network and nothing installed beside it.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QWidget

    from hivemind_desktop.application import Application
    from hivemind_desktop.widgets.states import StateStack

#: Seconds that one step may take: loading the model on a slow computer is the longest.
PATIENCE = 240.0
#: What the sample says word for word, what it says in other words, and the conversation where both are.
WORDS: Final = "lemon tree"
PARAPHRASE: Final = "why are the leaves of my citrus plant turning pale"
TITLE: Final = "What is wrong with my lemon tree?"
#: Port 9 discards what it gets, where it is served at all.
NOBODY: Final = "http://127.0.0.1:9/v1"
_MIND = "personal"


class StepFailed(Exception):
    """A step found something else than it must; the text says what."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one step found: `detail` is for a person, `facts` for a program."""

    name: str
    ok: bool
    seconds: float
    detail: str
    facts: dict[str, object]


Found = tuple[str, dict[str, object]]


def run(report: Path | None = None) -> int:
    """Walk all steps and tell of them; the exit code is 0 when each went well. `report`: also write the JSON there."""
    began = time.perf_counter()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # a bare system speaks ASCII only
    with tempfile.TemporaryDirectory(prefix="hive-mind-selftest-") as folder:
        steps = _walk(Path(folder), began)
    document = {
        "ok": all(step.ok for step in steps),
        "frozen": bool(getattr(sys, "frozen", False)),
        "platform": sys.platform,
        "seconds": round(time.perf_counter() - began, 3),
        "steps": [
            {"name": one.name, "ok": one.ok, "seconds": round(one.seconds, 3), "detail": one.detail} | one.facts
            for one in steps
        ],
    }
    told = json.dumps(document, ensure_ascii=False)
    _tell(told)
    if report is not None:
        report.write_text(f"{told}\n", encoding="utf-8")
    return 0 if document["ok"] else 1


def _walk(folder: Path, began: float) -> list[Step]:
    import qasync

    from hivemind_desktop.application import Application, application
    from hivemind_desktop.theme import install

    app = application()
    install(app)
    loop = qasync.QEventLoop(app)
    with loop:
        running = Application(folder, loop)
        try:
            steps: list[Step] = loop.run_until_complete(Trial(running, began).walk())
            return steps
        finally:
            loop.run_until_complete(running.aclose())


class Trial:
    """The steps, in the order in which each needs the ones before."""

    def __init__(self, running: Application, began: float) -> None:
        self._app, self._began = running, began
        self._call = running.client.call

    async def walk(self) -> list[Step]:
        """All steps up to the first that fails: what comes after it would fail for the same reason."""
        steps: list[Step] = []
        for name, work in (
            ("window", self._window),
            ("pages", self._pages),
            ("vectors", self._vectors),
            ("model", self._model),
            ("services", self._services),
            ("import", self._import),
            ("words", self._words),
            ("meaning", self._meaning),
            ("report", self._report),
        ):
            steps.append(await _tried(name, work))
            _tell(f"{'ok  ' if steps[-1].ok else 'FAIL'} {name}: {steps[-1].detail}")
            if not steps[-1].ok:
                break
        return steps

    async def _window(self) -> Found:
        painted: list[float] = []
        watch = _watch_paint(self._app.window, painted)
        self._app.show()
        while not painted:
            await asyncio.sleep(0)
        seconds = painted[0] - self._began
        self._app.window.removeEventFilter(watch)
        home = self._app.window.page("home").view
        while home.stack.state == "loading":
            await asyncio.sleep(0.02)
        picture = self._app.window.grab().toImage()
        colours = {picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3)}
        _require(len(colours) > 16, f"the window shows {len(colours)} colours: fonts or icons are missing")
        return f"painted after {seconds:.2f} s", {"first_paint": round(seconds, 3), "colours": len(colours)}

    async def _pages(self) -> Found:
        """Every page is imported by its name and asks the engine for what it shows; so does every part of Settings."""
        from hivemind_desktop.pages import PAGES
        from hivemind_desktop.settings.controller import SettingsController
        from hivemind_desktop.settings.sections import SECTIONS
        from hivemind_desktop.widgets.page import Target

        for page in PAGES:
            self._app.window.show_target(Target(page.key))
            await _settled(page.title, self._app.window.page(page.key).view.stack)
        settings = self._app.window.page("settings")
        assert isinstance(settings, SettingsController)
        for section in SECTIONS:
            self._app.window.show_target(Target("settings", query=section.key))
            await _settled(section.title, settings.part(section.key).view.stack)
        told = f"{len(PAGES)} opened, with {len(SECTIONS)} parts of Settings"
        return told, {"pages": len(PAGES), "settings": len(SECTIONS)}

    async def _services(self) -> Found:
        """The kit for services that answer is whole: a call to one that is not there ends with the fault of that."""
        from hivemind.domain.chat import Endpoint
        from hivemind.errors import HostUnreachable

        nobody = Endpoint("selftest", "Nobody", NOBODY, local=True, needs_key=False)
        await self._call(lambda engine: engine.providers.add(nobody))
        try:
            await self._call(lambda engine: engine.providers.list_models(nobody.name, _MIND))
        except HostUnreachable as fault:
            return f"a service that is not there: {fault.title}", {}
        raise StepFailed(f"something answers at {NOBODY}")

    async def _vectors(self) -> Found:
        report = await self._call(lambda engine: engine.workspaces.doctor())
        _require(report.sqlite_vec != "", "; ".join(one.hint for one in report.problems))
        named = os.environ.get("WAGGLE_SQLITE_VEC_PATH", "")
        if getattr(sys, "frozen", False):
            _require(report.sqlite_vec_path == named != "", f"{report.sqlite_vec_path} is not the bundle's own")
        told = f"SQLite {report.sqlite} with sqlite-vec {report.sqlite_vec}"
        return told, {"sqlite": report.sqlite, "sqlite_vec": report.sqlite_vec, "from_variable": bool(named)}

    async def _model(self) -> Found:
        report = await self._call(lambda engine: engine.workspaces.doctor(selftest=True))
        found = report.selftest
        if found is None:
            raise StepFailed("; ".join(f"{one.title}. {one.hint}" for one in report.problems))
        _require(found.golden > 0, "no vectors are recorded of this model")
        _require(found.ok, f"vectors differ from those recorded (cosine {found.golden_cosine:.5f})")
        told = f"{report.embedder.id}, {found.golden} recorded texts, cosine {found.golden_cosine:.5f}"
        return told, {"golden": found.golden, "cosine": round(found.golden_cosine, 6)}

    async def _import(self) -> Found:
        sample = await self._app.client.value(lambda engine: engine.harvest.sample())
        run_id = await self._call(lambda engine: engine.harvest.start([sample], _MIND))
        done = await self._call(lambda engine: engine.harvest.wait(_MIND, run_id))
        fault = await self._app.client.value(lambda engine: engine.harvest.fault(_MIND, run_id))
        reason = f": {fault.title}. {fault.details}" if fault is not None else ""
        _require(done.new > 0 and done.messages > 0, f"the import ended as {done.state} and brought nothing{reason}")
        frames = await self._call(lambda engine: engine.memory.count(_MIND))
        told = f"{done.new} conversations, {done.messages} messages, {frames} memories"
        return told, {"conversations": done.new, "messages": done.messages, "frames": frames}

    async def _words(self) -> Found:
        return await self._search(WORDS, "keyword")

    async def _meaning(self) -> Found:
        while True:
            facts = await self._call(lambda engine: engine.embedding.facts(_MIND))
            if facts.frames and not facts.pending and facts.embedded:
                break
            await asyncio.sleep(0.1)
        told, found = await self._search(PARAPHRASE, "vector")
        return f"{told}; {facts.embedded} memories embedded", found | {"embedded": facts.embedded}

    async def _report(self) -> Found:
        """The report is laid out in a child process, and its first page is drawn in another."""
        from hivemind.domain.report_order import ReportOrder

        pages, (first,) = await self._call(lambda engine: engine.reports.preview(_MIND, ReportOrder(), [0], 1.0))
        _require(len(set(first.pixels)) > 16, "the first page of the report is empty")
        return f"{pages} pages", {"pages": pages}

    async def _search(self, query: str, mode: str) -> Found:
        """The first hit must open at its message, in the conversation that is meant."""
        from hivemind.domain.frames import FrameType
        from hivemind.domain.search import Mode, SearchRequest

        began = time.perf_counter()
        request = SearchRequest(query, mode=Mode(mode))
        result = await self._call(lambda engine: engine.memory.search(request))
        seconds = time.perf_counter() - began
        said = [hit.frame for hit in result.hits if hit.frame.type is not FrameType.I]  # a summary has no message
        _require(bool(said), f"nothing found for “{query}”")
        frame = said[0]
        opened = await self._call(lambda engine: engine.sessions.read(_MIND, frame.session_id, frame.id))
        title = opened.session.title
        _require(title == TITLE, f"“{query}” found “{title}”")
        _require(bool(opened.marks), f"“{title}” does not open at the message")
        return f"“{query}” found “{title}” in {seconds:.3f} s", {"hits": len(result.hits), "search": round(seconds, 3)}


async def _tried(name: str, work: Callable[[], Awaitable[Found]]) -> Step:
    began = time.perf_counter()
    try:
        detail, facts = await asyncio.wait_for(work(), PATIENCE)
    except Exception as error:
        # Whatever a missing part makes it raise is what this errand is there to tell.
        said = f"no answer after {PATIENCE:.0f} s" if isinstance(error, TimeoutError) else str(error)
        kind = "" if isinstance(error, StepFailed) else f"{type(error).__name__}: "
        more = f" ({details})" if (details := getattr(error, "details", "")) else ""
        return Step(name, False, time.perf_counter() - began, f"{kind}{said}{more}", {})
    return Step(name, True, time.perf_counter() - began, detail, facts)


async def _settled(title: str, stack: StateStack) -> None:
    """Wait for what a page shows. Raises StepFailed with its error, for a developer too."""
    while stack.state == "loading":
        await asyncio.sleep(0.02)
    told = stack.told
    if stack.state == "error" and told is not None:
        raise StepFailed(
            " | ".join(filter(None, (f"{title} says: {told.accessibleName()}", *told.details.split("\n"))))
        )


def _require(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise StepFailed(otherwise)


def _watch_paint(window: QWidget, painted: list[float]) -> QObject:
    """Write the moment of every paint of the window into `painted`."""
    from PySide6.QtCore import QEvent, QObject

    class PaintWatch(QObject):
        def eventFilter(self, _: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                painted.append(time.perf_counter())
            return False

    watch = PaintWatch(window)
    window.installEventFilter(watch)
    return watch


def _tell(line: str) -> None:
    """A windowed program on Windows has nowhere to speak: the report file is for that."""
    if sys.stdout is not None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
