"""`doctor`: what this installation stands on, and what a person should mend."""

from __future__ import annotations

from typing import Annotated

import typer

from hivemind.engine import Engine
from hivemind.sidecar import documents, plain
from hivemind.sidecar.answers import Answer, ExitCode
from hivemind.sidecar.calls import ask


def doctor(
    context: typer.Context,
    selftest: Annotated[
        bool, typer.Option("--selftest", help="Also compare the search model's vectors with the recorded ones.")
    ] = False,
) -> Answer:
    """Say what works here, and what does not and why."""

    async def asking(engine: Engine, _: str) -> Answer:
        report = await engine.workspaces.doctor(selftest=selftest)
        code = ExitCode.DONE if report.ok else ExitCode.NO
        return Answer(documents.doctor(report), tuple(filter(None, plain.doctor(report))), code)

    return ask(context, asking)
