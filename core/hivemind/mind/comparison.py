"""What differs between two files of one mind: both are walked in the order of their ids, nothing is held in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw

from hivemind.domain.upkeep import Difference
from hivemind.storage import Connection
from hivemind.storage.connections import examining
from hivemind.storage.faults import translate

#: Beginnings of texts that are told of each kind, and their length.
_TOLD, _LENGTH = 20, 160
_ROWS = (
    "SELECT uuid, substr(content, 1, ?) AS text, content_hash, importance, pinned, trashed_at IS NOT NULL,"
    " superseded_by IS NOT NULL FROM memory_frames WHERE frame_type <> 'B' ORDER BY uuid"
)
_Row = tuple[object, ...]


def difference(live: Connection, backup: Path) -> Difference:
    """Memories that a restore of `backup` would take away, bring back or change. Blocking; changes nothing."""
    found: dict[str, list[str]] = {"lost": [], "back": [], "changed": []}
    counts = dict.fromkeys(found, 0)

    def tell(kind: str, row: _Row) -> None:
        counts[kind] += 1
        if len(found[kind]) < _TOLD:
            found[kind].append(str(row[1]))

    try:
        with examining(backup.resolve()) as copy:
            for kind, row in _walk(iter(live.execute(_ROWS, (_LENGTH,))), iter(copy.execute(_ROWS, (_LENGTH,)))):
                tell(kind, row)
    except (apsw.Error, OSError) as fault:
        raise translate(fault, backup) from fault
    return Difference(
        counts["lost"], tuple(found["lost"]), counts["back"], tuple(found["back"]), counts["changed"],
        tuple(found["changed"]),
    )  # fmt: skip


def _walk(here: Iterator[_Row], there: Iterator[_Row]) -> Iterator[tuple[str, _Row]]:
    """Two ordered walks, side by side."""
    mine, theirs = next(here, None), next(there, None)
    while mine is not None or theirs is not None:
        if theirs is None or (mine is not None and str(mine[0]) < str(theirs[0])):
            assert mine is not None
            yield "lost", mine
            mine = next(here, None)
        elif mine is None or str(theirs[0]) < str(mine[0]):
            yield "back", theirs
            theirs = next(there, None)
        else:
            if mine[2:] != theirs[2:]:
                yield "changed", theirs
            mine, theirs = next(here, None), next(there, None)
