"""What an erasure takes, worked out before anything is changed: places by id and digest, kept for redo and restore."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hivemind.domain.erasure import ErasureTarget, TargetKind
from hivemind.errors import FrameNotFound, InvalidValue, NotAllowed, RunNotFound
from hivemind.maintenance.erasure_needles import SHORTEST_WORDS, Needles
from hivemind.maintenance.erasure_places import Place, Sought, message_place
from hivemind.maintenance.text_holders import TEXT_HOLDERS
from hivemind.mind import MindTransaction
from hivemind.mind.suppressions import TITLE, suppression_key

_FAMILY = (
    "WITH RECURSIVE family (id) AS (SELECT id FROM import_runs WHERE id = ? UNION"
    " SELECT r.id FROM import_runs AS r JOIN family AS f ON r.parent_id = f.id) SELECT id FROM family"
)


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """`places` by holder. `sessions`: go when they are empty. `suppress`: source and key (hex) of what stays out.
    `named`: sessions that a person chose, and whatever else an older state holds of them."""

    uuid: str
    places: Mapping[str, list[Place]]
    sessions: tuple[str, ...]
    suppress: tuple[tuple[str, str], ...]
    named: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return sum(map(len, self.places.values()))

    def with_also(self, other: ErasurePlan) -> ErasurePlan:
        """Both, each place once."""
        places = {}
        for name in {**self.places, **other.places}:
            both = [*self.places.get(name, ()), *other.places.get(name, ())]
            places[name] = [list(one) for one in dict.fromkeys(map(tuple, both))]
        sessions = tuple(dict.fromkeys((*self.sessions, *other.sessions)))
        suppress = tuple(dict.fromkeys((*self.suppress, *other.suppress)))
        return ErasurePlan(self.uuid, places, sessions, suppress, self.named)

    def document(self) -> dict[str, Any]:
        """What the ledger keeps. No text."""
        rest = {"sessions": list(self.sessions), "suppress": list(self.suppress), "named": list(self.named)}
        return {"places": dict(self.places), **rest}


def plan_from(uuid: str, kept: Mapping[str, Any]) -> ErasurePlan:
    """From the ledger."""
    suppress = tuple((str(source), str(key)) for source, key in kept["suppress"])
    return ErasurePlan(uuid, kept["places"], tuple(kept["sessions"]), suppress, tuple(kept["named"]))


def needles_for(target: ErasureTarget) -> Needles:
    """Raises InvalidValue for words that are too short to be told from others."""
    if target.kind not in (TargetKind.PERSON, TargetKind.TEXT):
        return Needles()
    if not target.values or any(len(words.strip()) < SHORTEST_WORDS for words in target.values):
        raise InvalidValue(
            f"Words to erase need at least {SHORTEST_WORDS} characters",
            "Shorter words stand inside many others. Write the whole word or sentence.",
        )
    return Needles(target.values, whole=target.kind is TargetKind.PERSON)


def seek(tx: MindTransaction, target: ErasureTarget, uuid: str) -> Sought:
    """The rows a target names. Raises FrameNotFound, SessionNotFound, RunNotFound, InvalidValue."""
    sought = Sought(needles_for(target), uuid)
    if target.kind is TargetKind.FRAME:
        for value in target.values:
            sought.frame_ids.add(_frame(tx, value))
    elif target.kind is TargetKind.SESSION:
        for value in target.values:
            _add_session(tx, sought, tx.sessions.get(value).id)
    elif target.kind is TargetKind.IMPORT:
        for value in target.values:
            _add_import(tx, sought, value)
    elif target.kind is TargetKind.PERSON:
        _add_person(tx, sought)
    return sought


def seek_again(tx: MindTransaction, plan: ErasurePlan, needles: Needles) -> Sought:
    """The same things in another state of the mind (a backup): by their lasting ids, and by words where known."""
    sought = Sought(needles, plan.uuid)
    for session in plan.named:
        if tx.sessions.find(session) is not None:
            _add_session(tx, sought, session)
    for (uuid,) in plan.places.get("frames", ()):
        rows = tx.connection.execute("SELECT id FROM memory_frames WHERE uuid = ?", (uuid,))
        sought.frame_ids.update(int(i) for (i,) in rows)
    wanted: dict[str, set[str]] = {}
    for session, name in plan.places.get("archive", ()):
        wanted.setdefault(session, set()).add(name)
    for session, names in wanted.items():
        rows = tx.connection.execute("SELECT id, ext_id, occurrence FROM messages WHERE session = ?", (session,))
        sought.message_ids.update(int(i) for i, ext, n in rows if message_place(session, ext, n)[1] in names)
    return sought


def work_out(tx: MindTransaction, sought: Sought) -> ErasurePlan:
    """Find every place. `sought` then names every row that goes, and its needles know the texts of the memories."""
    first, second, *others = TEXT_HOLDERS
    places = {first.name: first.find(tx, sought)}
    texts = "SELECT content FROM memory_frames WHERE id = ?"
    sought.needles.add_passages(
        str(text) for frame_id in sought.frame_ids for (text,) in tx.connection.execute(texts, (frame_id,))
    )
    places[second.name] = second.find(tx, sought)
    sought.sessions.update(_emptied(tx, sought))
    places.update((holder.name, holder.find(tx, sought)) for holder in others)
    suppress = tuple(dict.fromkeys(_suppressions(tx, sought)))
    named = tuple(sorted(sought.named))
    return ErasurePlan(sought.salt, places, tuple(sorted(sought.sessions)), suppress, named)


def _frame(tx: MindTransaction, value: str) -> int:
    if not value.isascii() or not value.isdecimal():
        raise InvalidValue("A memory is named by its number", "Look it up with search or frames list.")
    if tx.frames.find(int(value)) is None:
        raise FrameNotFound()
    return int(value)


def _add_session(tx: MindTransaction, sought: Sought, session: str) -> None:
    for each in (session, *tx.merges.parts(session)):
        sought.sessions.add(each)
        sought.named.add(each)
        sought.frame_ids.update(tx.frames.ids_of_session(each))
        rows = tx.connection.execute("SELECT id FROM messages WHERE session = ?", (each,))
        sought.message_ids.update(int(i) for (i,) in rows)


def _add_import(tx: MindTransaction, sought: Sought, value: str) -> None:
    runs = [int(i) for (i,) in tx.connection.execute(_FAMILY, (int(value) if value.isdecimal() else -1,))]
    if not runs:
        raise RunNotFound()
    at_work = "SELECT EXISTS (SELECT 1 FROM import_runs WHERE id = ? AND state IN ('running', 'paused'))"
    if any(tx.connection.execute(at_work, (run,)).get for run in runs):
        raise NotAllowed(
            "This import is still at work", "Let it finish or stop it, then erase it. Nothing was changed."
        )
    sought.runs.update(runs)
    for run in runs:
        rows = tx.connection.execute("SELECT message_id FROM import_claims WHERE run_id = ?", (run,))
        sought.message_ids.update(int(i) for (i,) in rows)
    sought.frame_ids.update(tx.archive.frames_of(sought.message_ids))
    # The summary that an import writes at the head of a session is cut from no message.
    for session in _sessions_of(tx, sought.message_ids):
        if _stays(tx, session, sought.message_ids, "messages", "session") == 0:
            rows = tx.connection.execute(
                "SELECT id FROM memory_frames AS f WHERE gop_id = ? AND origin = 'import'"
                " AND NOT EXISTS (SELECT 1 FROM frame_messages WHERE frame_id = f.id)",
                (session,),
            )
            sought.frame_ids.update(int(i) for (i,) in rows)


def _add_person(tx: MindTransaction, sought: Sought) -> None:
    """Everything they said, and everything said of them under any of the names known for them."""
    for speaker, name in list(tx.connection.execute("SELECT id, name FROM speakers")):
        if sought.needles.spoken(name):
            rows = tx.connection.execute("SELECT id FROM memory_frames WHERE speaker_id = ?", (speaker,))
            sought.frame_ids.update(int(i) for (i,) in rows)
            rows = tx.connection.execute("SELECT id FROM messages WHERE speaker = ?", (speaker,))
            sought.message_ids.update(int(i) for (i,) in rows)
    for entity, name in list(tx.connection.execute("SELECT id, name FROM knowledge_entities")):
        if sought.needles.spoken(name):
            rows = tx.connection.execute("SELECT frame_id FROM entity_mentions WHERE entity_id = ?", (entity,))
            sought.frame_ids.update(int(i) for (i,) in rows)


def _sessions_of(tx: MindTransaction, message_ids: Iterable[int]) -> set[str]:
    query = "SELECT session FROM messages WHERE id = ?"
    return {str(one) for i in message_ids for (one,) in tx.connection.execute(query, (i,))}


def _stays(tx: MindTransaction, session: str, going: set[int], table: str, column: str) -> int:
    rows = tx.connection.execute(f"SELECT id FROM {table} WHERE {column} = ?", (session,))  # noqa: S608
    return sum(int(i) not in going for (i,) in rows)


def _emptied(tx: MindTransaction, sought: Sought) -> set[str]:
    """Sessions of which nothing stays."""
    query = "SELECT gop_id FROM memory_frames WHERE id = ?"
    touched = {str(one) for i in sought.frame_ids for (one,) in tx.connection.execute(query, (i,))}
    touched |= _sessions_of(tx, sought.message_ids)
    return {
        session
        for session in touched
        if not _stays(tx, session, sought.frame_ids, "memory_frames", "gop_id")
        and not _stays(tx, session, sought.message_ids, "messages", "session")
    }


def _suppressions(tx: MindTransaction, sought: Sought) -> Iterable[tuple[str, str]]:
    rows = tx.connection.execute("SELECT gop_id, source, item_id, title FROM sessions WHERE item_id IS NOT NULL")
    for session, source, item, title in list(rows):
        if session in sought.sessions or sought.needles.spoken(item):
            yield source, suppression_key(source, item).hex()
        elif sought.needles.spoken(title):
            yield source, suppression_key(source, item, TITLE).hex()
    query = (
        "SELECT s.source, s.item_id, m.ext_id, m.occurrence FROM messages AS m JOIN sessions AS s"
        " ON s.gop_id = m.session WHERE m.id = ? AND s.item_id IS NOT NULL"
    )
    for message_id in sorted(sought.message_ids):
        for source, item, ext_id, occurrence in tx.connection.execute(query, (message_id,)):
            yield source, suppression_key(source, item, ext_id, occurrence).hex()
