"""The 22 personas are whole, differ, keep their lists apart, and a damaged file is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hivemind.agent.personas import DEFAULT, load_personas
from hivemind.agent.tools import NAMES, find_tool, must_ask, offered
from hivemind.domain.ask import Autonomy, ToolEffect
from hivemind.errors import InvalidValue
from hivemind.paths import resource_path

PERSONAS = load_personas(resource_path("personas"))


def test_there_are_twenty_two_and_they_differ() -> None:
    assert len(PERSONAS) == 22
    assert PERSONAS[0].id == DEFAULT
    for of in ("id", "name", "tagline", "prompt", "failure_patterns"):
        assert len({getattr(one, of) for one in PERSONAS}) == 22, of


def test_denied_beats_allowed_and_read_only_personas_only_read() -> None:
    for one in PERSONAS:
        assert not set(one.tools) & set(one.denied), one.id
        assert {tool.name for tool in offered(one)} == set(one.tools)
    for one in PERSONAS:
        if one.id in ("planner", "verifier", "recruiter", "hr-manager"):
            assert {tool.effect for tool in offered(one)} == {ToolEffect.READS}
    general = PERSONAS[0]
    both = type(general)(**{**_fields(general), "denied": ("get_memory",)})
    assert "get_memory" in both.tools
    assert find_tool("get_memory", both) is None
    assert find_tool("rm", both) is None


def test_what_asks_first() -> None:
    tools = {tool.effect: tool for tool in offered(PERSONAS[0])}
    assert {tool.name for tool in offered(PERSONAS[0])} == NAMES
    asks = {level: {effect for effect in ToolEffect if must_ask(tools[effect], level)} for level in Autonomy}
    assert asks == {
        Autonomy.NORMAL: {ToolEffect.ADDS, ToolEffect.CHANGES},
        Autonomy.TRUSTED: {ToolEffect.CHANGES},
        Autonomy.FREE: set(),
    }


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"tools": ["rm_everything"]}, "no tool rm_everything"),
        ({"id": "other"}, "id"),
        ({"extra": 1}, "eight"),
        ({"prompt": ""}, "prompt"),
        ({"failure_patterns": []}, "gets wrong"),
        ({"denied": "all"}, "denied"),
        ({"needs_sources": "yes"}, "needs_sources"),
    ],
)
def test_a_file_that_does_not_fit_is_named(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    text = json.loads((resource_path("personas") / f"{DEFAULT}.json").read_text("utf-8"))
    (tmp_path / f"{DEFAULT}.json").write_text(json.dumps({**text, **change}), "utf-8")
    with pytest.raises(InvalidValue) as told:
        load_personas(tmp_path)
    assert says in told.value.hint
    assert DEFAULT in told.value.title


def test_without_the_default_nothing_is_offered(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue):
        load_personas(tmp_path)
    (tmp_path / f"{DEFAULT}.json").write_text("{", "utf-8")
    with pytest.raises(InvalidValue):
        load_personas(tmp_path)


def _fields(one: Any) -> dict[str, Any]:
    return {name: getattr(one, name) for name in type(one).__dataclass_fields__}
