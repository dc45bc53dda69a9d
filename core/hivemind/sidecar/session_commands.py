"""`sessions`: conversations and notes."""

from __future__ import annotations

from typing import Annotated

import typer

from hivemind.engine import Engine
from hivemind.sidecar import documents, plain
from hivemind.sidecar.answers import Answer
from hivemind.sidecar.calls import ask

sessions = typer.Typer(help="Conversations and notes.", rich_markup_mode=None)

SessionId = Annotated[str, typer.Argument(metavar="G", help="The id of the session.")]


@sessions.command("list")
def list_sessions(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many.")] = 50,
    before: Annotated[str | None, typer.Option(metavar="G", help="Only sessions after this one in the list.")] = None,
) -> Answer:
    """List sessions, the newest first."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        rows = await engine.sessions.list_rows(workspace, limit, before)
        return Answer({"sessions": [documents.session_row(row) for row in rows]}, tuple(plain.sessions(rows)))

    return ask(context, asking)


@sessions.command("show")
def show(context: typer.Context, session_id: SessionId) -> Answer:
    """Show a conversation with its messages."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        shown = await engine.sessions.conversation(workspace, session_id)
        return Answer(documents.conversation(shown), tuple(plain.conversation(shown)))

    return ask(context, asking)


@sessions.command("close")
def close(context: typer.Context, session_id: SessionId) -> Answer:
    """Close a session."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        closed = await engine.sessions.close(workspace, session_id)
        return Answer({"session": documents.session(closed)}, tuple(plain.session(closed)))

    return ask(context, asking)


@sessions.command("archive")
def archive(context: typer.Context, session_id: SessionId) -> Answer:
    """Archive a session."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        archived = await engine.sessions.archive(workspace, session_id)
        return Answer({"session": documents.session(archived)}, tuple(plain.session(archived)))

    return ask(context, asking)
