"""What a command answers: one document for programs, lines for people, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from hivemind.errors import (
    Cancelled,
    HiveMindError,
    InternalFault,
    InvalidRequest,
    NotFound,
    NothingToImport,
    WorkspaceNotFound,
)


class ExitCode(IntEnum):
    """0 done; 1 the answer is no, or it was stopped; 2 wrong use; 3 cannot; 4 a fault of ours."""

    DONE = 0
    NO = 1
    WRONG_USE = 2
    CANNOT = 3
    FAULT = 4


class VerdictCode(IntEnum):
    """How `verify-log` ends. Any other code is no verdict on the log."""

    INTACT = 0
    CANNOT = 3
    TAMPERED = 10
    GAPS = 11


@dataclass(frozen=True, slots=True)
class Answer:
    """`document` goes out as JSON, `lines` as text, `notes` beside the text for a person only."""

    document: Mapping[str, object]
    lines: tuple[str, ...]
    code: ExitCode | VerdictCode = ExitCode.DONE
    notes: tuple[str, ...] = field(default=())


def refusal(error: HiveMindError) -> Answer:
    """An error as an answer."""
    document = {"error": {"code": error.code, "title": error.title, "hint": error.hint}}
    code = code_of(error)
    # For a report of our own faults; details never hold remembered text.
    details = (f"Details: {error.details}",) if error.details and code is ExitCode.FAULT else ()
    return Answer(document, (), code, (f"{error.title}. {error.hint}", *details))


def code_of(error: HiveMindError) -> ExitCode:
    """How a command ends that raised this."""
    if isinstance(error, InternalFault):
        return ExitCode.FAULT
    if isinstance(error, InvalidRequest | WorkspaceNotFound):
        return ExitCode.WRONG_USE
    if isinstance(error, NotFound | NothingToImport | Cancelled):
        return ExitCode.NO
    return ExitCode.CANNOT
