"""Contact sheets of every page in its four states, light and dark, at two sizes. Run by hand and look at them:

    python -m tests.desktop.page_sheet [DIR]

Each state is reached through the engine, as in `test_pages.py`; the filled one with the bundled search model, when it
is there, and only when everything was read for its meaning.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QImage
from tests.desktop.contact_sheet import sheet, shot
from tests.desktop.hands import outside
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.engine import Engine
from hivemind.paths import DataDir, resource_path
from hivemind_desktop.application import application, make_engine
from hivemind_desktop.bridge import EngineSignals, engine_thread
from hivemind_desktop.pages import PAGES
from hivemind_desktop.settings.sections import SECTIONS
from hivemind_desktop.theme import Choice, install, theme
from hivemind_desktop.widgets.page import Target

#: A hybrid search of the sample: the words meet one memory, the meaning its neighbours.
QUERY = "citrus leaves lose their colour"
#: Name of the sheets with the parts of Settings.
PARTS = "settings-parts"
SIZES = ((1200, 800), (900, 600))
SCHEMES: tuple[Choice, ...] = ("light", "dark")
Pictures = dict[tuple[str, str, Choice, tuple[int, int]], QImage]


async def take(driver: WindowDriver, state: str, key: str, pictures: Pictures) -> None:
    """The page in sight, in both schemes and sizes."""
    if state != "loading":
        await driver.idle()
    for scheme in SCHEMES:
        theme().choose(scheme)
        for size in SIZES:
            driver.window.resize(*size)
            await asyncio.sleep(0.25)
            await outside(lambda at=(state, key, scheme, size): pictures.update({at: shot(driver.window)}))  # type: ignore[misc]


async def show_all(driver: WindowDriver, state: str, pictures: Pictures) -> None:
    for page in PAGES:
        driver.window.show_target(Target(page.key))
        await asyncio.sleep(0.6)
        await take(driver, state, page.key, pictures)


async def embedded(driver: WindowDriver) -> None:
    """Until every memory has its vectors; at once where there is no model."""
    while True:
        facts = await driver.app.client.call(lambda engine: engine.embedding.facts("personal"))
        if facts.reason or (facts.frames and facts.embedded == facts.frames):
            return
        await asyncio.sleep(0.1)


async def show_data(driver: WindowDriver, pictures: Pictures) -> None:
    """Pages with something on them: a search, an open memory, an open conversation, a report."""
    await driver.import_file(resource_path("samples", "chatgpt-sample.json"))
    await take(driver, "data", "import", pictures)
    await embedded(driver)
    await driver.show("home")
    await driver.until(lambda: driver.home.stack.state == "data", "Home with something on it")
    await take(driver, "data", "home", pictures)
    await driver.search(QUERY)
    await driver.open_first()
    await asyncio.sleep(0.3)
    await take(driver, "data", "memories", pictures)
    driver.window.perform("memory.message")
    await driver.until(lambda: driver.sessions.conversation.blocks)
    await take(driver, "data", "sessions", pictures)
    await driver.show("memories")
    driver.window.perform("memory.trash")
    await asyncio.sleep(0.6)
    for page in PAGES:
        if ("data", page.key, SCHEMES[0], SIZES[0]) not in pictures:
            driver.window.show_target(Target(page.key))
            await asyncio.sleep(1.0)
            await take(driver, "data", page.key, pictures)
    await show_parts(driver, pictures)
    reports = driver.app.crashes.unseen()
    assert not reports, reports[0].read_text(encoding="utf-8")


async def show_parts(driver: WindowDriver, pictures: Pictures) -> None:
    """Every part of Settings, on a sheet of their own."""
    for part in SECTIONS:
        driver.window.show_target(Target("settings", query=part.key))
        await asyncio.sleep(0.5)
        await take(driver, part.key, PARTS, pictures)


def never_open(data_dir: Path, signals: EngineSignals) -> Engine:
    engine = make_engine(data_dir, signals)

    async def wait() -> None:
        await asyncio.Event().wait()

    engine.open = wait  # type: ignore[method-assign]
    return engine


def collect(folder: Path) -> Pictures:
    pictures: Pictures = {}
    filled = folder / "filled"

    def walking(state: str) -> Callable[[WindowDriver], object]:
        return lambda driver: show_all(driver, state, pictures)

    engine_thread.OPENING_PATIENCE = 0.1
    drive(folder / "loading", walking("loading"), factory=never_open)  # type: ignore[arg-type]
    engine_thread.OPENING_PATIENCE = 12.0
    drive(folder / "empty", walking("empty"))  # type: ignore[arg-type]
    drive(filled, lambda driver: show_data(driver, pictures))
    file = DataDir(filled).mind("personal")
    content = file.read_bytes()
    file.write_bytes(content[:100] + b"\xff" * (len(content) - 100))
    drive(filled, walking("error"))  # type: ignore[arg-type]
    return pictures


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "run-output/contact").resolve()
    install(application(), "light")
    theme().reduced_motion = True
    with tempfile.TemporaryDirectory() as folder:
        pictures = collect(Path(folder))
    theme().choose("light")
    for scheme in SCHEMES:
        for size in SIZES:
            for page in PAGES:
                shown = [
                    (state, pictures[(state, page.key, scheme, size)])
                    for state in ("loading", "error", "empty", "data")
                ]
                sheet(shown, 2, out / f"{page.key}-{scheme}-{size[0]}x{size[1]}.png")
            parts = [(part.key, pictures[(part.key, PARTS, scheme, size)]) for part in SECTIONS]
            sheet(parts, 3, out / f"{PARTS}-{scheme}-{size[0]}x{size[1]}.png")
    sys.stdout.write(f"{len(pictures)} pictures on sheets in {out}\n")


if __name__ == "__main__":
    import multiprocessing

    multiprocessing.set_start_method("spawn")
    main()
