"""`erase`: shown first, then a typed phrase, then the receipt. There is no way back, and it says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer

from hivemind.domain.erasure import (
    BackupChoice,
    ErasurePreview,
    ErasureReason,
    ErasureReceipt,
    ErasureState,
    ErasureTarget,
    TargetKind,
)
from hivemind.engine import Engine
from hivemind.engine.erasure_receipts import document
from hivemind.errors import InvalidValue
from hivemind.sidecar import output
from hivemind.sidecar.answers import Answer, ExitCode
from hivemind.sidecar.calls import ask, place_of
from hivemind.sidecar.phrases import require_phrase

_WAITING = {
    "log_file": "Another program is still reading the old state. It is finished when that program lets go.",
    "space": "The file could not be written anew: the disk has no room for it, or another program kept it busy.",
    "backup": "A backup in the data folder could not be rewritten. Remove it, or try again.",
    "residue": "Something still holds it. Look at the receipt for where.",
}


def erase(
    context: typer.Context,
    reason: Annotated[ErasureReason, typer.Option("--reason", help="Why; the log keeps this code alone.")],
    frame: Annotated[list[int] | None, typer.Option("--frame", metavar="ID", help="A memory. May be repeated.")] = None,
    session: Annotated[str, typer.Option("--session", metavar="G", help="A whole session.")] = "",
    run: Annotated[int | None, typer.Option("--import", metavar="RUN", help="All that an import brought.")] = None,
    person: Annotated[str, typer.Option("--person", metavar="NAME", help="What they said and where they occur.")] = "",
    text: Annotated[str, typer.Option("--text", metavar="WORDS", help="Every memory with these words.")] = "",
    backups: Annotated[
        BackupChoice, typer.Option("--backups", help="Backups in the data folder that hold it.")
    ] = BackupChoice.REWRITE,
    request: Annotated[str, typer.Option("--request", metavar="ID", help="Identifier of a request, no words.")] = "",
    preview: Annotated[bool, typer.Option("--preview", help="Only show what would go.")] = False,
) -> Answer:
    """Erase for good, from everywhere in the data folder. It cannot be undone."""
    target = _target(frame or [], session, run, person, text)

    async def look(engine: Engine, workspace: str) -> Answer:
        seen = await engine.erasure.preview(workspace, target)
        return Answer(_preview(seen), tuple(_lines(seen)), ExitCode.NO if seen.nothing else ExitCode.DONE)

    async def carry_out(engine: Engine, workspace: str) -> Answer:
        await engine.erasure.finish_pending()
        receipt = await engine.erasure.erase(
            workspace, target, reason, backups=backups, channel="tty", request=request or None
        )
        code = ExitCode.DONE if receipt.state is ErasureState.ERASED else ExitCode.NO
        return Answer(document(receipt), tuple(_receipt(receipt)), code)

    if preview:
        return ask(context, look)
    workspace = place_of(context).workspace
    if output.at_terminal():
        for line in ask(context, look).lines:
            output.note(line)
    require_phrase(f"erase {workspace}", "This cannot be undone: no backup in the data folder will bring it back.")
    return ask(context, carry_out)


def _target(frames: list[int], session: str, run: int | None, person: str, text: str) -> ErasureTarget:
    named = [
        ErasureTarget(kind, values)
        for kind, values in (
            (TargetKind.FRAME, tuple(map(str, frames))),
            (TargetKind.SESSION, (session,)),
            (TargetKind.IMPORT, ("" if run is None else str(run),)),
            (TargetKind.PERSON, (person,)),
            (TargetKind.TEXT, (text,)),
        )
        if any(values)
    ]
    if len(named) != 1:
        raise InvalidValue("One thing is erased at a time", "Use --frame, --session, --import, --person or --text.")
    return named[0]


def _preview(seen: ErasurePreview) -> dict[str, object]:
    told = asdict(seen)
    for name in ("backups", "unreadable_backups"):
        told[name] = [str(path) for path in told[name]]
    return told


def _lines(seen: ErasurePreview) -> Iterator[str]:
    yield f"{seen.memories:,} memories, {seen.messages:,} messages and {seen.sessions:,} whole sessions would go:"
    yield from (f"  {excerpt}" for excerpt in seen.excerpts)
    others = {name: count for name, count in seen.counts.items() if name not in ("frames", "archive")}
    yield from (f"Also {count:,} in {name}." for name, count in others.items())
    if seen.same_text:
        yield f"{seen.same_text:,} other memories say exactly the same and stay. Erase by words to take them too."
    yield from (f"Backup that holds it: {path}" for path in seen.backups)
    yield from (f"Backup that cannot be read: {path}" for path in seen.unreadable_backups)
    yield "Copies outside the data folder are not touched. They may be in:"
    yield from (f"  {copy.kind}{f' {copy.place}' if copy.place else ''}" for copy in seen.outside)
    yield "The mind's file is then written anew, all of it: until that is done, nothing else is saved into it."


def _receipt(receipt: ErasureReceipt) -> Iterator[str]:
    erased = ", ".join(f"{count:,} {name}" for name, count in receipt.erased.items())
    yield f"Erased: {erased or 'nothing in the mind itself'}."
    if receipt.backups:
        yield f"Backups: {', '.join(f'{count} {name}' for name, count in receipt.backups.items())}."
    if receipt.residue is not None:
        found, passages = receipt.residue.total, receipt.residue.passages
        yield f"Found afterwards in our files: {found}. Searched with {passages} passages."
        if not passages:
            yield "The words are not kept: after an interruption it was looked for by what they stood in alone."
    if receipt.state is ErasureState.PENDING:
        yield "Not finished yet."
        yield from (_WAITING[code] for code in receipt.waiting_for)
    yield from receipt.beyond_reach
    yield f"Receipt {receipt.uuid}, entry {receipt.log_seq} of the log."
