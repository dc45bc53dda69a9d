"""The tools of Ask through the engine: allowed, agreed to, recorded, and never passing orders on.

Covers: ask_actions, ask_tools.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.core.engine.asking import ORDERS, answer, asked, calls, turn, wants
from tests.core.engine.conftest import Driver

from hivemind.domain.ask import (
    AnswerEnd,
    ApprovalWanted,
    Autonomy,
    ToolUsed,
)
from hivemind.domain.frames import Importance, Provenance
from hivemind.engine import Engine, ask_tools


def test_tools_are_calls_of_their_own_and_the_turn_stays_one(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("The fig tree stands by the wall.", "personal")
        script = wants("search_memories", query="fig tree"), wants("get_memory", number=1), answer("By the wall [1].")
        async with asked(engine, *script) as service:
            events = await turn(engine, "zzz")
        assert [one.name for one in events if isinstance(one, ToolUsed) and one.done] == [
            "search_memories",
            "get_memory",
        ]
        found = await calls(engine)
        assert sorted(one.kind for one in found) == ["llm_call", "tool_call", "tool_call"]
        assert {one.state for one in found} == {"finished"}
        [model] = [one for one in found if one.kind == "llm_call"]
        assert (model.input_tokens, model.output_tokens) == (36, 9)
        end = events[-1]
        assert isinstance(end, AnswerEnd)
        assert len(end.citations) == 1
        told = [one for one in service.bodies[-1]["messages"] if one["role"] == "tool"]
        assert len(told) == 2
        assert all("fig tree stands" in one["content"] for one in told)
        lines = await engine.privacy.destinations()
        assert sum(one.calls for one in lines) == 3

    driver.run(errand)


WRITES: list[tuple[str, dict[str, Any]]] = [
    ("save_memory", {"text": "Bo likes figs."}),
    ("add_awareness", {"category": "task", "text": "Call Bo"}),
    ("amend_memory", {"number": 1, "text": "The fig tree is gone."}),
    ("retract_memory", {"number": 1, "text": "Wrong"}),
    ("set_importance", {"number": 1, "importance": "critical"}),
    ("clear_awareness", {"id": 1}),
]


@pytest.mark.parametrize(("tool", "given"), WRITES, ids=[tool for tool, _ in WRITES])
@pytest.mark.parametrize("say", [True, False])
def test_a_write_waits_for_the_person_and_can_be_undone(
    driver: Driver, tool: str, given: dict[str, Any], say: bool
) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("The fig tree stands by the wall.", "personal")
        await engine.self.add_awareness("personal", "task", "Water the fig")  # type: ignore[arg-type]
        before = await picture(engine)
        async with asked(engine, wants(tool, **given), answer("Done.")):
            events = await turn(engine, "fig tree", say=say)
        [wanted] = [one for one in events if isinstance(one, ApprovalWanted)]
        assert wanted.tool == tool
        [used] = [one for one in events if isinstance(one, ToolUsed)]
        assert used.done is say, used
        [call] = [one for one in await calls(engine) if one.kind == "tool_call"]
        assert (call.human_action, call.state) == (("approved", "finished") if say else ("denied", "failed"))
        assert (await picture(engine) != before) is say
        if say:
            await engine.changes.undo("personal")
            assert await picture(engine) == before

    driver.run(errand)


async def picture(engine: Engine) -> object:
    frames = await engine.memory.list_frames("personal")
    items = await engine.self.awareness("personal")
    return [(one.content, one.importance) for one in frames], [one.content for one in items]


@pytest.mark.parametrize(
    ("autonomy", "asks"), [(Autonomy.NORMAL, 2), (Autonomy.TRUSTED, 1), (Autonomy.FREE, 0)], ids=str
)
def test_three_levels_of_autonomy(driver: Driver, autonomy: Autonomy, asks: int) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("The fig tree stands by the wall.", "personal")
        script = wants("save_memory", text="Bo likes figs."), wants("set_importance", number=1, importance="critical")
        async with asked(engine, *script, answer("Done.")):
            events = await turn(engine, "fig tree", autonomy=autonomy)
        assert len([one for one in events if isinstance(one, ApprovalWanted)]) == asks
        assert len([one for one in events if isinstance(one, ToolUsed) and one.done]) == 2
        saved, tree = await engine.memory.list_frames("personal")
        assert (saved.source, saved.author) == (Provenance.AGENT_INFERRED, "ai:lab/small-1")
        assert tree.importance is Importance.CRITICAL

    driver.run(errand)


def test_nobody_answering_decides_nothing(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask_tools, "APPROVAL_SECONDS", 0.05)

    async def errand(engine: Engine) -> None:
        async with asked(engine, wants("save_memory", text="x y z"), answer("Done.")):
            prepared = await engine.ask.prepare("hello")
            events = [event async for event in engine.ask.ask(prepared)]
        [used] = [one for one in events if isinstance(one, ToolUsed)]
        assert not used.done
        [call] = [one for one in await calls(engine) if one.kind == "tool_call"]
        assert (call.human_action, call.state) == ("none", "failed")
        assert await engine.memory.count("personal") == 0
        [wanted] = [one for one in events if isinstance(one, ApprovalWanted)]
        assert not await engine.ask.decide(wanted.id, True)

    driver.run(errand)


@pytest.mark.parametrize("tool", ["save_memory", "shell", "ign\u0000re\n"])
def test_a_tool_that_the_persona_may_not_use_is_refused_and_logged(driver: Driver, tool: str) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("The plan is to build a shed.", "personal")
        async with asked(engine, wants(tool, text="x"), answer("Fine.")) as service:
            events = await turn(engine, "the shed plan", persona="planner", autonomy=Autonomy.FREE)
        assert [one.done for one in events if isinstance(one, ToolUsed)] == [False]
        offered = {one["function"]["name"] for one in service.bodies[0]["tools"]}
        assert not offered & {"save_memory", "amend_memory"}
        [call] = [one for one in await calls(engine) if one.kind == "tool_call"]
        assert call.state == "failed"
        assert await engine.memory.count("personal") == 1

    driver.run(errand)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("get_memory", {"number": 99}),
        ("get_memory", {"number": "1"}),
        ("set_importance", {"number": 1, "importance": "deprecated"}),
        ("add_awareness", {"category": "mood", "text": "x"}),
        ("read_session", {"session": "nowhere"}),
    ],
)
def test_a_wrong_tool_call_is_answered_in_words_and_the_turn_goes_on(
    driver: Driver, tool: str, given: dict[str, Any]
) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("The fig tree stands by the wall.", "personal")
        async with asked(engine, wants(tool, **given), answer("Sorry.")) as service:
            events = await turn(engine, "fig tree", autonomy=Autonomy.FREE)
        assert isinstance(events[-1], AnswerEnd)
        assert [one.done for one in events if isinstance(one, ToolUsed)] == [False]
        [told] = [one for one in service.bodies[-1]["messages"] if one["role"] == "tool"]
        assert told["content"].endswith(".")

    driver.run(errand)


def test_every_reading_tool_answers(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        saved = (await engine.memory.save("The fig tree stands by the wall.", "personal")).frame
        await engine.memory.save("The fig tree stands by the gate.", "personal", amends=saved.id)
        await engine.self.add_awareness("personal", "task", "Water the fig")  # type: ignore[arg-type]
        script = [
            wants("memory_history", number=1), wants("list_recent_memories", limit=5), wants("list_sessions"),
            wants("read_session", session=saved.session_id), wants("list_awareness"), answer("Done."),
        ]  # fmt: skip
        async with asked(engine, *script) as service:
            events = await turn(engine, "fig tree")
        assert [one.done for one in events if isinstance(one, ToolUsed)] == [True] * 5
        told = [one["content"] for one in service.bodies[-1]["messages"] if one["role"] == "tool"]
        for content, words in zip(told, ("the wall", "the gate", saved.session_id, "the gate", "Water"), strict=True):
            assert words in content

    driver.run(errand)


def test_tools_pass_no_orders_on(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("The fig tree stands by the wall.", "personal")
        bad = (await engine.memory.save(f"The fig tree. {ORDERS}", "personal", source=Provenance.IMPORT)).frame
        mind = await engine.minds.get("personal")
        await mind.write(lambda tx: tx.frames.set_quarantine(bad.id, None))
        script = [wants("search_memories", query="fig tree"), wants("list_recent_memories"), answer("Done.")]
        async with asked(engine, *script) as service:
            await turn(engine, "fig tree")
        assert "evil" not in json.dumps(service.bodies)
        assert "1 held back" in json.dumps(service.bodies)

    driver.run(errand)
