"""PAGES: complete, built on first show, and each in its four states, reached through the engine."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.engine import Engine
from hivemind.paths import DataDir, resource_path
from hivemind_desktop.application import make_engine
from hivemind_desktop.bridge import EngineSignals
from hivemind_desktop.pages import PAGES
from hivemind_desktop.widgets.page import Target
from hivemind_desktop.widgets.states import SKELETON_AFTER_MS

#: Pages about the memories of a mind; Settings is about the installation and has no empty state.
OF_A_MIND = tuple(page.key for page in PAGES if page.key != "settings")
#: A log begins with its first entry, so its checks always say something; the tab of calls has its own empty state.
NEVER_EMPTY = ("compliance",)


def test_keys_icons_and_order() -> None:
    assert len({page.key for page in PAGES}) == len(PAGES)
    for page in PAGES:
        assert resource_path("icons", f"{page.icon}.svg").exists()
        assert page.on_rail().name == page.title
    assert PAGES[0].key == "home"


def test_pages_are_built_when_first_shown(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        assert list(driver.window._built) == ["home"]
        await driver.show("memories")
        assert list(driver.window._built) == ["home", "memories"]

    drive(tmp_path, walk)


def test_loading_while_the_engine_opens(tmp_path: Path) -> None:
    opening = asyncio.Event()

    def slow(data_dir: Path, signals: EngineSignals) -> Engine:
        engine = make_engine(data_dir, signals)
        plain = engine.open

        async def open_slowly() -> None:
            await opening.wait()
            await plain()

        engine.open = open_slowly  # type: ignore[method-assign]
        return engine

    async def walk(driver: WindowDriver) -> None:
        for page in PAGES:
            driver.window.show_target(Target(page.key))
            await asyncio.sleep(SKELETON_AFTER_MS / 1000 + 0.1)
            stack = driver.window.page(page.key).view.stack
            assert stack.state == "loading"
            assert stack.currentWidget() is stack._skeleton, page.key
            assert stack._skeleton.accessibleName()
        driver.app._thread._loop.call_soon_threadsafe(opening.set)
        for page in PAGES:
            await driver.show(page.key)

    drive(tmp_path, walk, factory=slow)


def test_empty_then_data(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json")

    async def walk(driver: WindowDriver) -> None:
        for key in OF_A_MIND:
            await driver.show(key)
            expected = "data" if key in NEVER_EMPTY else "empty"
            await driver.until(
                lambda key=key, expected=expected: driver.window.page(key).view.stack.state == expected, key
            )
        await driver.show("settings")
        assert driver.window.page("settings").view.stack.state == "data"
        await driver.import_file(export)
        saved = await driver.app.client.call(lambda engine: engine.memory.save("On its way out", "personal"))
        await driver.app.client.call(lambda engine: engine.memory.trash("personal", [saved.frame.id]))
        for page in PAGES:
            await driver.show(page.key)
            await driver.until(lambda key=page.key: driver.window.page(key).view.stack.state == "data", page.key)

    drive(tmp_path / "data", walk)


def break_mind(data_dir: Path) -> Path:
    """A mind whose file is damaged beyond its first page. Returns a whole copy."""
    file = DataDir(data_dir).mind("personal")
    whole = file.with_suffix(".whole")
    content = file.read_bytes()
    whole.write_bytes(content)
    file.write_bytes(content[:100] + b"\xff" * (len(content) - 100))
    return whole


def test_error_of_a_corrupt_mind_and_try_again(tmp_path: Path) -> None:
    async def make(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("A memory of mine", "personal"))

    drive(tmp_path, make)
    whole = break_mind(tmp_path)

    async def walk(driver: WindowDriver) -> None:
        for key in OF_A_MIND:
            await driver.show(key)
            stack = driver.window.page(key).view.stack
            assert stack.state == "error", key
            assert stack.told is not None
            assert "damaged" in stack.told.accessibleName()
        await driver.show("settings")
        assert driver.window.page("settings").view.stack.state == "data"  # it names the damage among its facts
        assert "damaged" in driver.window.mind_item.words()
        DataDir(tmp_path).mind("personal").write_bytes(whole.read_bytes())
        for key in OF_A_MIND:
            await driver.show(key)
            controller = driver.window.page(key)
            controller.retry()
            await driver.until(lambda key=key: driver.window.page(key).view.stack.state in ("data", "empty"), key)

    drive(tmp_path, walk)


def test_error_of_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    place = tmp_path / "a file, not a folder"
    place.write_text("in the way")

    async def walk(driver: WindowDriver) -> None:
        for page in PAGES:
            await driver.show(page.key)
            stack = driver.window.page(page.key).view.stack
            assert stack.state == "error", page.key
            assert stack.told is not None
            assert "cannot be written" in stack.told.accessibleName()

    drive(place, walk)


@pytest.mark.parametrize("key", [page.key for page in PAGES])
def test_an_error_can_be_tried_again_by_keyboard(tmp_path: Path, key: str) -> None:
    place = tmp_path / "data"
    place.write_text("in the way")

    async def walk(driver: WindowDriver) -> None:
        await driver.show(key)
        told = driver.window.page(key).view.stack.told
        assert told is not None
        place.unlink()
        told.next_steps[0].click()  # type: ignore[attr-defined]
        await driver.until(lambda: driver.window.page(key).view.stack.state in ("data", "empty"), key)

    drive(place, walk)


def test_without_the_vector_library_search_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAGGLE_SQLITE_VEC_PATH", str(tmp_path / "missing.so"))

    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("The heron stood still", "personal"))
        await driver.until(lambda: driver.window.mode_item.words() == "Search by words only")
        await driver.search("heron")
        assert driver.memories.model.rowCount() == 1
        assert driver.memories._mode.accessibleName().startswith("By words only. ")
        await driver.show("settings")

    drive(tmp_path / "data", walk)
