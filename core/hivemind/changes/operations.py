"""The calls an inverse may be made of. Each refuses, with CannotUndo, what it can no longer take back exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hivemind.domain.frames import Frame, Importance
from hivemind.domain.search import Profile, SavedSearch
from hivemind.domain.sessions import AwarenessCategory, Identity, SessionStatus
from hivemind.errors import CannotUndo
from hivemind.mind import MindTransaction
from hivemind.mind.review import content_digest, mask_again, unsettle
from hivemind.mind.saved_searches import SavedSearchStore
from hivemind.mind.statements import StatementStore, from_plain

Arguments = Mapping[str, Any]
Operation = Callable[[MindTransaction, Arguments], None]

#: An import is walked back by the harvest room, over many transactions: the undo service sends it there.
UNDO_IMPORT = "imports.undo"


def _frame(tx: MindTransaction, frame_id: int) -> Frame:
    frame = tx.frames.find(frame_id)
    if frame is None:
        raise CannotUndo("A memory this touched is gone", "Nothing was changed now.")
    return frame


def remove_frames(tx: MindTransaction, arguments: Arguments) -> None:
    """Take back what was written: `ids` of frames, and `session` when it was opened for them."""
    ids = [int(i) for i in arguments["ids"]]
    for frame_id in ids:
        frame = _frame(tx, frame_id)
        later = [f.id for f in tx.frames.history(frame_id) if f.t > frame.t and f.id not in ids]
        if frame.patch_target_id is None and later:
            raise CannotUndo("This memory was edited since", "Undo the edit first.")
        if any(reference.ref_frame_id == frame_id for reference in tx.frames.references(frame_id)):
            raise CannotUndo("Another memory is linked to this one", "Undo the link first.")
    tx.frames.remove(ids)
    session = arguments.get("session")
    if session is not None:
        tx.sessions.remove_empty([str(session)])


def set_importance(tx: MindTransaction, arguments: Arguments) -> None:
    frame = _frame(tx, int(arguments["id"]))
    if frame.importance != arguments["expect"]:
        raise CannotUndo("Its importance was changed since", "Set it by hand.")
    tx.frames.set_importance(frame.id, Importance(str(arguments["to"])))


def set_pinned(tx: MindTransaction, arguments: Arguments) -> None:
    tx.frames.set_pinned(_frame(tx, int(arguments["id"])).id, bool(arguments["to"]))


def restore_frames(tx: MindTransaction, arguments: Arguments) -> None:
    ids = [int(i) for i in arguments["ids"]]
    for frame_id in ids:
        if _frame(tx, frame_id).trashed_at is None:
            raise CannotUndo("A memory is no longer in the trash", "Nothing was changed now.")
    tx.frames.restore(ids)


def hold_back(tx: MindTransaction, arguments: Arguments) -> None:
    """Back into quarantine, for the `reason` of before."""
    frame = _frame(tx, int(arguments["id"]))
    if frame.quarantine is not None:
        raise CannotUndo("This memory is held back again already", "Nothing was changed now.")
    tx.frames.set_quarantine(frame.id, str(arguments["reason"]))


def mask_marks_again(tx: MindTransaction, arguments: Arguments) -> None:
    """`frames`: a list of [id, masked text of before, digest of the text that was left]."""
    for frame_id, _, left in arguments["frames"]:
        if content_digest(_frame(tx, int(frame_id)).content) != left:
            raise CannotUndo("This memory was changed since", "Nothing was changed now.")
    mask_again(tx, arguments["digests"], [(int(i), str(text)) for i, text, _ in arguments["frames"]])


def look_again(tx: MindTransaction, arguments: Arguments) -> None:
    unsettle(tx, arguments["keys"])


def trash_frames(tx: MindTransaction, arguments: Arguments) -> None:
    """Back to the trash with the time each had: `frames` is a list of [id, stamp]."""
    for frame_id, at in arguments["frames"]:
        if _frame(tx, int(frame_id)).trashed_at is not None:
            raise CannotUndo("A memory is in the trash already", "Nothing was changed now.")
        tx.frames.trash([int(frame_id)], str(at))


def forget_access(tx: MindTransaction, arguments: Arguments) -> None:
    """A repeated save counted as a use: uncount it."""
    tx.accesses.forget(int(arguments["id"]), int(arguments["access_id"]), str(arguments["last_accessed"]))


def set_session_state(tx: MindTransaction, arguments: Arguments) -> None:
    tx.sessions.set_state(
        str(arguments["id"]), SessionStatus(str(arguments["status"])), arguments["ended_at"], arguments["summary"]
    )


def rename_session(tx: MindTransaction, arguments: Arguments) -> None:
    session = tx.sessions.find(str(arguments["id"]))
    if session is None or session.title != arguments["expect"]:
        raise CannotUndo("This session was renamed since", "Rename it by hand.")
    tx.sessions.set_title(session.id, str(arguments["to"]))


def place_sessions(tx: MindTransaction, arguments: Arguments) -> None:
    """Which session each was read with before: `places` is a list of [id, whole or None, whole it is read with now]."""
    for session_id, _, now in arguments["places"]:
        known = tx.sessions.find(str(session_id)) is not None
        if not known or tx.merges.whole_of(str(session_id)) != (now or session_id):
            raise CannotUndo("A session this touched has changed since", "Merge or take apart by hand.")
    for session_id, before, _ in arguments["places"]:
        tx.merges.place([str(session_id)], before)


def set_project(tx: MindTransaction, arguments: Arguments) -> None:
    tx.sessions.set_project(str(arguments["id"]), arguments["to"])


def set_identity(tx: MindTransaction, arguments: Arguments) -> None:
    """`to` None: there was none before."""
    before = arguments["to"]
    if before is None:
        tx.identity.clear()
    else:
        tx.identity.put_back(Identity(**before))


def remove_awareness(tx: MindTransaction, arguments: Arguments) -> None:
    """Take an added item back and bring back what it pushed out."""
    tx.awareness.clear([int(arguments["id"])])
    for item in arguments["retired"]:
        put_back_awareness(tx, item)
    tx.awareness.forget_episodes([int(i) for i in arguments["episodes"]])


def put_back_awareness(tx: MindTransaction, arguments: Arguments) -> None:
    tx.awareness.put_back({**arguments, "category": AwarenessCategory(str(arguments["category"]))})


def restore_awareness(tx: MindTransaction, arguments: Arguments) -> None:
    for item in arguments["items"]:
        put_back_awareness(tx, item)


def replace_searches(tx: MindTransaction, arguments: Arguments) -> None:
    """`to` and `expect`: all saved searches, before and after."""
    store = SavedSearchStore(tx.connection)
    before, after = (
        tuple(SavedSearch(one["name"], one["line"], Profile(one["profile"])) for one in arguments[key])
        for key in ("to", "expect")
    )
    if store.list_all() != after:
        raise CannotUndo("The saved searches were changed since", "Nothing was changed now.")
    store.replace(before)


def replace_statement(tx: MindTransaction, arguments: Arguments) -> None:
    """`to` and `expect`: what the operator states, before and after."""
    store = StatementStore(tx.connection)
    if store.read() != from_plain(arguments["expect"]):
        raise CannotUndo("The statement was changed since", "Nothing was changed now.")
    store.replace(from_plain(arguments["to"]))


def elsewhere(_tx: MindTransaction, _arguments: Arguments) -> None:
    raise CannotUndo("An import is undone from its report", "Open Import and choose Undo import.")


OPERATIONS: Mapping[str, Operation] = {
    "frames.remove": remove_frames,
    "frames.set_importance": set_importance,
    "frames.set_pinned": set_pinned,
    "frames.restore": restore_frames,
    "frames.trash": trash_frames,
    "frames.hold_back": hold_back,
    "review.mask_again": mask_marks_again,
    "review.unsettle": look_again,
    "accesses.forget": forget_access,
    "sessions.set_state": set_session_state,
    "sessions.rename": rename_session,
    "sessions.place": place_sessions,
    "sessions.set_project": set_project,
    "identity.set": set_identity,
    "searches.replace": replace_searches,
    "statement.replace": replace_statement,
    "awareness.remove": remove_awareness,
    "awareness.restore": restore_awareness,
    UNDO_IMPORT: elsewhere,
}
