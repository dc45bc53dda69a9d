"""`identity`, `awareness`, `recall`, `context`: who you are, what is going on, what an AI would be told of it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated

import typer

from hivemind.agent.cards import fenced, line
from hivemind.agent.personas import DEFAULT
from hivemind.agent.prompt import joined
from hivemind.clock import parse_stamp, stamp
from hivemind.domain.ask import Recalled
from hivemind.domain.sessions import AwarenessCategory, AwarenessItem, Identity
from hivemind.engine import Engine
from hivemind.errors import InvalidDate
from hivemind.sidecar.answers import Answer, ExitCode
from hivemind.sidecar.calls import ask

identity = typer.Typer(help="Who you are, as an AI is told.", rich_markup_mode=None)
awareness = typer.Typer(help="What is going on now: at most ten items.", rich_markup_mode=None)

_LARGEST = 2**63 - 1
Field = Annotated[str | None, typer.Option(help="'' empties it.")]


@identity.command("show")
def show_identity(context: typer.Context) -> Answer:
    """Show who you are."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        found = await engine.self.identity(workspace)
        if found is None:
            return Answer({"identity": None}, ("Nothing is set. Use: identity set --name NAME",), ExitCode.NO)
        return _identity(found)

    return ask(context, asking)


@identity.command("set")
def set_identity(
    context: typer.Context,
    name: Annotated[str | None, typer.Option(help="Needed the first time.")] = None,
    role: Field = None,
    department: Field = None,
    personality: Field = None,
    capabilities: Field = None,
    system_prompt: Field = None,
) -> Answer:
    """Set what is given; the rest stays. Can be undone in the window."""
    given = {
        "name": name, "role": role, "department": department, "personality": personality,
        "capabilities": capabilities, "system_prompt": system_prompt,
    }  # fmt: skip

    async def asking(engine: Engine, workspace: str) -> Answer:
        before = await engine.self.identity(workspace) or Identity("")
        told = {field: value for field, value in given.items() if value is not None}
        return _identity(await engine.self.set_identity(workspace, replace(before, **told)))

    return ask(context, asking)


@awareness.command("list")
def list_awareness(context: typer.Context) -> Answer:
    """List what is going on, the most urgent first."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        items = await engine.self.awareness(workspace)
        lines = tuple(map(_item, items)) or ("Nothing is noted.",)
        return Answer({"items": [asdict(item) for item in items]}, lines)

    return ask(context, asking)


@awareness.command("add")
def add_awareness(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What it is about.")],
    category: Annotated[AwarenessCategory, typer.Option(help="What kind of item.")] = AwarenessCategory.TASK,
    priority: Annotated[int, typer.Option(min=-1000, max=1000, help="Higher is more urgent.")] = 0,
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="Gone after this, like 2026-12-01T08:00:00.000Z.")
    ] = None,
) -> Answer:
    """Note an item. What no longer fits into ten moves to the episodes."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        until = None if expires is None else _moment(expires)
        item = await engine.self.add_awareness(workspace, category, text, priority=priority, expires_at=until)
        return Answer({"item": asdict(item)}, (_item(item),))

    return ask(context, asking)


@awareness.command("clear")
def clear_awareness(
    context: typer.Context,
    ids: Annotated[
        list[int] | None, typer.Argument(metavar="ID", min=1, max=_LARGEST, help="Which; without: all.")
    ] = None,
) -> Answer:
    """Remove items. Can be undone in the window."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        wanted = ids or [item.id for item in await engine.self.awareness(workspace)]
        cleared = await engine.self.clear_awareness(workspace, wanted)
        code = ExitCode.DONE if cleared or not ids else ExitCode.NO
        return Answer({"cleared": cleared}, (f"{cleared} removed.",), code)

    return ask(context, asking)


def recall(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What an AI would be asked, like: catch me up.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="At most so many.")] = 10,
) -> Answer:
    """Show what an AI would be told about a question: its text, and the memories in it. No model is asked."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        found = await engine.ask.recall(query, (workspace,), limit)
        text = fenced([line(card) for card in found.cards])
        document = {"text": text, "mode": found.mode, "count": len(found.cards), **_memories(found)}
        code = ExitCode.DONE if found.cards else ExitCode.NO
        lines = tuple(text.splitlines()) or ("I have nothing on that.",)
        return Answer(document, lines, code, _notes(found))

    return ask(context, asking)


def show_context(
    context: typer.Context,
    persona: Annotated[str, typer.Option(help="The persona that would answer.")] = DEFAULT,
) -> Answer:
    """Show what an AI would be told whatever the question: its text, and the parts of it. No model is asked."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        parts, known = await engine.ask.context(workspace, persona)
        text = "\n\n".join(filter(None, (joined(parts), fenced([line(card) for card in known.cards]))))
        document = {"text": text, "parts": [asdict(part) for part in parts], **_memories(known)}
        return Answer(document, tuple(text.splitlines()), notes=_notes(known))

    return ask(context, asking)


def _identity(found: Identity) -> Answer:
    stored = asdict(found)
    return Answer({"identity": stored}, tuple(f"{name}: {value}" for name, value in stored.items() if value))


def _moment(written: str) -> str:
    try:
        return stamp(parse_stamp(written))
    except ValueError as fault:
        raise InvalidDate("This time was not understood", "Write it like 2026-12-01T08:00:00.000Z.") from fault


def _item(item: AwarenessItem) -> str:
    return f"{item.id}  {item.category}  {item.content}"


def _memories(found: Recalled) -> dict[str, object]:
    return {"recalled": [asdict(card) for card in found.cards], "held": [asdict(one) for one in found.held]}


def _notes(found: Recalled) -> tuple[str, ...]:
    held = f"{len(found.held)} left out: they read like orders to an AI." if found.held else ""
    return tuple(filter(None, (held, found.degraded)))
