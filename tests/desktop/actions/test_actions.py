"""ACTIONS: complete and unambiguous; each can be done; each that writes can be undone to the last row."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QKeySequence
from tests.core.engine.test_undo import dump
from tests.desktop.exports import write_export
from tests.desktop.importing.test_reviewing import risky_export
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.frames import Importance
from hivemind.domain.review import ReviewKind
from hivemind.domain.search import SavedSearch
from hivemind.paths import resource_path
from hivemind_desktop import actions
from hivemind_desktop.actions import ACTIONS, Action
from hivemind_desktop.pages import PAGES
from hivemind_desktop.sessions.merge import MergeSheet
from hivemind_desktop.widgets.name_dialog import NameDialog
from hivemind_desktop.widgets.page import Target

#: Actions that write in the mind at once and leave a change to undo.
UNDOABLE = [action.id for action in ACTIONS if action.writes and action.id not in ("import.undo", "sample.remove")]


def test_ids_shortcuts_icons_and_pages() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    keys = [QKeySequence(action.shortcut).toString() for action in ACTIONS if action.shortcut]
    assert all(keys)
    assert len(set(keys)) == len(keys)
    pages = {page.key for page in PAGES}
    for action in ACTIONS:
        assert action.page in pages | {""}
        assert resource_path("icons", f"{action.icon}.svg").exists(), action.icon
        assert action.name()
        assert action.page or not action.needs
        assert action.other_words() == action.also


def test_what_a_module_of_the_room_offers_is_in_actions() -> None:
    modules = [
        importlib.import_module(f"{actions.__name__}.{one.name}") for one in pkgutil.iter_modules(actions.__path__)
    ]
    written = [part for module in modules for part in vars(module).values() if isinstance(part, tuple)]
    assert sorted(action.id for part in written for action in part) == sorted(action.id for action in ACTIONS)


def test_every_page_can_be_gone_to() -> None:
    assert {f"go.{page.key}" for page in PAGES} == {action.id for action in ACTIONS if action.id.startswith("go.")}


def test_no_single_key_destroys() -> None:
    for action in ACTIONS:
        if action.id in ("memory.trash", "import.undo", "import.cancel", "memory.retract"):
            assert "+" in action.shortcut or not action.shortcut


def test_nothing_is_offered_that_cannot_be_done(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        offered = {action.id for action in ACTIONS if driver.window.is_offered(action)}
        assert offered == {action.id for action in ACTIONS if not action.needs}
        for action in ACTIONS:
            if action.needs:
                driver.window.perform(action.id)  # refused without a word
                assert driver.window.shown == "home"

    drive(tmp_path, walk)


async def prepare(driver: WindowDriver, action_id: str) -> None:
    """Bring the window to where the action can be done."""
    call = driver.app.client.call
    if action_id.startswith("session."):
        (first, *_) = await call(lambda engine: engine.sessions.list_rows("personal"))
        if action_id == "session.reopen":
            await call(lambda engine: engine.sessions.close("personal", first.session.id))
        if action_id in ("session.merge", "session.split"):
            other = await call(lambda engine: engine.memory.save("The kettle is blue", "personal"))
        if action_id == "session.split":
            await call(lambda engine: engine.sessions.merge("personal", other.frame.session_id, first.session.id))
        await driver.show("sessions")
        driver.sessions.picked.emit(first.session.id)
        await driver.until(lambda: driver.window.page("sessions").offers())
        return
    if action_id.startswith("review."):
        kind = ReviewKind.QUARANTINED if action_id == "review.release" else ReviewKind.MASKED
        driver.window.show_target(Target("import", query=f"review {kind}"))
        view = driver.importing.review
        await driver.until(view.cards)
        view.cards()[-1 if view.cards()[-1].entry.original else 0].focused.emit()
        assert action_id in driver.import_controller.offers()
        await driver.idle()
        return
    saved = await call(lambda engine: engine.memory.save("The kettle is blue", "personal"))
    if action_id == "memory.normal":
        ids = (saved.frame.id,)
        await call(lambda engine: engine.memory.set_importance("personal", ids, Importance.CRITICAL))
    if action_id == "trash.restore":
        await call(lambda engine: engine.memory.trash("personal", (saved.frame.id,)))
        await driver.show("trash")
        await driver.until(lambda: "trash.restore" in driver.window.page("trash").offers())
        return
    if action_id == "memory.restore":
        await call(lambda engine: engine.memory.trash("personal", (saved.frame.id,)))
    await driver.show("memories")
    driver.memories_controller.open_memory(saved.frame.id)
    await driver.until(lambda: driver.memories_controller.detail is not None)
    if action_id.startswith("search."):
        if action_id != "search.save":
            await call(lambda engine: engine.searches.save("personal", SavedSearch("Kettles", "kettle")))
        driver.memories_controller.put_line("kettle")
        await driver.until(lambda: action_id in driver.memories_controller.offers())
    driver.memories_controller.uses.count()  # reading counts as use, and that is no action
    await driver.idle()


async def write_words(driver: WindowDriver, words: str) -> None:
    await driver.until(lambda: driver.memories.detail.is_editing)
    driver.memories.detail.editor.text.setPlainText(words)
    driver.memories.detail.editor._try_save()


async def carry_out(driver: WindowDriver, action_id: str) -> None:
    driver.window.perform(action_id)
    if action_id in ("memory.new", "memory.edit"):
        await write_words(driver, "The kettle is green")
        await driver.until(lambda: not driver.memories.detail.is_editing)
    if action_id in ("search.save", "search.rename"):
        dialogs = driver.window.findChildren
        await driver.until(lambda: any(each.isVisible() for each in dialogs(NameDialog)))
        dialog = next(each for each in dialogs(NameDialog) if each.isVisible())
        dialog.line.setText("Another name")
        dialog._take()
    if action_id == "session.rename":
        driver.sessions.title_line.setText("Another name")
        driver.sessions.title_line.returnPressed.emit()
    if action_id == "session.merge":
        sheet = driver.window.findChild(MergeSheet)
        await driver.until(lambda: sheet.stack.state == "data" and sheet.list.model.session_at(1))
        sheet.list.view.setCurrentIndex(sheet.list.model.index(1))
        sheet.merge.click()
    await driver.idle()


async def rows(driver: WindowDriver) -> dict[str, list[Any]]:
    async def read(engine: Any) -> dict[str, list[Any]]:
        mind = await engine.minds.get("personal")
        return await mind.read(dump)  # type: ignore[no-any-return]

    return await driver.app.client.call(read)


@pytest.mark.parametrize("action_id", UNDOABLE)
def test_do_and_undo_leaves_every_row_as_before(tmp_path: Path, action_id: str) -> None:
    write = risky_export if action_id.startswith("review.") else partial(write_export, conversations=1)
    export = write(tmp_path / "conversations.json")

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.idle()
        await prepare(driver, action_id)
        before = await rows(driver)
        await carry_out(driver, action_id)
        assert await rows(driver) != before, "nothing was done"
        driver.window.perform("undo")
        await asyncio.sleep(0)
        await driver.until(lambda: not driver.window._commands._tasks.is_running("undo"))
        await driver.idle()
        after = await rows(driver)
        if action_id == "review.unmask":  # its text changes twice in place: each time its vectors are owed anew
            before["outbox"] = after["outbox"]
        assert after == before

    drive(tmp_path / "data", walk)


def test_undo_with_nothing_left_says_so(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        told: list[BaseException] = []
        driver.window._commands._tasks._on_failure = told.append
        driver.window.perform("undo")
        await driver.until(lambda: told)
        assert "nothing to undo" in str(told[0])

    drive(tmp_path, walk)


def test_undoing_an_import_asks_first_and_the_safe_answer_changes_nothing(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=1)

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        await driver.idle()
        before = await rows(driver)
        driver.window.perform("import.undo")
        await driver.answer("")
        await driver.until(lambda: not driver.import_controller.tasks.is_running("undo"))
        assert await rows(driver) == before

    drive(tmp_path / "data", walk)


def test_actions_are_plain_values() -> None:
    assert ACTIONS[0] == Action("go.home", "Go to Home", "house", "Ctrl+1")
