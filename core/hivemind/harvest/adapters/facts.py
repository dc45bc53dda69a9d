"""What the readers of chat exports share: ids and texts made safe, one item's damage kept its own, attached texts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from hivemind.domain.harvest import HarvestEvent, ItemFailed, MessageRead
from hivemind.readers.json_stream import DamagedItem, DamagedJson, LargeItem, WholeItem, members_of
from hivemind.readers.text import sanitise

MAX_ID = 200
#: Characters of one archived message of an attached text: some hundred frames, which one transaction can take.
ATTACHED = 50_000
ATTACHMENT = "attachment"

Members = Iterator[tuple[str, str | None, Any]]


class ItemReading(Protocol):
    """One item being read."""

    @property
    def shown(self) -> str:
        """What a person may know the item by."""

    def members(self, members: Members) -> Iterator[HarvestEvent]:
        """ItemStarted … ItemEnded or ItemSkipped."""


def guarded(
    ordinal: int,
    item: WholeItem | LargeItem | DamagedItem,
    deep: frozenset[str],
    begin: Callable[[int], ItemReading],
) -> Iterator[HarvestEvent]:
    """Events of one item of a stream, whose damage stays its own. `deep`: as for `json_items`."""
    if isinstance(item, DamagedItem):
        yield ItemFailed(ordinal, f"Item {ordinal + 1}", item.reason)
        return
    reading = begin(ordinal)
    try:
        if isinstance(item, LargeItem):
            yield from reading.members(item.members)
        elif isinstance(item.value, dict):
            yield from reading.members(members_of(item.value, deep))
        else:
            yield ItemFailed(ordinal, f"Item {ordinal + 1}", f"The item at byte {item.start} is not a conversation")
    except DamagedJson as error:
        yield ItemFailed(ordinal, reading.shown, str(error))
    except RecursionError:
        yield ItemFailed(ordinal, reading.shown, f"Nested too deeply, in the item at byte {item.start}")


def text_of(value: object) -> str:
    """A short text of an export, clean and without white edges; '' for anything else."""
    return sanitise(value)[0].strip() if isinstance(value, str) else ""


def id_of(value: object) -> str | None:
    """An id fit for a key: text, clean, and not endless. None for null, empty and things that are no ids."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return None
    clean = sanitise(value)[0].strip()
    if len(clean) > MAX_ID:
        digest = hashlib.sha256(clean.encode("utf-8", "replace")).hexdigest()
        return f"sha256:{digest}"
    return clean or None


def dict_of(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def attached(
    ordinal: int,
    name: str,
    text: str,
    *,
    ext_id: str,
    parent: str | None,
    sent: tuple[str | None, str | None],
    author: str = ATTACHMENT,
) -> list[MessageRead]:
    """A text that came along as messages of its own, each the child of the one before: nobody said it.

    `sent`: (stamp, as written). `author`: its role and speaker. The first message of an attachment carries its name.
    Ids are `ext_id`, `ext_id.2`, …
    """
    clean, repaired = sanitise(text)
    name = text_of(name)[:MAX_ID]
    made: list[MessageRead] = []
    for number, (start, end) in enumerate(_portions(clean), 1):
        own = ext_id if number == 1 else f"{ext_id}.{number}"
        made.append(
            MessageRead(
                ordinal=ordinal,
                ext_id=own,
                parent_ext_id=parent,
                role=author,
                speaker=author,
                sent_at=sent[0],
                sent_at_original=sent[1],
                kind="document",
                hidden=False,
                text=clean[start:end],
                spoken=clean[start:end],
                captions=name,
                attachments=(name,) if name and number == 1 and author == ATTACHMENT else (),
                repaired=repaired and number == 1,
            )
        )
        parent = own
    return made


def _portions(text: str) -> Iterator[tuple[int, int]]:
    """Spans that cover the text, cut at the last line that fits."""
    at = 0
    while at < len(text):
        end = min(at + ATTACHED, len(text))
        if end < len(text):
            line = text.rfind("\n", at + ATTACHED // 2, end)
            end = line + 1 if line > 0 else end
        yield at, end
        at = end
