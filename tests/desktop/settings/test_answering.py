"""Models in Settings with the real engine: added, tried, keyed, chosen, removed.

Covers: answering, answering_control.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from tests.core.credentials.test_store import Drawer
from tests.core.llm.scripted_service import scripted, status
from tests.desktop.settings.settings_driver import open_part
from tests.desktop.window_driver import WindowDriver, drive

from hivemind_desktop.settings.answering import AnsweringSection
from hivemind_desktop.settings.answering_control import AnsweringController
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.dialogs import ErrorDialog
from hivemind_desktop.widgets.shell import Banner

LISTED = status(200, b'{"object": "list", "data": [{"id": "small-1", "object": "model"}]}')


@pytest.fixture(autouse=True)
def drawer() -> Iterator[Drawer]:
    before = keyring.get_keyring()
    one = Drawer()
    keyring.set_keyring(one)
    yield one
    keyring.set_keyring(before)


def press(section: AnsweringSection, words: str) -> None:
    [button, *_] = [one for one in section.findChildren(Button) if one.words() == words and one.isVisible()]
    button.click()


def test_a_service_is_added_tried_keyed_chosen_and_removed(tmp_path: Path, drawer: Drawer) -> None:
    async def walk(driver: WindowDriver) -> None:
        call, service = driver.app.client.call, scripted(LISTED, status(401))
        running = await call(lambda _engine: service.__aenter__())
        part = await open_part(driver, "answers", AnsweringController)
        section = part.section
        press(section, "Ollama")
        await driver.until(lambda: len(section.services) == 1, "the suggestion")
        section.name.setText("My server")
        section.address.setText(running.url)
        section.local.setChecked(True)
        section.add.click()
        await driver.until(lambda: len(section.services) == 2, "the own one")
        card = next(one for one in section.services if one.endpoint.label == "My server")
        card.key.setText("sk-canary-window")
        press_in = next(one for one in card.findChildren(Button) if one.words() == "Set the key")
        press_in.click()
        await driver.until(lambda: drawer.kept, "the key")
        await driver.until(lambda: not part.tasks.is_running("change"))
        card = next(one for one in section.services if one.endpoint.label == "My server")
        assert card.key.text() == ""
        for told in ("It answers: 1 models", "does not accept"):
            card.test.click()
            await driver.until(
                lambda told=told: any(told in one.accessibleName() for one in card.findChildren(Banner)), told
            )
            await driver.until(lambda: card.test.isEnabled())
        card.model.setText("small-1")
        card.use.click()
        await driver.until(lambda: not part.tasks.is_running("change"), "chosen")
        setup = await call(lambda engine: engine.providers.setup())
        assert (setup.chosen, setup.model) == ("my-server", "small-1")
        assert section.services[0].endpoint.label == "My server"
        section.services[0].remove_asked.emit()
        await driver.answer("yes")
        await driver.until(lambda: len(section.services) == 1, "removed")
        assert drawer.kept == {}
        await call(lambda _engine: service.__aexit__(None, None, None))

    drive(tmp_path, walk)


def test_an_address_that_may_not_be_is_refused_with_words(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        part = await open_part(driver, "answers", AnsweringController)
        part.section.name.setText("Odd")
        part.section.address.setText("http://169.254.169.254/v1")
        part.section.add.click()
        for _ in range(500):
            shown = [one for one in driver.window.findChildren(ErrorDialog) if one.isVisible()]
            if shown:
                break
            import asyncio

            await asyncio.sleep(0.01)
        assert shown
        shown[0].reject()
        assert not part.section.services

    drive(tmp_path, walk)
