"""Ask through the engine, over a real connection and a real log: one turn is one interaction, whatever happens.

Covers: ask_service, ask_turns.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.core.engine.asking import ORDERS, answer, asked, calls, traces, turn, wants
from tests.core.engine.conftest import Driver
from tests.core.llm.scripted_service import (
    STREAM_HEAD,
    chunk,
    status,
)

from hivemind.domain.ask import (
    AnswerEnd,
    AnswerText,
    AnswerWithheld,
    Citation,
    CorrectionSeen,
    RecallSent,
)
from hivemind.domain.frames import Provenance
from hivemind.engine import Engine
from hivemind.errors import InvalidValue, MindBusy, NoModelChosen, NotFound, RecorderFault, ServiceFailed
from hivemind.gateway import recorder as recording


def test_an_answer_with_its_sources_is_one_interaction(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        tree = (await engine.memory.save("The lemon tree was planted in March.", "personal")).frame.id
        async with asked(engine, answer("In March ", "[1]. ", "Or [9].")) as service:
            events = await turn(engine, "When was the lemon tree planted?")
        assert isinstance(events[0], RecallSent)
        assert [one.text for one in events if isinstance(one, AnswerText)] == ["In March ", "[1]. ", "Or [9]."]
        end = events[-1]
        assert isinstance(end, AnswerEnd)
        assert (end.citations, end.uncited) == ((Citation(1, "personal", tree),), (9,))
        assert (end.model, end.provider, end.input_tokens, end.cost_usd) == ("small-1", "lab", 12, 0.0)
        [call] = await calls(engine)
        assert (call.kind, call.state, call.model) == ("llm_call", "finished", "small-1")
        texts = {one.field: one.body for one in await engine.evidence.texts("personal", call.call_uuid)}
        assert texts == {"input": "When was the lemon tree planted?", "output": "In March [1]. Or [9]."}
        assert (await engine.evidence.verify("personal")).intact
        [(outcome, content)] = await traces(engine)
        assert (outcome, content["sent"]) == ("success", [["personal", tree]])
        system, user = service.bodies[0]["messages"]
        assert "square brackets" in system["content"]
        assert "[1] [" in user["content"]
        assert user["content"].endswith("When was the lemon tree planted?")
        detail = await engine.memory.detail("personal", tree)
        assert detail.frame.access_count == 1

    driver.run(errand)


def test_what_is_unticked_does_not_leave(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("The lemon tree was planted in March.", "personal")
        await engine.memory.save("The lemon tart needs six eggs.", "personal")
        await engine.memory.save(f"Lemon. {ORDERS}", "personal", source=Provenance.IMPORT)
        async with asked(engine, answer("Yes.")) as service:
            prepared = await engine.ask.prepare("lemon")
            assert len(prepared.recalled.cards) == 2
            kept = next(card for card in prepared.recalled.cards if "tart" in card.text)
            [event async for event in engine.ask.ask(prepared, frozenset({kept.number}))]
        sent = json.dumps(service.bodies)
        assert "six eggs" in sent
        assert "March" not in sent
        assert "evil" not in sent

    driver.run(errand)


def test_reading_another_mind_is_written_into_both(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        other = (await engine.workspaces.create("Work")).workspace
        await engine.memory.save("The office tree is a ficus.", other)
        await engine.memory.save("The home tree is a fig.", "personal")
        script = answer("A ficus [2]."), wants("search_memories", query="office"), answer("Ficus.")
        async with asked(engine, *script):
            events = await turn(engine, "tree", minds=("personal", other))
            assert await events_of(engine, other) == await events_of(engine, "personal") == 1
            prepared = await engine.ask.prepare("tree", minds=("personal", other))
            own = frozenset(card.number for card in prepared.recalled.cards if card.workspace == "personal")
            [event async for event in engine.ask.ask(prepared, own)]
        end = events[-1]
        assert isinstance(end, AnswerEnd)
        assert [one.workspace for one in end.citations] == [other]
        # The card of the other mind was left out, but the tool read it.
        assert await events_of(engine, other) == await events_of(engine, "personal") == 2
        assert await calls(engine, other) == []

    driver.run(errand)


async def events_of(engine: Engine, workspace: str) -> int:
    mind = await engine.minds.get(workspace)
    return int(
        await mind.read(
            lambda tx: tx.connection.execute("SELECT count(*) FROM ai_log_chain WHERE kind = 'cross_mind_read'").get
        )
    )


def test_an_end_that_cannot_be_recorded_withholds_the_answer(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    real, broken = recording.record_ended, [True]

    def record_ended(*given: Any) -> Any:
        if broken[0]:
            raise MindBusy
        return real(*given)

    monkeypatch.setattr(recording, "record_ended", record_ended)

    async def errand(engine: Engine) -> None:
        async with asked(engine, answer("Secretly.")):
            first = (await turn(engine, "hello"))[-1]
            assert isinstance(first, AnswerWithheld)
            assert first.hint
            with pytest.raises(RecorderFault):
                await engine.ask.retry_writing(first.turn)
            broken[0] = False
            end = await engine.ask.retry_writing(first.turn)
            assert end.text == "Secretly."
            with pytest.raises(NotFound):
                await engine.ask.retry_writing(first.turn)
            broken[0] = True
            second = (await turn(engine, "hello"))[-1]
            assert isinstance(second, AnswerWithheld)
            broken[0] = False
            await engine.ask.discard(second.turn)
        llm = [(one.state) for one in await calls(engine) if one.kind == "llm_call"]
        assert llm == ["finished", "failed"]
        assert [outcome for outcome, _ in await traces(engine)] == ["success", "abandoned"]
        assert "Secretly" not in json.dumps((await traces(engine))[1])

    driver.run(errand)


def test_a_start_that_cannot_be_recorded_sends_nothing(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def record_started(*_: Any) -> Any:
        raise MindBusy

    async def errand(engine: Engine) -> None:
        async with asked(engine, answer("Secretly.")) as service:
            monkeypatch.setattr(recording, "record_started", record_started)
            with pytest.raises(RecorderFault):
                await turn(engine, "hello")
            assert service.heads == []
        assert await calls(engine) == []

    driver.run(errand)


def test_stopping_and_failing_leave_one_failed_interaction(driver: Driver) -> None:
    async def slowly(writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM_HEAD + chunk("One "))
        await writer.drain()
        await asyncio.sleep(30)

    async def errand(engine: Engine) -> None:
        async with asked(engine, slowly, status(500), status(500), status(500)):
            prepared = await engine.ask.prepare("hello")
            events = engine.ask.ask(prepared)
            async for event in events:
                if isinstance(event, AnswerText):
                    break
            await events.aclose()
            with pytest.raises(ServiceFailed):
                await turn(engine, "hello again")
        assert [(one.kind, one.state) for one in await calls(engine)] == [("llm_call", "failed")] * 2
        assert [outcome for outcome, _ in await traces(engine)] == ["abandoned"] * 2

    driver.run(errand)


def test_nothing_remembered_asks_nobody_when_sources_are_demanded(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        async with asked(engine, answer("I made this up.")) as service:
            [end] = await turn(engine, "What is my shoe size?", persona="researcher")
            assert isinstance(end, AnswerEnd)
            assert (end.nothing, end.text) == (True, "I have nothing on that.")
            assert service.heads == []
            assert await calls(engine) == []
            assert isinstance((await turn(engine, "What is my shoe size?"))[-1], AnswerEnd)
            assert len(service.heads) == 1

    driver.run(errand)


def test_a_correction_is_noted_and_can_be_dismissed(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        async with asked(engine, answer("In May.")) as service:
            first = await engine.ask.prepare("When is the dentist?")
            [event async for event in engine.ask.ask(first)]
            again = {"conversation": first.conversation}
            assert first.earlier == 0
            assert (await engine.ask.prepare("And?", **again)).earlier == 1
            events = await turn(engine, "No, that is wrong. It is in June.", **again)
            seen = events[0]
            assert isinstance(seen, CorrectionSeen)
            assert [outcome for outcome, _ in await traces(engine)] == ["corrected", "success"]
            before = [one["content"] for one in service.bodies[-1]["messages"]]
            assert "In May." in before
            assert await engine.ask.dismiss_correction(seen)
            assert [outcome for outcome, _ in await traces(engine)] == ["success", "success"]
            assert not await engine.ask.dismiss_correction(seen)
            fresh = await turn(engine, "No, that is wrong.")
            assert not isinstance(fresh[0], CorrectionSeen)

    driver.run(errand)


def test_an_answer_is_kept_marked_and_undone(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("The lemon tree was planted in March.", "personal")
        async with asked(engine, answer("It was in March [1].")):
            prepared = await engine.ask.prepare("When was the lemon tree planted?")
            end = [event async for event in engine.ask.ask(prepared)][-1]
        assert isinstance(end, AnswerEnd)
        for draft in (False, True):
            saved = (await engine.ask.save_answer(prepared, end, draft=draft)).frame
            assert (saved.source, saved.author) == (Provenance.AGENT_INFERRED, "ai:lab/small-1")
            assert ("Draft: When" in saved.content) is draft
            await engine.changes.undo("personal")
        assert await engine.memory.count("personal") == 1

    driver.run(errand)


def test_without_words_model_or_persona(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        with pytest.raises(NoModelChosen):
            await engine.ask.prepare("hello")
        async with asked(engine, answer("x")):
            for wrong in ("  ", "x" * 20_001):
                with pytest.raises(InvalidValue):
                    await engine.ask.prepare(wrong)
            with pytest.raises(NotFound):
                await engine.ask.prepare("hello", persona="pirate")

    driver.run(errand)


def test_recall_and_context_without_a_model(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("Decision: the roof becomes green.", "personal")
        assert [card.number for card in (await engine.ask.recall("what did we decide")).cards] == [1]
        parts, known = await engine.ask.context("personal")
        assert [part.title for part in parts] == ["Role", "Self-Awareness", "Rules"]
        assert [card.background for card in known.cards] == [True]

    driver.run(errand)


def test_the_notice_is_written_down_once_per_run(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        for _ in range(2):
            await engine.ask.notice_shown("personal")
        mind = await engine.minds.get("personal")
        query = "SELECT count(*) FROM ai_log_chain WHERE kind = 'notice'"
        assert await mind.read(lambda tx: tx.connection.execute(query).get) == 1
        assert await calls(engine) == []

    driver.run(errand)
