"""Which adapter reads a source: decided by content, never by a file's name; and why the rest of it is left out."""

from __future__ import annotations

from pathlib import Path

from hivemind.domain.harvest import ImportPreview, Peek
from hivemind.domain.protocols import HarvestAdapter
from hivemind.errors import SourceUnknown
from hivemind.harvest.adapters import ADAPTERS, adapter_named
from hivemind.harvest.adapters.universal import described
from hivemind.harvest.companions import EMPTY, companion, looks_like
from hivemind.harvest.prepared import SEVERAL
from hivemind.harvest.sorting import Looked, Recognised, look, sort
from hivemind.harvest.sources import OpenedSource


def recognise_all(source: OpenedSource) -> tuple[Recognised, ...]:
    """Find the readers of a source: one for an export, several for a folder of many things.

    Raises SourceUnknown whose hint says what the source looks like, when that can be told, or the fault of an
    archive inside that could not be opened.
    """
    looked = look(source)
    if len(looked) == 1 and (mail := looked[0].mail) is not None:
        raise SourceUnknown(mail.title, mail.hint)
    return _found(source, looked)


def recognise(source: OpenedSource, wanted: str = "auto") -> Recognised:
    """Find the reader of a source. `wanted`: an adapter's name, or 'auto' for the first there is.

    Raises as `recognise_all`.
    """
    if wanted == "auto":
        return recognise_all(source)[0]
    (asked,) = _asked(wanted)
    for found in sort(source, look(source)):
        # In company, each reader gets what is surely its own.
        if found.adapter is asked:
            return found
    return _found(source, look(source, (asked,)))[0]


def _found(source: OpenedSource, looked: list[Looked]) -> tuple[Recognised, ...]:
    found = sort(source, looked)
    if not found:
        if source.closed:
            raise source.closed[0].fault
        raise SourceUnknown(hint=_hint(source, [one.seen for one in looked]))
    return found


def _asked(wanted: str) -> tuple[HarvestAdapter]:
    adapter = adapter_named(wanted)
    if adapter is None:
        names = ", ".join(one.name for one in ADAPTERS)
        raise SourceUnknown("There is no reader with this name", f"Nothing was imported. The readers are: {names}.")
    return (adapter,)


def preview(path: Path, spool: str | None = None) -> ImportPreview:
    """What a path looks like. Opens it, writes nothing but the bytes of archives inside (`spool`: see `OpenedSource`).

    Raises SourceUnreadable, ArchiveRefused or ArchiveEncrypted; an unknown source is an answer, not an error.
    """
    with OpenedSource(path, spool) as source:
        try:
            found = recognise_all(source)
        except SourceUnknown as unknown:
            return ImportPreview(str(path), "", unknown.hint, sum(part.size for part in source.parts), ())
        parts = [part for one in found for part in one.parts]
        name = found[0].adapter.name if len(found) == 1 else SEVERAL
        label = " and ".join(one.adapter.label for one in found)
        return ImportPreview(str(path), name, label, sum(part.size for part in parts), tuple(p.name for p in parts))


def _reads() -> str:
    *others, last = (adapter.label for adapter in ADAPTERS)
    return f"this version reads {', '.join(others)} and {last}" if others else f"this version reads {last}"


def _hint(source: OpenedSource, peeks: list[Peek]) -> str:
    for seen in peeks:
        known = companion(seen)
        if known and known != EMPTY:
            return f"Nothing was imported. This is {known}. Drop the whole ZIP, or its conversations file."
        vendor = looks_like(seen)
        if vendor:
            return f"This looks like a {vendor} export; {_reads()}. Nothing was imported."
    if any(part.name.lower().endswith("chat.html") for part in source.parts):
        return "Nothing was imported. Drop the whole ZIP instead: chat.html only repeats what conversations.json holds."
    seems = described(peeks[0]) if len(peeks) == 1 else ""
    return f"{seems}Nothing was imported; {_reads()}. Drop the ZIP or folder exactly as you downloaded it."
