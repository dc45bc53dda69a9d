"""Ask end to end through the real LiteLLM proxy, streaming and failing: one turn is exactly one interaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import keyring
import pytest
from tests.core.credentials.test_store import Drawer
from tests.core.engine.conftest import Driver
from tests.services.proxy import KEY

from hivemind.domain.ask import AnswerEnd, AnswerText, AskEvent, ToolUsed
from hivemind.domain.chat import Endpoint
from hivemind.engine import Engine
from hivemind.errors import HiveMindError, HostUnreachable, KeyRefused, RequestRefused, ServiceFailed
from hivemind.llm import openai_compatible

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    before = keyring.get_keyring()
    keyring.set_keyring(Drawer())
    made = Driver(tmp_path / "data")
    yield made
    made.close()
    keyring.set_keyring(before)


async def use(engine: Engine, address: str, model: str, key: str = KEY) -> None:
    await engine.providers.add(Endpoint("litellm", "LiteLLM", address, local=True, needs_key=True))
    await engine.providers.set_key("litellm", key, keep=True)
    await engine.providers.choose("litellm", model)
    await engine.memory.save("The lemon tree was planted in March.", "personal")


async def ask(engine: Engine, question: str = "When was the lemon tree planted?") -> list[AskEvent]:
    prepared = await engine.ask.prepare(question)
    return [event async for event in engine.ask.ask(prepared)]


async def settled(engine: Engine, state: str) -> None:
    """Exactly one model call in the view, ended so; the log intact; and every request has its entry."""
    calls = [one for one in await engine.evidence.interactions("personal") if one.kind == "llm_call"]
    assert [one.state for one in calls] == [state]
    assert calls[0].provider == "litellm"
    assert (await engine.evidence.verify("personal")).intact


def test_a_streamed_answer_is_one_interaction(driver: Driver, litellm: str) -> None:
    async def errand(engine: Engine) -> None:
        await use(engine, litellm, "answers")
        events = await ask(engine)
        assert len([one for one in events if isinstance(one, AnswerText)]) >= 2, "it came in pieces"
        end = events[-1]
        assert isinstance(end, AnswerEnd)
        assert end.text == "In March [1]."
        assert [one.number for one in end.citations] == [1]
        assert end.input_tokens
        assert end.cost_usd == 0.0
        await settled(engine, "finished")

    driver.run(errand)


def test_what_is_sent_arrives_as_it_was_shown(driver: Driver, litellm: str) -> None:
    async def errand(engine: Engine) -> None:
        await use(engine, litellm, "echo")
        prepared = await engine.ask.prepare("lemon")
        [card] = prepared.recalled.cards
        end = [event async for event in engine.ask.ask(prepared)][-1]
        assert isinstance(end, AnswerEnd)
        assert card.text in end.text
        assert prepared.question in end.text
        await engine.memory.save("The lemon tart needs six eggs.", "personal")
        prepared = await engine.ask.prepare("lemon")
        left = frozenset(card.number for card in prepared.recalled.cards if "eggs" not in card.text)
        end = [event async for event in engine.ask.ask(prepared, left)][-1]
        assert isinstance(end, AnswerEnd)
        assert "six eggs" not in end.text

    driver.run(errand)


def test_a_turn_with_a_tool_stays_one_interaction(driver: Driver, litellm: str) -> None:
    async def errand(engine: Engine) -> None:
        await use(engine, litellm, "tools")
        events = await ask(engine)
        assert [one.name for one in events if isinstance(one, ToolUsed) and one.done] == ["search_memories"]
        assert isinstance(events[-1], AnswerEnd)
        await settled(engine, "finished")
        kinds = sorted(one.kind for one in await engine.evidence.interactions("personal"))
        assert kinds == ["llm_call", "tool_call"]

    driver.run(errand)


@pytest.mark.parametrize(
    ("model", "faults"),
    [
        ("status-500", (ServiceFailed,)),
        ("status-503", (ServiceFailed,)),
        ("status-400", (RequestRefused, ServiceFailed)),
        ("status-401", (KeyRefused,)),
        ("status-429", (HiveMindError,)),
        ("breaks", (HiveMindError,)),
    ],
)
def test_each_way_to_fail_is_named_and_recorded_once(
    driver: Driver, litellm: str, model: str, faults: tuple[type[HiveMindError], ...]
) -> None:
    async def errand(engine: Engine) -> None:
        await use(engine, litellm, model)
        with pytest.raises(faults) as told:
            await ask(engine)
        assert told.value.hint
        await settled(engine, "failed")

    driver.run(errand)


def test_a_wrong_key_is_said(driver: Driver, litellm: str) -> None:
    async def errand(engine: Engine) -> None:
        await use(engine, litellm, "answers", key="sk-wrong")
        with pytest.raises((KeyRefused, RequestRefused)):
            await ask(engine)
        await settled(engine, "failed")

    driver.run(errand)


def test_a_proxy_that_is_gone_is_said(driver: Driver, litellm: str) -> None:
    async def errand(engine: Engine) -> None:
        await use(engine, "http://127.0.0.1:1/v1", "answers")
        with pytest.raises(HostUnreachable):
            await ask(engine)
        await settled(engine, "failed")

    driver.run(errand)


def test_silence_ends_by_itself(driver: Driver, litellm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_compatible, "SILENCE", 2.0)

    async def errand(engine: Engine) -> None:
        await use(engine, litellm, "hangs")
        with pytest.raises(HiveMindError):
            await ask(engine)
        await settled(engine, "failed")

    driver.run(errand)


def test_stopping_in_the_middle(driver: Driver, litellm: str) -> None:
    async def errand(engine: Engine) -> None:
        await use(engine, litellm, "hangs")
        prepared = await engine.ask.prepare("lemon")
        async with aclosing(engine.ask.ask(prepared)) as events:
            async for event in events:
                if isinstance(event, AnswerText):
                    break
        await settled(engine, "failed")

    driver.run(errand)


def test_the_models_are_listed(driver: Driver, litellm: str) -> None:
    async def errand(engine: Engine) -> None:
        await use(engine, litellm, "answers")
        assert "answers" in await engine.providers.list_models("litellm")

    driver.run(errand)
