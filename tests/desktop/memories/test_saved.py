"""Saved searches in the window: saved under a name, taken again, renamed, deleted, each undone."""

from __future__ import annotations

from pathlib import Path

from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.search import Profile, SavedSearch
from hivemind_desktop.widgets.name_dialog import NameDialog

HERE = "personal"


async def answer(driver: WindowDriver, name: str) -> None:
    dialogs = driver.window.findChildren
    await driver.until(lambda: any(each.isVisible() for each in dialogs(NameDialog)))
    dialog = next(each for each in dialogs(NameDialog) if each.isVisible())
    dialog.line.setText(name)
    dialog._take() if name else dialog.reject()
    await driver.idle()


def test_the_life_of_a_saved_search(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await call(lambda e: e.memory.save("A heron in the reeds", HERE))
        await driver.search("heron")
        page = driver.memories_controller
        page.rank_by(Profile.RECENT)
        await driver.idle()
        assert "search.save" in page.offers()
        assert "search.delete" not in page.offers()
        driver.window.perform("search.save")
        await answer(driver, "")
        assert await call(lambda e: e.searches.list_all(HERE)) == ()
        driver.window.perform("search.save")
        await answer(driver, "Birds")
        assert await call(lambda e: e.searches.list_all(HERE)) == (SavedSearch("Birds", "heron", Profile.RECENT),)
        assert driver.memories.filters._saved_button.words() == "Birds"
        assert "search.save" not in page.offers()
        driver.window.perform("search.rename")
        await answer(driver, "Herons")
        page.rank_by(Profile.BALANCED)
        page.put_line("")
        await driver.idle()
        driver.memories.filters.saved_chosen.emit("Herons")
        await driver.until(lambda: page._shown == ("heron", False))
        assert (page.profile, driver.memories.search.text()) == (Profile.RECENT, "heron")
        await driver.idle()
        driver.window.perform("search.delete")
        await driver.idle()
        assert await call(lambda e: e.searches.list_all(HERE)) == ()
        for names in (["Herons"], ["Birds"], []):
            await call(lambda e: e.changes.undo(HERE))
            assert [one.name for one in await call(lambda e: e.searches.list_all(HERE))] == names

    drive(tmp_path, walk)
