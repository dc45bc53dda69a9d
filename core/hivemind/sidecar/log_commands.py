"""`log`, `verify-log` and `report`: the interaction log from the command line, and what can be made of it."""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hivemind.domain.calls import Call, CallKind, CallOutcome, HumanAction, LogCheck, LogFinding, Verdict
from hivemind.domain.report_order import ReportOrder
from hivemind.engine import Engine
from hivemind.errors import HiveMindError, InternalFault, InvalidValue
from hivemind.sidecar.answers import Answer, VerdictCode, refusal
from hivemind.sidecar.calls import ask, ask_quietly

log = typer.Typer(help="The interaction log of a mind.", rich_markup_mode=None)
_CODES = {
    Verdict.INTACT: VerdictCode.INTACT,
    Verdict.TAMPERED: VerdictCode.TAMPERED,
    Verdict.GAPS: VerdictCode.GAPS,
}
_LARGEST = 2**53 - 1

Since = Annotated[str | None, typer.Option("--from", metavar="D", help="First day, as 2026-06-30, 2026-06 or 2026.")]
Until = Annotated[str | None, typer.Option("--to", metavar="D", help="Last day. It is included.")]


@log.callback()
def interactions() -> None:
    """The interaction log of a mind."""


@log.command("list")
def list_calls(context: typer.Context, since: Since = None, until: Until = None) -> Answer:
    """List calls, oldest first, each once however many entries it left."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        found = await engine.reports.interactions(workspace, since, until)
        lines = [f"{one.timestamp}  {one.state:<8}  {one.kind}  {one.model}  {_figure(one.cost_usd)}" for one in found]
        return Answer({"interactions": [asdict(one) for one in found]}, tuple(lines) or ("None.",))

    return ask(context, asking)


@log.command("record")
def record(
    context: typer.Context,
    model: Annotated[str, typer.Option(metavar="M", help="As the service returned it.")],
    provider: Annotated[str, typer.Option(metavar="P", help="Who answered.")],
    input_tokens: Annotated[int | None, typer.Option(min=0, max=_LARGEST, metavar="N")] = None,
    output_tokens: Annotated[int | None, typer.Option(min=0, max=_LARGEST, metavar="N")] = None,
    cost: Annotated[float | None, typer.Option(min=0, metavar="USD", help="Leave it out when it is not known.")] = None,
    tools: Annotated[str, typer.Option(metavar="JSON", help='Names of tools, as ["search"].')] = "[]",
    human_action: Annotated[HumanAction | None, typer.Option(help="What a person did, as you state it.")] = None,
    persona: Annotated[str | None, typer.Option(metavar="P")] = None,
    asked: Annotated[str | None, typer.Option("--input", metavar="TEXT", help="What was asked.")] = None,
    answered: Annotated[str | None, typer.Option("--output", metavar="TEXT", help="What was answered.")] = None,
) -> Answer:
    """Write down a call to a model that you made yourself. For agents; it counts as stated by a program."""
    call = Call(
        str(uuid.uuid4()), CallKind.LLM_CALL, model, provider, persona=persona, actor="agent", channel="cli",
        tools=_tools(tools), human_action=human_action, input_text=asked,
    )  # fmt: skip
    outcome = CallOutcome(call.uuid, input_tokens, output_tokens, cost, output_text=answered)

    async def asking(engine: Engine, workspace: str) -> Answer:
        entry = await engine.evidence.record(workspace, call, outcome)
        document = {"interaction_id": entry.interaction_id, "seq": entry.seq}
        return Answer(document, (f"Recorded as entry {entry.seq:,}.",))

    return ask(context, asking)


def verify_log(
    context: typer.Context,
    mind: Annotated[Path | None, typer.Argument(metavar="MIND", help="A mind's file; else the chosen mind.")] = None,
    anchor: Annotated[Path | None, typer.Option(metavar="F", help="Anchors, as you kept them.")] = None,
    pubkey: Annotated[Path | None, typer.Option(metavar="F", help="A file with the key that must have signed.")] = None,
) -> Answer:
    """Recompute the log. Exit code 0 intact, 10 tampered, 11 intact with gaps, 3 cannot verify; else no verdict."""

    async def asking(engine: Engine, workspace: str) -> Answer:
        public = None if pubkey is None else _key_in(pubkey)
        if mind is None:
            return _checked(await engine.evidence.verify(workspace, anchors=anchor, public=public))
        return _checked(await engine.evidence.verify_file(mind, anchors=anchor, public=public))

    try:
        # Who only checks must not write: an entry about this visit would change what is being checked.
        return ask_quietly(context, asking)
    except InternalFault:
        raise
    except HiveMindError as fault:
        refused = refusal(fault)
        return Answer(refused.document, (), VerdictCode.CANNOT, refused.notes)


def report(
    context: typer.Context,
    out: Annotated[Path, typer.Option(metavar="FILE.pdf", help="A new file.")],
    since: Since = None,
    until: Until = None,
    with_content: Annotated[bool, typer.Option("--with-content", help="With the texts of the sampled calls.")] = False,
    package: Annotated[Path | None, typer.Option(metavar="FILE.zip", help="Also the evidence package.")] = None,
    leave_out: Annotated[list[str] | None, typer.Option(metavar="SECTION", help="May be given several times.")] = None,
) -> Answer:
    """Write the audit report: results of technical checks on the log, as PDF with its data inside."""
    order = ReportOrder(since, until, with_content, frozenset(leave_out or ()))

    async def asking(engine: Engine, workspace: str) -> Answer:
        to = None if package is None else package.absolute()
        made = await engine.reports.write(workspace, order, out.absolute(), to, channel="cli")
        checks = [{"article": one.article, "status": str(one.status), "detail": one.detail} for one in made.checks]
        document = {
            "path": made.files[0], "files": list(made.files), "pages": made.pages, "checks": checks,
            "log_head": made.log_head, "report_id": made.report_id, "package": made.package or None,
            "signed": made.signed,
        }  # fmt: skip
        lines = [f"Art. {one.article:<6} {one.status:<14} {one.detail}" for one in made.checks]
        return Answer(document, (*lines, f"{made.pages:,} pages in {made.files[0]}", f"Log head {made.log_head}"))

    return ask(context, asking)


def _checked(check: LogCheck) -> Answer:
    document = {
        "verdict": str(check.verdict), "entries": check.entries, "head": check.head, "erased": check.erased,
        "signer": check.signer, "checkpoints": check.checkpoints, "anchors": check.anchors,
        "findings": [_plain(one) for one in check.findings], "gaps": [_plain(one) for one in check.gaps],
    }  # fmt: skip
    lines = [f"CHANGED  {one}" for one in check.findings] + [f"GAP  {one}" for one in check.gaps]
    lines += [
        f"entries {check.entries}  head {check.head}  checkpoints {check.checkpoints}  anchors {check.anchors}",
        f"RESULT  {str(check.verdict).upper()}",
    ]
    return Answer(document, tuple(lines), _CODES[check.verdict])


def _plain(finding: LogFinding) -> dict[str, object]:
    return {"place": finding.place, "seq": finding.seq, "problem": finding.problem}


def _key_in(file: Path) -> str:
    """Digits in a file, or the digits themselves."""
    try:
        return file.read_text("ascii").strip().lower()
    except (OSError, UnicodeDecodeError):
        return str(file).lower()


def _tools(text: str) -> tuple[str, ...]:
    try:
        names = json.loads(text)
    except ValueError:
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InvalidValue(
            "Tools must be a JSON list of names", 'Nothing was recorded. Write it as ["search", "save"].'
        )
    return tuple(names)


def _figure(cost: float | None) -> str:
    return "cost unknown" if cost is None else f"USD {cost:.4f}"
