"""Which adapter reads a source: decided by content, never by a file's name; and why the rest of it is left out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hivemind.domain.harvest import Confidence, ImportPreview, Peek
from hivemind.domain.protocols import HarvestAdapter
from hivemind.errors import SourceUnknown
from hivemind.harvest.adapters import ADAPTERS, adapter_named
from hivemind.harvest.companions import EMPTY, companion, looks_like
from hivemind.harvest.mails import vendor_mail
from hivemind.harvest.sources import OpenedSource, Part, peek

_NO_CHAT = "no conversation in it"
#: Files of a larger drop that are looked into. Pictures and the like are not: they belong to a conversation.
_LOOKED_INTO = (".json", ".eml")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of the drop that nothing is imported from, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Recognised:
    """An adapter, the parts of the source that it reads, in order, and the files left out."""

    adapter: HarvestAdapter
    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...] = ()


def recognise(source: OpenedSource, wanted: str = "auto") -> Recognised:
    """Find the reader of a source. `wanted`: an adapter's name, or 'auto'.

    Raises SourceUnknown whose hint says what the source looks like, when that can be told, or the fault of an
    archive inside that could not be opened.
    """
    candidates = [p for p in source.parts if len(source.parts) == 1 or p.name.lower().endswith(_LOOKED_INTO)]
    peeks = [peek(part) for part in candidates]
    mails = [vendor_mail(seen.head) for seen in peeks]
    if len(mails) == 1 and mails[0] is not None and wanted == "auto":
        raise SourceUnknown(mails[0].title, mails[0].hint)
    best: tuple[Confidence, HarvestAdapter, list[Confidence]] | None = None
    for adapter in _asked(wanted):
        sure = [Confidence.NO if mail else adapter.sniff(seen) for seen, mail in zip(peeks, mails, strict=True)]
        top = max(sure, default=Confidence.NO)
        if top is not Confidence.NO and (best is None or top > best[0]):
            best = top, adapter, sure
    if best is None:
        if source.closed:
            raise source.closed[0].fault
        raise SourceUnknown(hint=_hint(source, peeks))
    top, adapter, sure = best
    # Beside a part that surely is a conversation file, a mere likeness is a companion file.
    least = Confidence.LIKELY if top >= Confidence.LIKELY else top
    parts = tuple(part for part, value in zip(candidates, sure, strict=True) if value >= least)
    left = tuple(
        LeftOut(part.name, _reason(seen, mail is not None))
        for part, seen, mail, value in zip(candidates, peeks, mails, sure, strict=True)
        if value < least
    )
    return Recognised(adapter, parts, left)


def _asked(wanted: str) -> tuple[HarvestAdapter, ...]:
    if wanted == "auto":
        return ADAPTERS
    adapter = adapter_named(wanted)
    if adapter is None:
        names = ", ".join(one.name for one in ADAPTERS)
        raise SourceUnknown("There is no reader with this name", f"Nothing was imported. The readers are: {names}.")
    return (adapter,)


def preview(path: Path) -> ImportPreview:
    """What a path looks like. Opens it, writes nothing.

    Raises SourceUnreadable, ArchiveRefused or ArchiveEncrypted; an unknown source is an answer, not an error.
    """
    with OpenedSource(path) as source:
        try:
            found = recognise(source)
        except SourceUnknown as unknown:
            return ImportPreview(str(path), "", unknown.hint, sum(part.size for part in source.parts), ())
        size = sum(part.size for part in found.parts)
        names = tuple(part.name for part in found.parts)
        return ImportPreview(str(path), found.adapter.name, found.adapter.label, size, names)


def _reads() -> str:
    *others, last = (adapter.label for adapter in ADAPTERS)
    return f"this version reads {', '.join(others)} and {last}" if others else f"this version reads {last}"


def _reason(seen: Peek, mail: bool) -> str:
    if mail:
        return "the mail that announces an export"
    known = companion(seen)
    if known:
        return known
    vendor = looks_like(seen)
    return f"looks like {vendor}: import it by itself" if vendor else _NO_CHAT


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
    return f"Nothing was imported; {_reads()}. Drop the ZIP or folder exactly as you downloaded it."
