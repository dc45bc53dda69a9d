"""Where a person's words stand in a mind, room by room: how they are found there, and how they are taken out.

A place is a list that JSON can carry, without the text: an id that is never used twice, or a row with a digest of what
stood there. Taking out a place that is gone, or holds something else by now, does nothing: it can always be repeated.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hivemind.domain.indexed_text import indexed_text
from hivemind.maintenance.erasure_needles import Needles, digest
from hivemind.mind import MindTransaction
from hivemind.mind.saved_searches import SavedSearchStore
from hivemind.mind.statements import StatementStore

Place = list[Any]
#: Changes whose arguments name memories.
_OF_FRAMES = ("frames.", "accesses.")


@dataclass(slots=True)
class Sought:
    """What is to go: rows that are named, and words and passages wherever they stand. `named`: whole sessions."""

    needles: Needles
    salt: str
    frame_ids: set[int] = field(default_factory=set)
    message_ids: set[int] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    runs: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Taking:
    """`seq`: the log entry that says so, made when it is first asked for."""

    salt: str
    seq: Callable[[], int]


# frames


def find_frames(tx: MindTransaction, sought: Sought) -> list[Place]:
    """[uuid], whole memories: a patch brings its original and its other patches along."""
    ids = set(sought.frame_ids)
    if sought.needles.words:
        rows = tx.connection.execute(
            "SELECT f.id, f.content, f.captions, f.quarantine, n.summary, n.tags FROM memory_frames AS f"
            " LEFT JOIN frame_notes AS n ON n.frame_id = f.id"
        )
        ids.update(int(row[0]) for row in rows if any(sought.needles.spoken(text) for text in row[1:] if text))
    family: set[tuple[int, str]] = set()
    for frame_id in ids:
        query = (
            "SELECT id, uuid FROM memory_frames WHERE id = ?1 OR patch_target_id = ?1 OR id = (SELECT patch_target_id"
            " FROM memory_frames WHERE id = ?1) OR patch_target_id = (SELECT patch_target_id FROM memory_frames"
            " WHERE id = ?1)"
        )
        family.update((int(one), str(uuid)) for one, uuid in tx.connection.execute(query, (frame_id,)))
    sought.frame_ids.update(one for one, _ in family)
    return [[uuid] for _, uuid in sorted(family)]


def take_frames(tx: MindTransaction, places: Sequence[Place], taking: Taking) -> int:
    del taking
    ids = [
        int(frame_id)
        for (uuid,) in places
        for (frame_id,) in tx.connection.execute("SELECT id FROM memory_frames WHERE uuid = ?", (uuid,))
    ]
    removed = tx.frames.remove(ids)
    for table in tx.vectors.tables():
        # Floats of a model that has retired, or that were there before the library was missing for a while.
        tx.connection.executemany(f"DELETE FROM {table} WHERE rowid = ?", [(i,) for i in ids])  # noqa: S608
    return removed


# messages


def message_place(session: str, ext_id: str, occurrence: int) -> Place:
    return [session, digest(session, f"{ext_id}\0{occurrence}")]


def find_messages(tx: MindTransaction, sought: Sought) -> list[Place]:
    """[session, digest of its name there]. Those that the frames were cut from, and those that hold the words."""
    doomed = set(sought.message_ids)
    for frame_id in sought.frame_ids:
        rows = tx.connection.execute("SELECT message_id FROM frame_messages WHERE frame_id = ?", (frame_id,))
        doomed.update(int(message_id) for (message_id,) in rows)
    if sought.needles.words:
        doomed.update(i for i, text in every_message(tx) if sought.needles.spoken(text))
        rows = tx.connection.execute("SELECT id, attachments FROM messages WHERE attachments <> '[]'")
        doomed.update(int(i) for i, names in rows if sought.needles.spoken(names))
    sought.message_ids.update(doomed)
    query = "SELECT session, ext_id, occurrence FROM messages WHERE id = ?"
    return [message_place(*row) for i in sorted(doomed) for row in tx.connection.execute(query, (i,))]


def every_message(tx: MindTransaction) -> Iterator[tuple[int, str]]:
    """Every archived message with its text, block by block."""
    blocks = [int(block) for (block,) in tx.connection.execute("SELECT id FROM archive_blocks")]
    for block in blocks:
        packed = tx.connection.execute("SELECT bytes FROM archive_blocks WHERE id = ?", (block,)).get
        body = zlib.decompress(packed)
        rows = list(tx.connection.execute("SELECT id, offset, length FROM messages WHERE block_id = ?", (block,)))
        for message_id, offset, length in rows:
            yield int(message_id), body[offset : offset + length].decode("utf-8", "replace")


def take_messages(tx: MindTransaction, places: Sequence[Place], taking: Taking) -> int:
    del taking
    wanted: dict[str, set[str]] = {}
    for session, name in places:
        wanted.setdefault(session, set()).add(name)
    ids = []
    for session, names in wanted.items():
        rows = tx.connection.execute("SELECT id, ext_id, occurrence FROM messages WHERE session = ?", (session,))
        ids += [int(i) for i, ext_id, occurrence in rows if message_place(session, ext_id, occurrence)[1] in names]
    tx.archive.remove(ids)
    return len(ids)


# what undo remembers


def find_changes(tx: MindTransaction, sought: Sought) -> list[Place]:
    """[id, digest]. Those that hold the words, and those that would touch what goes."""
    rows = list(tx.connection.execute("SELECT id, label, inverse FROM changes"))
    return [
        [int(i), digest(sought.salt, label + inverse)]
        for i, label, inverse in rows
        if sought.needles.copied(label) or sought.needles.copied(inverse) or _touches(inverse, sought)
    ]


def take_changes(tx: MindTransaction, places: Sequence[Place], taking: Taking) -> int:
    removed = 0
    for change_id, known in places:
        row = tx.connection.execute("SELECT label || inverse FROM changes WHERE id = ?", (change_id,)).get
        if row is not None and digest(taking.salt, row) == known:
            tx.connection.execute("DELETE FROM changes WHERE id = ?", (change_id,))
            removed += 1
    return removed


def _touches(inverse: str, sought: Sought) -> bool:
    for name, arguments in json.loads(inverse):
        values = set(_values(arguments))
        if (name.startswith(_OF_FRAMES) and values & sought.frame_ids) or values & sought.sessions:
            return True
    return False


def _values(value: Any) -> Iterator[int | str]:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for one in value:
            yield from _values(one)
    elif isinstance(value, int | str):
        yield value


# saved searches and the operator's statement


def find_searches(tx: MindTransaction, sought: Sought) -> list[Place]:
    """[digest]. Of `meta` only saved searches and the operator's statement hold words; the other keys are ours."""
    spoken = sought.needles.spoken
    stored = SavedSearchStore(tx.connection).list_all()
    texts = [f"{one.name}\0{one.line}" for one in stored if spoken(one.name) or spoken(one.line)]
    texts += [said] if spoken(said := StatementStore(tx.connection).words()) else []
    return [[digest(sought.salt, text)] for text in texts]


def take_searches(tx: MindTransaction, places: Sequence[Place], taking: Taking) -> int:
    gone = {place[0] for place in places}
    before = (store := SavedSearchStore(tx.connection)).list_all()
    kept = [one for one in before if digest(taking.salt, f"{one.name}\0{one.line}") not in gone]
    store.replace(kept)
    statement = StatementStore(tx.connection)
    return len(before) - len(kept) + int(digest(taking.salt, statement.words()) in gone and statement.blank())


# texts of the interaction log


def find_payload(tx: MindTransaction, sought: Sought) -> list[Place]:
    """[interaction, field, digest]. Texts of calls that hold the words, and of calls made in a session that goes."""
    rows = tx.connection.execute(
        "SELECT p.interaction_id, p.field, p.body, i.session_id FROM ai_log_payload AS p"
        " JOIN ai_interactions AS i ON i.id = p.interaction_id WHERE p.state = 'present'"
    )
    return [
        [int(i), str(name), digest(sought.salt, body)]
        for i, name, body, session in rows
        if session in sought.sessions or sought.needles.copied(body)
    ]


def take_payload(tx: MindTransaction, places: Sequence[Place], taking: Taking) -> int:
    """The rows stay, their words and salts go, and point at the entry that says so."""
    erased = 0
    for interaction, name, known in places:
        query = "SELECT body FROM ai_log_payload WHERE interaction_id = ? AND field = ? AND state = 'present'"
        body = tx.connection.execute(query, (interaction, name)).get
        if body is not None and digest(taking.salt, body) == known:
            tx.connection.execute(
                "UPDATE ai_log_payload SET state = 'erased', body = NULL, salt = NULL, erased_by_seq = ?"
                " WHERE interaction_id = ? AND field = ?",
                (taking.seq(), interaction, name),
            )
            erased += 1
    return erased


# speakers


def find_speakers(tx: MindTransaction, sought: Sought) -> list[Place]:
    rows = tx.connection.execute("SELECT id, name FROM speakers")
    return [[int(i), digest(sought.salt, name)] for i, name in rows if sought.needles.spoken(name)]


def take_speakers(tx: MindTransaction, places: Sequence[Place], taking: Taking) -> int:
    """A pseudonym in the place of the name; memories that stay are indexed and embedded anew under it."""
    renamed = 0
    for speaker_id, known in places:
        name = tx.connection.execute("SELECT name FROM speakers WHERE id = ?", (speaker_id,)).get
        if name is not None and digest(taking.salt, name) == known:
            tx.connection.execute("UPDATE speakers SET name = 'erased ' || id WHERE id = ?", (speaker_id,))
            _index_anew(tx, speaker_id)
            renamed += 1
    return renamed


def _index_anew(tx: MindTransaction, speaker_id: int) -> None:
    rows = list(
        tx.connection.execute("SELECT id, content, captions FROM memory_frames WHERE speaker_id = ?", (speaker_id,))
    )
    # The trigger of the word index fires for this column.
    tx.connection.execute("UPDATE memory_frames SET speaker_id = speaker_id WHERE speaker_id = ?", (speaker_id,))
    name = tx.speakers.name_of(speaker_id)
    for frame_id, content, captions in rows:
        tx.connection.execute("DELETE FROM memory_frames_cjk WHERE rowid = ?", (frame_id,))
        if tx.connection.execute("SELECT EXISTS (SELECT 1 FROM memory_frames_fts WHERE rowid = ?)", (frame_id,)).get:
            tx.writer.index_unspaced(int(frame_id), indexed_text(name, content, captions))
    tx.vectors.remove(ids := [int(row[0]) for row in rows])
    tx.feed.append("text", ids)
    living = tx.connection.execute(
        "SELECT f.id FROM memory_frames AS f JOIN memory_frames_fts AS w ON w.rowid = f.id WHERE f.speaker_id = ?"
        " AND f.id NOT IN (SELECT frame_id FROM outbox WHERE kind = 'embedding')",
        (speaker_id,),
    )
    tx.outbox.owe("embedding", [int(i) for (i,) in living])


# cells without a frame


class Cells:
    """A cell becomes `blank` (SQL) when it holds the words. `owners`: table -> column naming its session or import."""

    def __init__(self, columns: tuple[str, ...], blank: str, owners: Iterable[tuple[str, str]] = ()) -> None:
        self.columns = columns
        self._blank = blank
        self._owners = dict(owners)

    def find(self, tx: MindTransaction, sought: Sought) -> list[Place]:
        """[column, rowid, digest]."""
        found: list[Place] = []
        for place in self.columns:
            table, column = place.split(".")
            owner = self._owners.get(table, "NULL")
            query = f'SELECT rowid, "{column}", {owner} FROM "{table}" WHERE "{column}" NOT IN (\'\', \'{{}}\')'  # noqa: S608
            for rowid, text, belongs in tx.connection.execute(query):
                if belongs in sought.sessions or belongs in sought.runs or sought.needles.copied(str(text)):
                    found.append([place, int(rowid), digest(sought.salt, str(text))])
        return found

    def take_out(self, tx: MindTransaction, places: Sequence[Place], taking: Taking) -> int:
        changed = 0
        for place, rowid, known in places:
            table, column = place.split(".")
            now = tx.connection.execute(f'SELECT "{column}" FROM "{table}" WHERE rowid = ?', (rowid,)).get  # noqa: S608
            if now is not None and digest(taking.salt, str(now)) == known:
                statement = f'UPDATE "{table}" SET "{column}" = {self._blank} WHERE rowid = ?'  # noqa: S608
                tx.connection.execute(statement, (rowid,))
                changed += 1
        return changed
