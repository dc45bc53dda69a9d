"""The files of a drop sorted by who reads them: exports of vendors, notes, texts; the rest with a reason."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from hivemind.domain.harvest import Confidence, Peek
from hivemind.domain.protocols import HarvestAdapter
from hivemind.harvest.adapters import ADAPTERS, markdown, plaintext, universal_rows
from hivemind.harvest.companions import companion, looks_like
from hivemind.harvest.mails import VendorMail, vendor_mail
from hivemind.harvest.sources import FilePart, OpenedSource, Part

#: Readers of files that are nobody's export: beside an export, such files may be its attachments.
LOOSE = frozenset({"markdown", "plaintext", "universal"})
#: Files of a larger drop that are looked into. Pictures and the like are not: they belong to a conversation.
_LOOKED_INTO = frozenset({".eml", ".canvas", *markdown.SUFFIXES, *plaintext.SUFFIXES, *universal_rows.SUFFIXES})
_NO_CHAT = "no conversation in it"
_ATTACHMENT = "comes along with a conversation"
_NOT_TEXT = "an attachment: not read as text"
_CANVAS = "a canvas: a drawing board, not a note"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of the drop that nothing is imported from, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Recognised:
    """An adapter, the parts of the source that it reads, in order, and the files left out.

    `first`: of several readers of a source, the one whose report also tells what nobody reads.
    """

    adapter: HarvestAdapter
    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...] = ()
    first: bool = True


@dataclass(frozen=True, slots=True)
class Looked:
    """A file that was looked into. `adapter` is its surest reader, '' when nobody is sure at all.

    `mail`: what it says as a vendor's mail that announces an export.
    """

    part: Part
    seen: Peek
    adapter: str
    sure: Confidence
    mail: VendorMail | None


def look(source: OpenedSource, asked: tuple[HarvestAdapter, ...] = ADAPTERS) -> list[Looked]:
    """Every file that may be somebody's, with the surest of the asked readers; the first of equals."""
    found = []
    for part in source.parts:
        if len(source.parts) > 1 and not _may_be_read(part.name):
            continue
        seen = source.look_into(part)
        if seen is None:
            continue
        mail = vendor_mail(seen.head)
        name, best = "", Confidence.NO
        for adapter in () if mail is not None else asked:
            sure = adapter.sniff(seen)
            if sure > best:
                name, best = adapter.name, sure
        found.append(Looked(part, seen, name, best, mail))
    return found


def sort(source: OpenedSource, looked: list[Looked]) -> tuple[Recognised, ...]:
    """One entry per reader, the surest first, in the order of the readers; empty when there is none.

    What is left out is told with the first. Beside a file that surely is somebody's, a mere likeness is a companion.
    """
    top = max((one.sure for one in looked), default=Confidence.NO)
    if top is Confidence.NO:
        return ()
    least = Confidence.LIKELY if top >= Confidence.LIKELY else top
    taken = [one for one in looked if one.sure >= least]
    vendors = [one for one in taken if one.adapter not in LOOSE]
    homes = _homes(source, looked, vendors)
    taken = [one for one in taken if one.adapter not in LOOSE or not _lies_in(one.part, homes)]
    found = [
        Recognised(adapter, tuple(one.part for one in taken if one.adapter == adapter.name))
        for adapter in ADAPTERS
        if any(one.adapter == adapter.name for one in taken)
    ]
    names = {one.part.name for one in taken}
    left = [LeftOut(one.part.name, _reason(one)) for one in looked if one.part.name not in names]
    if not vendors:
        known = {one.part.name for one in looked}
        left.extend(LeftOut(part.name, _NOT_TEXT) for part in source.parts if part.name not in known)
        left.extend(LeftOut(name, reason) for name, reason in source.passed_over)
    return (replace(found[0], left_out=tuple(left)), *(replace(one, first=False) for one in found[1:]))


def _may_be_read(name: str) -> bool:
    suffix = PurePosixPath(name.lower()).suffix
    return suffix in _LOOKED_INTO


def _homes(source: OpenedSource, looked: list[Looked], vendors: list[Looked]) -> frozenset[str]:
    """Folders that are an unpacked export, or an archive that is one: texts in there belong to it."""
    marked = {_folder(one.part) for one in looked if one.sure is Confidence.NO and companion(one.seen)}
    marked |= {_folder(part) for part in source.parts if part.name.lower().rsplit("/", 1)[-1] == "chat.html"}
    return frozenset(
        _folder(one.part) for one in vendors if not isinstance(one.part, FilePart) or _folder(one.part) in marked
    )


def _folder(part: Part) -> str:
    """The folder of a part, '' for the top; below an archive in the drop, that archive is the top."""
    return part.name.rpartition("/")[0]


def _lies_in(part: Part, homes: frozenset[str]) -> bool:
    return any(not home or part.name.startswith(f"{home}/") for home in homes)


def _reason(one: Looked) -> str:
    if one.mail is not None:
        return "the mail that announces an export"
    if one.part.name.lower().endswith(".canvas"):
        return _CANVAS
    known = companion(one.seen)
    if known:
        return known
    vendor = looks_like(one.seen)
    if vendor:
        return f"looks like {vendor}: import it by itself"
    return _ATTACHMENT if one.adapter in LOOSE else _NO_CHAT
