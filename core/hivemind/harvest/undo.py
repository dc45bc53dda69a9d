"""Undo of an import: what only this run brought goes, what others claim or a person made their own stays."""

from __future__ import annotations

from dataclasses import dataclass, field

from hivemind.domain.harvest import KeptFrame, RunState, UndoReport
from hivemind.errors import CannotUndo
from hivemind.harvest.items import ClaimStore, ItemStore
from hivemind.harvest.ownership import is_gone
from hivemind.harvest.protection import protected
from hivemind.harvest.runs import RunStore
from hivemind.mind import Mind, MindTransaction
from hivemind.storage import Connection, Priority
from hivemind.storage.bulk import bulk_delete

_OPENS = "it opens a session that keeps other memories"
#: Messages whose removal fits one short transaction.
_SLICE = 200


@dataclass(slots=True)
class _Plan:
    """What goes from one session."""

    session: str
    messages: list[int] = field(default_factory=list)
    shared: list[int] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    kept: dict[int, str] = field(default_factory=dict)


async def undo_run(mind: Mind, run_id: int) -> UndoReport:
    """Take a run back. Can be repeated after an interruption; frames that stay are listed with their reason.

    Raises RunNotFound, or CannotUndo while the run is at work.
    """
    family, sessions = await mind.read(lambda tx: _begin(tx, run_id))
    plans = [await mind.read(lambda tx, s=session: _plan(tx.connection, family, s)) for session in sessions]  # type: ignore[misc]
    frames = [frame for plan in plans for frame in plan.frames]
    vectors = mind.database.vector.loaded
    removed = 0

    def delete(connection: Connection, ids: object) -> None:
        nonlocal removed
        tx = MindTransaction(connection, mind.clock, vectors=vectors)
        assert isinstance(ids, list)
        stay = protected(connection, ids)
        removed += tx.frames.remove([frame for frame in ids if frame not in stay])

    await bulk_delete(mind.database, frames, delete, Priority.IMPORT)
    gone = 0
    for plan in plans:
        for start in range(0, max(1, len(plan.messages)), _SLICE):
            part = plan.messages[start : start + _SLICE]
            await mind.write(lambda tx, p=part: _remove_messages(tx, family, p), Priority.IMPORT)  # type: ignore[misc]
        gone += await mind.write(lambda tx, p=plan: _close(tx, family, p), Priority.IMPORT)  # type: ignore[misc]
    await mind.write(lambda tx: _mark(tx, family), Priority.IMPORT)
    kept = tuple(KeptFrame(frame, reason) for plan in plans for frame, reason in sorted(plan.kept.items()))
    return UndoReport(run_id, removed, gone, kept)


def _begin(tx: MindTransaction, run_id: int) -> tuple[list[int], list[str]]:
    runs = RunStore(tx.connection, tx.now).family(run_id)
    for run in runs:
        if run.state in (RunState.RUNNING, RunState.PAUSED) and not is_gone(run.owner):
            raise CannotUndo("This import is still running", "Stop it first, where it runs. Nothing was changed.")
    ids = [run.id for run in runs]
    return ids, ItemStore(tx.connection).sessions(ids)


def _plan(connection: Connection, family: list[int], session: str) -> _Plan:
    plan = _Plan(session)
    own, plan.shared = ClaimStore(connection).split(family, session)
    going = set(own)
    for message_id in own:
        frames = _frames_only_of(connection, message_id, going)
        kept = protected(connection, frames)
        plan.kept.update(kept)
        plan.frames.extend(frame for frame in frames if frame not in kept)
        if kept:
            going.discard(message_id)
    plan.messages = sorted(going)
    _plan_opening(connection, plan)
    return plan


def _frames_only_of(connection: Connection, message_id: int, going: set[int]) -> list[int]:
    """Imported frames cut from this message and from no message that stays."""
    rows = connection.execute(
        "SELECT fm.frame_id FROM frame_messages AS fm JOIN memory_frames AS f ON f.id = fm.frame_id"
        " WHERE fm.message_id = ? AND f.origin = 'import' ORDER BY fm.frame_id",
        (message_id,),
    )
    found = []
    for (frame_id,) in list(rows):
        others = connection.execute("SELECT message_id FROM frame_messages WHERE frame_id = ?", (frame_id,))
        if all(int(other) in going for (other,) in others):
            found.append(int(frame_id))
    return found


def _plan_opening(connection: Connection, plan: _Plan) -> None:
    """The session's own summary goes when nothing else of the session stays."""
    (left,) = connection.execute("SELECT count(*) FROM messages WHERE session = ?", (plan.session,)).fetchone() or (0,)
    rows = connection.execute(
        "SELECT id FROM memory_frames AS f WHERE gop_id = ? AND frame_type = 'I' AND origin = 'import'"
        " AND NOT EXISTS (SELECT 1 FROM frame_messages WHERE frame_id = f.id)",
        (plan.session,),
    )
    openings = [int(frame_id) for (frame_id,) in list(rows)]
    if left > len(plan.messages) and not plan.kept:
        return
    kept = protected(connection, openings)
    plan.kept.update(kept)
    going = {*plan.frames, *openings}
    others = connection.execute("SELECT id FROM memory_frames WHERE gop_id = ?", (plan.session,))
    stays = bool(plan.kept) or any(int(frame_id) not in going for (frame_id,) in others)
    if stays:
        plan.kept.update((frame, _OPENS) for frame in openings if frame not in kept)
    else:
        plan.frames.extend(openings)


def _remove_messages(tx: MindTransaction, family: list[int], message_ids: list[int]) -> None:
    """Messages go unless a frame that a person touched in the meantime still stands on them."""
    standing = {i for i in message_ids if tx.archive.frames_of([i])}
    tx.archive.remove([i for i in message_ids if i not in standing])
    ClaimStore(tx.connection).release(family, standing)


def _close(tx: MindTransaction, family: list[int], plan: _Plan) -> int:
    ClaimStore(tx.connection).release(family, plan.shared)
    for message_id in {m for frame in plan.kept for m in _messages_of(tx.connection, frame)}:
        ClaimStore(tx.connection).release(family, [message_id])
    return len(tx.sessions.remove_empty([plan.session]))


def _messages_of(connection: Connection, frame_id: int) -> list[int]:
    rows = connection.execute("SELECT message_id FROM frame_messages WHERE frame_id = ?", (frame_id,))
    return [int(message_id) for (message_id,) in rows]


def _mark(tx: MindTransaction, family: list[int]) -> None:
    items = ItemStore(tx.connection)
    runs = RunStore(tx.connection, tx.now)
    for run_id in family:
        items.give_up_partial(run_id, "undone")
        runs.set_state(run_id, RunState.UNDONE)
