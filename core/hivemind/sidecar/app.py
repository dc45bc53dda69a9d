"""All commands of the command line, and the options that stand before them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hivemind.paths import PERSONAL
from hivemind.sidecar import (
    doctor_command,
    erase_command,
    frame_commands,
    import_commands,
    log_commands,
    report_commands,
    safety_commands,
    self_commands,
    session_commands,
)
from hivemind.sidecar.calls import Place

app = typer.Typer(
    name="hive-mind-sidecar",
    help="Hive-Mind on the command line. Exit codes: 0 done, 1 no, 2 wrong use, 3 cannot, 4 a fault of ours.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.callback()
def options(
    context: typer.Context,
    data_dir: Annotated[Path | None, typer.Option(help="Use this data folder.")] = None,
    workspace: Annotated[str, typer.Option(metavar="ID", help="Use this mind.")] = PERSONAL,
    json: Annotated[bool, typer.Option("--json", help="Answer with one JSON document.")] = False,
) -> None:
    context.obj = Place(data_dir, workspace, json)


app.command("doctor")(doctor_command.doctor)
app.command("import")(import_commands.bring_in)
app.add_typer(report_commands.imports, name="imports")
app.command("search")(frame_commands.search)
app.command("save")(frame_commands.save)
app.add_typer(frame_commands.frames, name="frames")
app.add_typer(session_commands.sessions, name="sessions")
app.add_typer(self_commands.identity, name="identity")
app.add_typer(self_commands.awareness, name="awareness")
app.command("recall")(self_commands.recall)
app.command("context")(self_commands.show_context)
app.add_typer(safety_commands.maintain, name="maintain")
app.command("backup")(safety_commands.backup)
app.command("restore")(safety_commands.restore)
app.command("export")(safety_commands.export)
app.add_typer(log_commands.log, name="log")
app.command("verify-log")(log_commands.verify_log)
app.command("report")(log_commands.report)
app.command("erase")(erase_command.erase)

#: The parser, made once.
parser = typer.main.get_command(app)
