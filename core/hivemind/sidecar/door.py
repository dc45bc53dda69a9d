"""One command from its words to its exit code: errors become answers here, and nowhere else."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

import typer

from hivemind.errors import Cancelled, HiveMindError, InternalFault, InvalidRequest, InvalidValue
from hivemind.sidecar import output
from hivemind.sidecar.answers import Answer, ExitCode, refusal
from hivemind.storage.faults import translate

NAME = "hive-mind-sidecar"


class WrongUse(InvalidRequest):
    """The words of the command line make no command."""

    code = "usage"
    title = "This command was not understood"


def run(arguments: Sequence[str]) -> int:
    """Run one command. Raises nothing; returns the exit code."""
    output.use_utf8()
    as_json = _wants_json(arguments)
    try:
        answer = _answer(arguments, as_json)
    except KeyboardInterrupt:
        answer = refusal(Cancelled())
    except Exception as fault:  # the last border before the person
        answer = _failure(fault, as_json)
    output.deliver(answer, as_json)
    return int(answer.code)


def _answer(arguments: Sequence[str], as_json: bool) -> Answer:
    from hivemind.sidecar.app import parser

    with output.nothing_else_speaks(as_json) as heard:
        result = parser.main(list(arguments), NAME, standalone_mode=False)
    if isinstance(result, Answer):
        return result
    if result not in (None, 0):
        # The parser turns Ctrl+C into a number of its own.
        raise Cancelled
    return Answer({"help": heard.getvalue()}, ())


def _failure(fault: Exception, as_json: bool) -> Answer:
    if isinstance(fault, HiveMindError):
        return refusal(fault)
    if isinstance(fault, typer.TyperException):
        return refusal(WrongUse(hint=_hint(fault)))
    if isinstance(fault, typer.Abort):
        return refusal(Cancelled())
    if isinstance(fault, UnicodeEncodeError):
        return refusal(InvalidValue("This text holds characters that cannot be stored", "Type it again."))
    ours = translate(fault, Path(str(getattr(fault, "filename", None) or ".")))
    if isinstance(ours, HiveMindError) and not isinstance(ours, InternalFault):
        return refusal(ours)
    if not as_json:
        output.note("".join(traceback.format_exception(fault)).rstrip())
    return refusal(InternalFault())


def _hint(fault: typer.TyperException) -> str:
    said = " ".join(fault.format_message().split())
    if "--json" in said:
        said += " It belongs before the command."
    return f"{said} See {NAME} --help."


def _wants_json(arguments: Sequence[str]) -> bool:
    """Known before parsing, so that an error of the parser is JSON too."""
    words = list(arguments)
    return "--json" in (words[: words.index("--")] if "--" in words else words)


__all__ = ["ExitCode", "run"]
