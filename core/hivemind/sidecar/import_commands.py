"""`import` and `imports`: bring exports in, list what came in, take it back."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hivemind.domain.harvest import ImportReport, RunState
from hivemind.domain.surveys import ImportOptions, Survey
from hivemind.engine import Engine
from hivemind.errors import SourceUnreadable
from hivemind.sidecar import documents, plain, survey_answers
from hivemind.sidecar.answers import Answer, ExitCode
from hivemind.sidecar.calls import ask
from hivemind.sidecar.progress import ProgressLine

runs = typer.Typer(help="The imports so far.", rich_markup_mode=None)
LARGEST_ID = 2**63 - 1
RunId = Annotated[int, typer.Argument(metavar="RUN_ID", min=1, max=LARGEST_ID, help="As `imports list` shows it.")]


def bring_in(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="PATH...", help="Exports: files, ZIPs or folders.")],
    source: Annotated[str, typer.Option(metavar="NAME", help="Where they come from; auto looks inside.")] = "auto",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Try it on a copy and change nothing.")] = False,
    since: Annotated[str | None, typer.Option(metavar="D", help="Leave out what ended before this day.")] = None,
    until: Annotated[str | None, typer.Option(metavar="D", help="Leave out what began after this day.")] = None,
    leave_out: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Leave out this conversation; may be repeated.")
    ] = None,
    leave_out_title: Annotated[
        list[str] | None, typer.Option(metavar="WORDS", help="Leave out titles with these words; may be repeated.")
    ] = None,
    tool_content: Annotated[bool, typer.Option("--tool-content", help="Remember what tools said too.")] = False,
    everything: Annotated[bool, typer.Option("--everything", help="Whatever was left out the last time.")] = False,
) -> Answer:
    """Read exports of AI chats. Running it again brings only what is new. Ctrl+C stops and keeps what is in."""

    paths = [_existing(name) for name in names]
    chosen = ImportOptions(since, until, tuple(leave_out or ()), tuple(leave_out_title or ()), tool_content)
    options = chosen if everything or chosen != ImportOptions() else None

    async def asking(engine: Engine, workspace: str) -> Answer:
        if not dry_run:
            return answered(await _imported(engine, workspace, paths, source, options))
        survey = await _surveyed(engine, workspace, paths, source)
        tried = answered(await _rehearsed(engine, workspace, paths, source, options), dry_run=True)
        document = {**tried.document, "survey": survey_answers.document(survey)}
        return replace(tried, document=document, lines=(*survey_answers.lines(survey), *tried.lines))

    return ask(context, asking)


@runs.command("list")
def list_runs(context: typer.Context) -> Answer:
    """List every import with its counts."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        reports = await engine.harvest.runs(workspace)
        return Answer({"runs": [documents.run(one) for one in reports]}, tuple(plain.runs(reports)))

    return ask(context, asking)


@runs.command("undo")
def undo(
    context: typer.Context,
    run_id: RunId,
) -> Answer:
    """Take one import back. What you changed, pinned or cited since stays, and is listed."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        report = await engine.harvest.undo(workspace, run_id, channel="cli")
        return Answer(documents.undone(report), tuple(plain.undone(report)))

    return ask(context, asking)


def answered(report: ImportReport, *, dry_run: bool = False) -> Answer:
    """The report of an import as an answer."""
    return Answer(documents.imported(report), tuple(plain.imported(report)), _code(report), _notes(report, dry_run))


async def _surveyed(engine: Engine, workspace: str, paths: Sequence[Path], source: str) -> Survey:
    survey = await engine.surveys.begin(paths, workspace, source)
    try:
        return await engine.surveys.wait(survey.id)
    finally:
        await engine.surveys.close(survey.id)


async def _imported(
    engine: Engine, workspace: str, paths: Sequence[Path], source: str, options: ImportOptions | None
) -> ImportReport:
    run_id = await engine.harvest.start(paths, workspace, source, options=options, channel="cli")
    return await _waited(engine, workspace, run_id)


async def carried_on(engine: Engine, workspace: str, run_id: int) -> ImportReport:
    """An interrupted import to its end. Raises RunNotFound, or why it ended early."""
    await engine.harvest.resume_interrupted(workspace, run_id)
    return await _waited(engine, workspace, run_id)


async def _waited(engine: Engine, workspace: str, run_id: int) -> ImportReport:
    line = ProgressLine()
    unsubscribe = engine.events.subscribe(line.hear)
    try:
        try:
            report = await engine.harvest.wait(workspace, run_id)
        except asyncio.CancelledError:
            # Ctrl+C once: stop reading and keep what is in. A second one ends the program where it stands.
            task = asyncio.current_task()
            assert task is not None
            task.uncancel()
            report = await engine.harvest.cancel(workspace, run_id, keep=True)
        fault = engine.harvest.fault(workspace, run_id)
    finally:
        unsubscribe()
        line.end()
    if fault is not None and (report.state is RunState.INTERRUPTED or report.found == 0):
        raise fault
    return report


async def _rehearsed(
    engine: Engine, workspace: str, paths: Sequence[Path], source: str, options: ImportOptions | None
) -> ImportReport:
    """The same import into a copy of the mind, which is thrown away: the counts are exact, nothing is changed."""
    with tempfile.TemporaryDirectory(prefix="dry-run-", dir=engine.data.spool) as folder:
        copy = Engine(Path(folder), leads=False)
        try:
            await copy.open()
            await engine.safety.backup(workspace, copy.data.mind(workspace))
            return await _imported(copy, workspace, paths, source, options)
        finally:
            await copy.close()


def _existing(name: str) -> Path:
    # An empty name (a script's unset variable) would be the current folder.
    if not name.strip() or not Path(name).exists():
        raise SourceUnreadable("There is no such file", "Check the path. Nothing was imported.")
    return Path(name)


def _code(report: ImportReport) -> ExitCode:
    """Unchanged counts as in: an export that was imported before is there, and a script may go on."""
    if RunState.FAILED in {one.state for one in (report, *report.children)}:
        return ExitCode.CANNOT
    if report.state is not RunState.FINISHED or report.new + report.updated + report.unchanged == 0:
        return ExitCode.NO
    return ExitCode.DONE


def _notes(report: ImportReport, dry_run: bool) -> tuple[str, ...]:
    notes = []
    if report.error:
        notes.append(report.error)
    if report.state is RunState.CANCELLED:
        notes.append("Stopped. What was read until then is kept.")
    if dry_run:
        notes.append("This was a trial. Nothing was changed.")
    return tuple(notes)
