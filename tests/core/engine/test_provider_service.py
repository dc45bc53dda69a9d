"""Setting up the services that answer, through the engine, with a real service and a drawer for a key store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from tests.core.credentials.test_store import Drawer
from tests.core.engine.conftest import Driver
from tests.core.llm.scripted_service import GOOD, scripted, status

from hivemind.domain.chat import CallPlace, ChatEnd, ChatMessage, ChatRequest, ChatRole, Endpoint
from hivemind.engine import Engine
from hivemind.errors import KeyStoreUnavailable, NotFound

CANARY = "sk-canary-provider-77"


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before = keyring.get_keyring()
    one = Drawer()
    keyring.set_keyring(one)
    yield one
    keyring.set_keyring(before)


def test_setting_up_choosing_and_removing(driver: Driver, drawer: Drawer) -> None:
    async def errand(engine: Engine) -> None:
        for endpoint in engine.providers.suggested:
            await engine.providers.add(endpoint)
        await engine.providers.choose("openai", "big")
        await engine.providers.set_key("openai", CANARY, keep=True)
        facts = await engine.providers.list()
        assert [one.endpoint.name for one in facts] == [
            "openai",
            "anthropic",
            "litellm",
            "lmstudio",
            "ollama",
            "voyage",
        ]
        assert [one.has_key for one in facts] == [True, False, False, False, False, False]
        await engine.providers.remove("openai")
        assert (await engine.providers.setup()).chosen == ""
        assert drawer.kept == {}
        for refused in (engine.providers.choose("openai", "x"), engine.providers.remove("openai")):
            with pytest.raises(NotFound):
                await refused

    driver.run(errand)


def test_a_locked_key_store_is_said_and_loses_nothing(driver: Driver, drawer: Drawer) -> None:
    async def errand(engine: Engine) -> None:
        await engine.providers.add(engine.providers.suggested[-1])
        drawer.locked = True
        [facts] = await engine.providers.list()
        assert facts.has_key is None
        assert facts.key_problem
        with pytest.raises(KeyStoreUnavailable):
            await engine.providers.remove("openai")
        assert len(await engine.providers.list()) == 1
        await engine.providers.set_key("openai", CANARY, keep=False)
        [facts] = await engine.providers.list()
        assert facts.has_key is True

    driver.run(errand)


def test_a_question_reaches_the_service_and_the_log(driver: Driver, drawer: Drawer, tmp_path: Path) -> None:
    listed = b'{"object": "list", "data": [{"id": "small-1", "object": "model"}]}'

    async def errand(engine: Engine) -> None:
        async with scripted(status(200, listed), GOOD) as service:
            await engine.providers.add(Endpoint("lab", "Lab", service.url, local=True))
            await engine.providers.set_key("lab", CANARY, keep=True)
            assert await engine.providers.list_models("lab") == ("small-1",)
            provider = await engine.providers.provider("lab", "personal")
            request = ChatRequest("small-1", (ChatMessage(ChatRole.USER, "hello"),))
            *_, end = [event async for event in provider.chat(request, CallPlace("c1", workspace_id="personal"))]
        assert isinstance(end, ChatEnd)
        places = {(one.host, one.feature) for one in await engine.privacy.destinations()}
        assert places == {(f"127.0.0.1:{service.port}", "ask"), (f"127.0.0.1:{service.port}", "model-list")}
        assert engine.redaction.cleaned(f"x {CANARY}") == "x [key]"

    driver.run(errand)
    holders = [
        file for file in (tmp_path / "data").rglob("*") if file.is_file() and CANARY.encode() in file.read_bytes()
    ]
    assert holders == []


def test_prices_of_ones_own(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        assert (await engine.providers.prices()).cost("lab", "m", 1, 1) is None
        file = engine.data.prices_file
        entry = '{"service": "lab", "model": "*", "input_usd": 1, "output_usd": 1}'
        file.write_text(f'{{"as_of": "2026-12-01", "prices": [{entry}]}}', "utf-8")
        assert (await engine.providers.prices()).cost("lab", "m", 1_000_000, 0) == 1.0

    driver.run(errand)
