"""ChangeStore: the last hundred actions with their inverses, and walking them back one by one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hivemind.changes.operations import OPERATIONS, UNDO_IMPORT
from hivemind.domain.work import Change, RecordedChange
from hivemind.errors import ChangeNotFound, InternalFault
from hivemind.mind import MindTransaction

#: So many actions can be walked back; older ones are forgotten.
KEPT = 100
#: Operations whose arguments name frames.
_OF_FRAMES = ("frames.", "accesses.")


class ChangeStore:
    """Owns `changes`, within one transaction of a mind."""

    def __init__(self, tx: MindTransaction) -> None:
        self._tx = tx

    def record(self, change: Change) -> int:
        """Write a change down beside what it did. A new action forgets what had been undone before it."""
        unknown = [name for name, _ in change.inverse if name not in OPERATIONS]
        if unknown:
            raise InternalFault(details=f"no such operation: {unknown}")
        self._tx.connection.execute("DELETE FROM changes WHERE undone_at IS NOT NULL")
        self._tx.connection.execute(
            "INSERT INTO changes (label, inverse, at) VALUES (?, ?, ?)",
            (change.label, json.dumps(change.inverse, ensure_ascii=False), self._tx.now),
        )
        change_id = self._tx.connection.last_insert_rowid()
        self._tx.connection.execute(
            "DELETE FROM changes WHERE id <= (SELECT id FROM changes ORDER BY id DESC LIMIT 1 OFFSET ?)", (KEPT,)
        )
        return change_id

    def latest(self) -> tuple[RecordedChange, Change]:
        """The newest change that is not undone. Raises ChangeNotFound."""
        found = self.list_undoable(1)
        if not found:
            raise ChangeNotFound()
        return found[0]

    def list_undoable(self, limit: int = KEPT) -> list[tuple[RecordedChange, Change]]:
        """Changes that are not undone, newest first."""
        rows = self._tx.connection.execute(
            "SELECT id, label, at, undone_at, inverse FROM changes WHERE undone_at IS NULL ORDER BY id DESC LIMIT ?",
            (limit,),
        ).fetchall()
        return [_change(row) for row in rows]

    def is_lost(self, change: Change) -> bool:
        """Whether a memory that this change touched is not there any more, so that it never can be taken back."""
        ids = [i for name, arguments in change.inverse if name.startswith(_OF_FRAMES) for i in _frame_ids(arguments)]
        return any(self._tx.frames.find(frame_id) is None for frame_id in ids)

    def take_back(self, recorded: RecordedChange, change: Change) -> None:
        """Run the inverse and mark the change. Raises CannotUndo, and then nothing has happened."""
        for name, arguments in change.inverse:
            OPERATIONS[name](self._tx, arguments)
        self.mark_undone(recorded.id)

    def mark_undone(self, change_id: int) -> None:
        self._tx.connection.execute("UPDATE changes SET undone_at = ? WHERE id = ?", (self._tx.now, change_id))

    def mark_import_undone(self, run_id: int) -> None:
        """The import was taken back from its report: its change is no longer there to undo."""
        self._tx.connection.execute(
            "UPDATE changes SET undone_at = ?1 WHERE undone_at IS NULL AND json_extract(inverse, '$[0][0]') = ?2"
            " AND json_extract(inverse, '$[0][1].run_id') = ?3",
            (self._tx.now, UNDO_IMPORT, run_id),
        )

    def list_recent(self, limit: int = KEPT) -> list[RecordedChange]:
        """Newest first, undone ones too."""
        rows = self._tx.connection.execute(
            "SELECT id, label, at, undone_at FROM changes ORDER BY id DESC LIMIT ?", (limit,)
        )
        return [RecordedChange(int(i), str(label), str(at), undone) for i, label, at, undone in rows]


def _frame_ids(arguments: Mapping[str, Any]) -> list[int]:
    """The frames that a call of an inverse names."""
    pairs = [pair[0] for pair in arguments.get("frames", [])]
    return [int(i) for i in (*arguments.get("ids", []), *pairs, *([arguments["id"]] if "id" in arguments else []))]


def _change(row: tuple[Any, ...]) -> tuple[RecordedChange, Change]:
    change_id, label, at, undone_at, inverse = row
    steps = tuple((str(name), dict(arguments)) for name, arguments in json.loads(inverse))
    return RecordedChange(int(change_id), str(label), str(at), undone_at), Change(str(label), steps)
