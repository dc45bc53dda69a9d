"""`search`, `save` and `frames`: what is remembered."""

from __future__ import annotations

from typing import Annotated

import typer

from hivemind.domain.frames import Importance, Provenance
from hivemind.domain.search import Mode, Profile, Recipe, SearchFilters, SearchRequest
from hivemind.domain.text import sanitise
from hivemind.engine import Engine
from hivemind.errors import InvalidValue
from hivemind.sidecar import documents, plain
from hivemind.sidecar.answers import Answer, ExitCode
from hivemind.sidecar.calls import ask

frames = typer.Typer(help="Look at single memories.", rich_markup_mode=None)

#: SQLite's largest row number.
_LARGEST = 2**63 - 1
FrameId = Annotated[int, typer.Argument(metavar="ID", min=1, max=_LARGEST, help="The number of the frame.")]


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What to look for; any text is allowed.")],
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many hits.")] = 10,
    profile: Annotated[Profile, typer.Option(help="What counts beside the words.")] = Profile.BALANCED,
    recipe: Annotated[Recipe, typer.Option(help="How the score is made.")] = Recipe.DEFAULT,
    since: Annotated[str | None, typer.Option(metavar="D", help="From this day on, like 2025-06-30.")] = None,
    until: Annotated[str | None, typer.Option(metavar="D", help="Up to and with this day.")] = None,
    source: Annotated[str | None, typer.Option(metavar="S", help="From this source only, like chatgpt.")] = None,
    session: Annotated[str | None, typer.Option(metavar="G", help="In this session only.")] = None,
    mode: Annotated[Mode, typer.Option(help="By words, by meaning or both.")] = Mode.HYBRID,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each hit stands where it stands.")] = False,
    expect: Annotated[
        int | None,
        typer.Option(metavar="FRAME", min=1, max=_LARGEST, help="Also say where this frame ranked, or why it did not."),
    ] = None,
) -> Answer:
    """Find memories."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        filters = SearchFilters(since=since, until=until, source=source, session_id=session)
        request = SearchRequest(
            query,
            (workspace,),
            filters,
            profile=profile,
            recipe=recipe,
            mode=mode,
            limit=limit,
            explain=explain,
            expect_frame_id=expect,
        )
        result = await engine.memory.search(request)
        code = ExitCode.DONE if result.hits else ExitCode.NO
        lines = tuple(plain.found(result, explain))
        return Answer(documents.found(result, explain), lines, code, tuple(filter(None, (result.degraded,))))

    return ask(context, asking)


def save(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What to remember; for --retracts, the reason.")],
    importance: Annotated[Importance, typer.Option(metavar="I", help="How much it weighs.")] = Importance.NORMAL,
    source: Annotated[Provenance, typer.Option(metavar="S", help="Who vouches for it.")] = Provenance.USER_STATED,
    session: Annotated[
        str | None, typer.Option(metavar="G", help="Into this session, else into today's notes.")
    ] = None,
    amends: Annotated[
        int | None, typer.Option(metavar="FRAME", min=1, max=_LARGEST, help="This is the frame's new text.")
    ] = None,
    retracts: Annotated[
        int | None, typer.Option(metavar="FRAME", min=1, max=_LARGEST, help="Take this frame back.")
    ] = None,
) -> Answer:
    """Remember one thing."""
    if session is not None and (amends is not None or retracts is not None):
        raise InvalidValue("A change stays in the session of its frame", "Leave --session out.")

    async def asking(engine: Engine, workspace: str) -> Answer:
        result = await engine.memory.save(
            sanitise(text)[0],
            workspace,
            importance=importance,
            source=source,
            session_id=session,
            amends=amends,
            retracts=retracts,
        )
        kept = "The words themselves were not kept."
        notes = (f"Masked: {', '.join(result.masked)}. {kept}",) if result.masked else ()
        return Answer(documents.saved(result), tuple(plain.saved(result)), notes=notes)

    return ask(context, asking)


@frames.command("show")
def show(context: typer.Context, frame_id: FrameId) -> Answer:
    """Show one memory with its source."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        detail = await engine.memory.detail(workspace, frame_id)
        return Answer({"frame": documents.detail(detail)}, tuple(plain.detail(detail)))

    return ask(context, asking)


@frames.command("history")
def history(context: typer.Context, frame_id: FrameId) -> Answer:
    """Show a memory and every change of it, oldest first."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        listed = await engine.memory.history(workspace, frame_id)
        return Answer({"frames": [documents.frame(one) for one in listed]}, tuple(plain.frames(listed)))

    return ask(context, asking)


@frames.command("list")
def list_frames(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many.")] = 50,
    before: Annotated[
        int | None, typer.Option(metavar="ID", min=1, max=_LARGEST, help="Only frames with a smaller number.")
    ] = None,
) -> Answer:
    """List memories, the newest first."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        listed = await engine.memory.list_frames(workspace, limit, before)
        return Answer({"frames": [documents.frame(one) for one in listed]}, tuple(plain.frames(listed)))

    return ask(context, asking)
