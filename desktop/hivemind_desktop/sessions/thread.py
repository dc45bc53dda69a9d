"""A session in the order it is read: the visible thread, other answers where they fork off, merged parts headed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hivemind.domain.sessions import Message, OpenSession, Session


@dataclass(slots=True)
class Entry:
    """One message of the thread. `others`: whole branches that answer the same as it. `part`: a part begins here."""

    message: Message
    others: list[list[Message]] = field(default_factory=list)
    part: Session | None = None


def thread_of(opened: OpenSession) -> list[Entry]:
    """Entries in reading order; every message is in exactly one of them."""
    firsts = [part.first for part in opened.parts] or [0]
    entries: list[Entry] = []
    for number, first in enumerate(firsts):
        end = firsts[number + 1] if number + 1 < len(firsts) else len(opened.messages)
        found = _one(opened.messages[first:end])
        if found and opened.parts:
            found[0].part = opened.parts[number].session
        entries += found
    return entries


def _one(messages: Sequence[Message]) -> list[Entry]:
    entries = [Entry(each) for each in messages if each.branch == 0]
    branches: dict[int, list[Message]] = {}
    for each in messages:
        if each.branch:
            branches.setdefault(each.branch, []).append(each)
    if not entries:
        return [Entry(each) for each in messages]
    by_parent: dict[str | None, Entry] = {}
    by_id: dict[str, int] = {}
    for place, entry in enumerate(entries):
        by_parent.setdefault(entry.message.parent_ext_id, entry)
        by_id.setdefault(entry.message.ext_id, place)
    for branch in branches.values():
        _fork(entries, by_parent, by_id, branch[0].parent_ext_id).others.append(branch)
    return entries


def _fork(entries: list[Entry], by_parent: dict[str | None, Entry], by_id: dict[str, int], parent: str | None) -> Entry:
    """Where a branch belongs: beside the answer to the same message, else behind that message, else at the end."""
    if parent in by_parent:
        return by_parent[parent]
    place = by_id.get(parent or "")
    return entries[-1] if place is None else entries[min(len(entries) - 1, place + 1)]


def place_of(entries: Iterable[Entry], message_id: int | None) -> int | None:
    """The entry that holds a message, in its thread or in one of its branches."""
    if message_id is None:
        return None
    for place, entry in enumerate(entries):
        if entry.message.id == message_id:
            return place
        if any(each.id == message_id for branch in entry.others for each in branch):
            return place
    return None
