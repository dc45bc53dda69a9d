"""A service for search by meaning, in the window: chosen from a menu, agreed to with figures, or left alone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from tests.core.embedding_server import EmbeddingServer
from tests.desktop.settings.settings_driver import open_part
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.chat import Endpoint, Vendor
from hivemind.domain.minds import HostedPlan
from hivemind.embeddings.folder import VARIABLE
from hivemind.settings import load_settings
from hivemind_desktop.settings.models_control import ModelsController
from hivemind_desktop.settings.service_choice import ServiceMenu, agreement, services_for_vectors
from hivemind_desktop.widgets.dialogs import QuestionDialog
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.name_dialog import NameDialog

OLLAMA = Endpoint("ollama", "Ollama", "http://localhost:11434/v1", local=True, needs_key=False)
OPENAI = Endpoint("openai", "OpenAI", "https://api.openai.com/v1")
CLAUDE = Endpoint("anthropic", "Anthropic", "https://api.anthropic.com", Vendor.ANTHROPIC)
PLAN = HostedPlan("openai", "OpenAI", "small", OPENAI.base_url, "api.openai.com", False, 1204, 3)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """On a loop of its own: the window has another."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    one = asyncio.run_coroutine_threadsafe(EmbeddingServer(width=64).start(), loop).result(10)
    yield one
    asyncio.run_coroutine_threadsafe(one.stop(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_what_makes_vectors_is_offered_set_up_first() -> None:
    assert services_for_vectors([OPENAI, CLAUDE], [OLLAMA, OPENAI, replace(OPENAI, name="voyage")]) == [OPENAI, OLLAMA]
    assert services_for_vectors([replace(OLLAMA, label="Mine")], [OLLAMA])[0].label == "Mine"


def test_the_question_says_how_much_goes_where() -> None:
    title, words, button = agreement(PLAN)
    assert title == "Send your memories to OpenAI?"
    assert "OpenAI at api.openai.com, on the internet," in words
    assert f"{number(1204)} memories in all minds together" in words
    assert button == "Send to api.openai.com"
    assert "its network as you said" in agreement(replace(PLAN, local=True))[1]


@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing)", extend=True)  # menus, offscreen
def test_chosen_after_agreeing_and_left_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: EmbeddingServer, search_model: Path
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    lab = Endpoint("lab", "Lab", server.url, local=True, needs_key=False)

    async def ask(driver: WindowDriver, model: str, answer: str) -> None:
        driver.window.perform("model.service")
        await driver.until(lambda: any(each.isVisible() for each in driver.window.findChildren(ServiceMenu)), "a menu")
        menu: QMenu = next(each for each in driver.window.findChildren(ServiceMenu) if each.isVisible())
        first, *_ = menu.actions()
        assert first.text() == f"Lab, {server.url}"
        first.trigger()
        menu.close()
        await driver.until(lambda: any(each.isVisible() for each in driver.window.findChildren(NameDialog)), "a name")
        dialog = next(each for each in driver.window.findChildren(NameDialog) if each.isVisible())
        dialog.line.setText(model)
        dialog._take()
        await driver.answer(answer)

    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("The ferry leaves at noon", "personal"))
        await driver.app.client.call(lambda engine: engine.providers.add(lab))
        part = await open_part(driver, "models", ModelsController)
        await driver.until(lambda: part.models.model.full_text() == "all-MiniLM-L6-v2", "the bundled model")
        assert "kept on this computer" in part.models._told.text()
        await ask(driver, "small", "")
        await driver.until(lambda: not part.tasks.is_running("choose"))
        assert server.bodies == []
        assert not [each for each in driver.window.findChildren(QuestionDialog) if each.isVisible()]
        await ask(driver, "small", "yes")
        await driver.until(lambda: part.models.model.full_text() == "lab/small", "the service's model")
        assert part.models.where.full_text() == server.url
        assert "sent there" in part.models._told.text()
        settings = driver.app.desk.settings
        assert (settings.embedder_service, settings.embedder_model, settings.embedder_address) == (
            "lab",
            "small",
            server.url,
        )
        part.models.bundled.click()
        await driver.until(lambda: part.models.model.full_text() == "all-MiniLM-L6-v2", "the bundled model again")

    drive(tmp_path / "data", walk)
    assert load_settings(tmp_path / "data" / "settings.json").embedder_service == ""
