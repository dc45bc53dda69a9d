"""`backup`, `restore`, `export` and `maintain`: copies of a mind, and keeping it in order."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hivemind.domain.minds import QueueState
from hivemind.engine import Engine
from hivemind.maintenance import ExportFormat
from hivemind.sidecar import documents, plain
from hivemind.sidecar.answers import Answer, ExitCode
from hivemind.sidecar.calls import ask, place_of
from hivemind.sidecar.phrases import require_phrase

maintain = typer.Typer(help="Keep a mind in order.", rich_markup_mode=None)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


@maintain.callback()
def chores() -> None:
    """Keep a mind in order."""


def backup(context: typer.Context, file: File) -> Answer:
    """Make a verified copy of the mind in one new file."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        made = await engine.safety.backup(workspace, file)
        return Answer(asdict(made), tuple(plain.manifest(made)))

    return ask(context, asking)


def restore(
    context: typer.Context,
    file: File,
    preview: Annotated[bool, typer.Option("--preview", help="Only compare the backup with what is there.")] = False,
) -> Answer:
    """Put a backup in the place of the mind. What is there now is backed up first."""

    async def compare(engine: Engine, workspace: str) -> Answer:
        seen = await engine.safety.preview_restore(workspace, file)
        return Answer(asdict(seen), tuple(plain.restore_preview(seen)))

    async def put_back(engine: Engine, workspace: str) -> Answer:
        made = await engine.safety.restore(workspace, file, channel="tty")
        return Answer(asdict(made), tuple(plain.manifest(made)))

    if preview:
        return ask(context, compare)
    workspace = place_of(context).workspace
    require_phrase(f"restore {workspace}", f"Everything in the mind {workspace} will be as it was in {file.name}.")
    return ask(context, put_back)


def export(
    context: typer.Context,
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A new or an empty folder.")],
    form: Annotated[ExportFormat, typer.Option("--format", help="Everything in JSON lines, or Markdown to read.")],
) -> Answer:
    """Write the whole mind into open files."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        made = await engine.safety.export(workspace, directory, form, channel="cli")
        return Answer(asdict(made), tuple(plain.manifest(made)))

    return ask(context, asking)


@maintain.command("reindex")
def reindex(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would change.")] = False,
) -> Answer:
    """Rebuild the word indexes from the stored texts."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        safety = engine.safety
        counts = await (safety.plan_reindex(workspace) if dry_run else safety.reindex(workspace))
        verb = "would change" if dry_run else "changed"
        return Answer(asdict(counts), (f"{counts.frames:,} frames looked at, {counts.changed:,} {verb}.",))

    return ask(context, asking)


@maintain.command("embed")
def embed(
    context: typer.Context,
    anew: Annotated[bool, typer.Option("--anew", help="All of them, by the present model.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what is missing.")] = False,
) -> Answer:
    """Make the vectors that search by meaning needs, now. The window does it by itself while it is open."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        before = await engine.embedding.facts(workspace)
        if anew and not dry_run:
            await engine.embedding.reembed(workspace)
        facts = before if dry_run else await engine.embedding.embed_now(workspace)
        code = ExitCode.DONE if dry_run or facts.state is QueueState.IDLE else ExitCode.NO
        return Answer(documents.embedding(facts), tuple(plain.embedding(facts)), code)

    return ask(context, asking)
