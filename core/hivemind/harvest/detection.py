"""Which adapter reads a source: decided by content, never by a file's name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hivemind.domain.harvest import Confidence, ImportPreview, Peek
from hivemind.domain.protocols import HarvestAdapter
from hivemind.errors import SourceUnknown
from hivemind.harvest.adapters import ADAPTERS, adapter_named
from hivemind.harvest.sources import OpenedSource, Part, peek
from hivemind.readers.json_stream import keys_by_depth

_READS = "this version reads ChatGPT"
#: Files of an export that hold no conversation, by keys of their first object.
_COMPANIONS = (
    ({"chatgpt_plus_user"}, "the account file of a ChatGPT export"),
    ({"is_anonymous", "conversation_id"}, "the list of shared links of a ChatGPT export"),
    ({"rating", "conversation_id"}, "the ratings of a ChatGPT export"),
)


@dataclass(frozen=True, slots=True)
class Recognised:
    """An adapter and the parts of the source that it reads, in order."""

    adapter: HarvestAdapter
    parts: tuple[Part, ...]


def recognise(source: OpenedSource, wanted: str = "auto") -> Recognised:
    """Find the reader of a source. `wanted`: an adapter's name, or 'auto'.

    Raises SourceUnknown whose hint says what the source looks like, when that can be told.
    """
    candidates = [part for part in source.parts if len(source.parts) == 1 or part.name.lower().endswith(".json")]
    peeks = [peek(part) for part in candidates]
    asked = ADAPTERS
    if wanted != "auto":
        adapter = adapter_named(wanted)
        if adapter is None:
            raise SourceUnknown("There is no reader with this name", f"Nothing was imported; {_READS}.")
        asked = (adapter,)
    best: tuple[Confidence, Recognised] | None = None
    for adapter in asked:
        sure = [adapter.sniff(seen) for seen in peeks]
        top = max(sure, default=Confidence.NO)
        if top is Confidence.NO or (best is not None and top <= best[0]):
            continue
        # Beside a part that surely is a conversation file, a mere likeness is a companion file.
        least = Confidence.LIKELY if top >= Confidence.LIKELY else top
        parts = tuple(part for part, value in zip(candidates, sure, strict=True) if value >= least)
        best = top, Recognised(adapter, parts)
    if best is None:
        raise SourceUnknown(hint=_hint(source, peeks))
    return best[1]


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


def _hint(source: OpenedSource, peeks: list[Peek]) -> str:
    for seen in peeks:
        looks = _looks_like(seen)
        if looks:
            return looks
    if source.nested:
        return f"Nothing was imported. It holds archives ({', '.join(source.nested[:3])}): unpack it, then drop those."
    if any(part.name.lower().endswith("chat.html") for part in source.parts):
        return "Nothing was imported. Drop the whole ZIP instead: chat.html only repeats what conversations.json holds."
    return f"Nothing was imported; {_READS}. Drop the ZIP or folder exactly as you downloaded it."


def _looks_like(seen: Peek) -> str:
    keys = keys_by_depth(seen.head)
    for marks, name in _COMPANIONS:
        if marks <= keys[0]:
            return f"This is {name}. Drop the whole ZIP, or its conversations file."
    vendor = ""
    if "chat_messages" in keys[0]:
        vendor = "Claude"
    elif "mapping" in keys[0] and ("fragments" in keys[3] or "inserted_at" in keys[0]):
        vendor = "DeepSeek"
    elif "conversations" in keys[0] and "responses" in keys[1]:
        vendor = "Grok"
    elif "titleUrl" in keys[0] or {"header", "products"} <= keys[0]:
        vendor = "Gemini"
    elif "chatId" in keys[0]:
        vendor = "Mistral"
    elif {"sessionId", "parentUuid"} <= keys[0]:
        vendor = "Claude Code"
    return f"This looks like a {vendor} export; {_READS}. Nothing was imported." if vendor else ""
