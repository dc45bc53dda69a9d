"""What `imports` tells after an import: its items by reason, a table of them, what stopped midway, what to review."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hivemind.domain.review import ReviewKind
from hivemind.engine import Engine
from hivemind.sidecar import survey_answers
from hivemind.sidecar.answers import Answer, ExitCode
from hivemind.sidecar.calls import ask
from hivemind.sidecar.import_commands import LARGEST_ID, RunId, answered, carried_on, runs

#: All of `imports`: those of this module are added to the list and the undo.
imports = runs


@runs.command("items")
def list_items(
    context: typer.Context,
    run_id: RunId,
    state: Annotated[str, typer.Option(metavar="S", help="new, updated, unchanged, skipped or failed.")] = "",
    reason: Annotated[str | None, typer.Option(metavar="R", help="Exactly as the report words it.")] = None,
    offset: Annotated[int, typer.Option(min=0, max=LARGEST_ID, help="Pass over so many.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Show so many.")] = 100,
) -> Answer:
    """List what became of each conversation of an import."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        page = await engine.harvest.items(workspace, run_id, state=state, reason=reason, offset=offset, limit=limit)
        lines = [f"{one.state:<10} {one.title or one.item_id or ''}  {one.reason}".rstrip() for one in page.items]
        if page.total > offset + len(page.items):
            lines.append(f"{len(page.items):,} of {page.total:,}")
        document = {"items": [asdict(one) for one in page.items], "offset": page.offset, "total": page.total}
        return Answer(document, tuple(lines) or ("None.",))

    return ask(context, asking)


@runs.command("csv")
def write_table(
    context: typer.Context,
    run_id: RunId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
) -> Answer:
    """Write every conversation of an import with its outcome and reason as a table."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        rows = await engine.harvest.write_csv(workspace, run_id, file.absolute())
        return Answer({"path": str(file.absolute()), "rows": rows}, (f"{rows:,} rows in {file.absolute()}",))

    return ask(context, asking)


@runs.command("interrupted")
def list_interrupted(context: typer.Context) -> Answer:
    """List imports that stopped midway. `imports resume RUN_ID` goes on, `imports undo RUN_ID` takes them out."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        found = await engine.harvest.list_interrupted([workspace])
        return Answer(
            {"runs": [survey_answers.interrupted(one) for one in found]},
            tuple(survey_answers.interrupted_lines(found)) or ("None.",),
        )

    return ask(context, asking)


@runs.command("resume")
def resume(context: typer.Context, run_id: RunId) -> Answer:
    """Go on with an import that stopped midway, with what was chosen for it. Its files must be unchanged."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        return answered(await carried_on(engine, workspace, run_id))

    return ask(context, asking)


@runs.command("review")
def review(
    context: typer.Context,
    kind: Annotated[ReviewKind, typer.Option(metavar="K", help="quarantined or masked.")] = ReviewKind.QUARANTINED,
    run_id: Annotated[int | None, typer.Option("--run", metavar="RUN_ID", min=1, max=LARGEST_ID)] = None,
    settled: Annotated[bool, typer.Option("--all", help="Also what was decided about.")] = False,
    cursor: Annotated[int | None, typer.Option(min=0, max=LARGEST_ID, help="Go on after this memory.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Show so many.")] = 50,
) -> Answer:
    """List memories that were held back from AIs, or whose secrets are masked. The marks stay."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        page = await engine.review.entries(workspace, kind, run_id=run_id, settled=settled, cursor=cursor, limit=limit)
        lines = [line for one in page.entries for line in survey_answers.review_lines(one)]
        document = {"entries": [asdict(one) for one in page.entries], "cursor": page.cursor}
        return Answer(document, tuple(lines) or ("Nothing to look through.",))

    return ask(context, asking)


@runs.command("release")
def release(
    context: typer.Context,
    frame_ids: Annotated[list[int], typer.Argument(metavar="FRAME...", min=1, max=LARGEST_ID)],
) -> Answer:
    """Let AIs get these memories again. The window can undo it."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        released = await engine.review.release(workspace, frame_ids)
        code = ExitCode.DONE if released else ExitCode.NO
        return Answer({"released": released}, (f"{len(released):,} released.",), code)

    return ask(context, asking)
