"""The tools a model may ask for: what each does, what it needs, and whether it may be used now."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hivemind.domain.ask import Autonomy, Persona, ToolEffect
from hivemind.domain.chat import ToolRequest, ToolSpec
from hivemind.errors import InvalidValue

_TEXT_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class Tool:
    """`fields`: name -> (JSON type, what it is, whether it is needed). Texts are at most 20,000 characters."""

    name: str
    effect: ToolEffect
    description: str
    fields: Mapping[str, tuple[str, str, bool]]

    @property
    def spec(self) -> ToolSpec:
        properties = {name: {"type": kind, "description": words} for name, (kind, words, _) in self.fields.items()}
        needed = [name for name, (_, _, must) in self.fields.items() if must]
        schema = {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
        return ToolSpec(self.name, self.description, schema)


_NUMBER = ("integer", "The memory's number in square brackets.", True)
_WORDS = ("string", "The text.", True)
R, A, C = ToolEffect.READS, ToolEffect.ADDS, ToolEffect.CHANGES

TOOLS: tuple[Tool, ...] = (
    Tool("search_memories", R, "Look memories up by words and meaning.",
         {"query": ("string", "What to look for.", True), "limit": ("integer", "At most so many, 1 to 20.", False)}),
    Tool("get_memory", R, "Read one memory in full.", {"number": _NUMBER}),
    Tool("memory_history", R, "Read a memory as it was before each edit.", {"number": _NUMBER}),
    Tool("list_recent_memories", R, "The newest memories.",
         {"limit": ("integer", "At most so many, 1 to 20.", False)}),
    Tool("list_sessions", R, "The newest conversations and notes, with their ids.",
         {"limit": ("integer", "At most so many, 1 to 20.", False)}),
    Tool("read_session", R, "The memories of one conversation, in order.",
         {"session": ("string", "The session's id.", True)}),
    Tool("list_awareness", R, "What is going on now: tasks, actions, pending items, flags.", {}),
    Tool("save_memory", A, "Remember something new.", {"text": _WORDS}),
    Tool("add_awareness", A, "Note a task, an action, a pending item or a flag.",
         {"category": ("string", "task, action, pending or flag.", True), "text": _WORDS}),
    Tool("amend_memory", C, "Replace what a memory says; the old words stay in its history.",
         {"number": _NUMBER, "text": _WORDS}),
    Tool("retract_memory", C, "Take a memory back, with the reason.", {"number": _NUMBER, "text": _WORDS}),
    Tool("set_importance", C, "How much a memory matters.",
         {"number": _NUMBER, "importance": ("string", "critical, important, normal or temporary.", True)}),
    Tool("clear_awareness", C, "Remove an item from what is going on now.",
         {"id": ("integer", "The item's id.", True)}),
)  # fmt: skip
NAMES = frozenset(tool.name for tool in TOOLS)
_BY_NAME = {tool.name: tool for tool in TOOLS}


def offered(persona: Persona) -> tuple[Tool, ...]:
    """The tools a persona may use: those it is allowed, without those it is denied."""
    return tuple(tool for tool in TOOLS if persona.may_use(tool.name))


def find_tool(name: str, persona: Persona) -> Tool | None:
    """The tool, if there is one of this name and the persona may use it. Asked again at every use."""
    return _BY_NAME.get(name) if persona.may_use(name) else None


def must_ask(tool: Tool, autonomy: Autonomy) -> bool:
    """Whether the person has to agree first."""
    if tool.effect is ToolEffect.READS or autonomy is Autonomy.FREE:
        return False
    return autonomy is Autonomy.NORMAL or tool.effect is ToolEffect.CHANGES


def read_arguments(tool: Tool, request: ToolRequest) -> dict[str, Any]:
    """What the model wrote, checked field by field. Raises InvalidValue with words the model can act on."""
    try:
        given = json.loads(request.arguments or "{}")
    except ValueError as fault:
        raise InvalidValue("The arguments are not JSON", "Write one JSON object.") from fault
    if not isinstance(given, dict):
        raise InvalidValue("The arguments are not a JSON object", "Write one JSON object.")
    if unknown := sorted(set(given) - set(tool.fields)):
        raise InvalidValue(f"{tool.name} has no {unknown[0][:40]}", f"It takes: {', '.join(tool.fields) or 'nothing'}.")
    for name, (kind, _, needed) in tool.fields.items():
        if given.get(name) is None:
            if needed:
                raise InvalidValue(f"{tool.name} needs {name}", "Give it and try again.")
            given.pop(name, None)
            continue
        _check(tool.name, name, kind, given[name])
    return given


def _check(tool: str, name: str, kind: str, value: object) -> None:
    if kind == "integer":
        fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    else:
        fits = isinstance(value, str) and 0 < len(value) <= _TEXT_LIMIT
    if not fits:
        raise InvalidValue(f"{tool}: {name} is not a usable {kind}", "Give it and try again.")
