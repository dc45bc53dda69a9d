"""ItemStore and ClaimStore: what became of each item, which run vouches for which message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hivemind.storage import Connection

FINAL = ("new", "updated", "unchanged", "skipped", "failed")


@dataclass(frozen=True, slots=True)
class Item:
    """One row of `import_items`. While `state` is 'partial', `reason` holds what it will be and `messages` how far."""

    ordinal: int
    item_id: str | None
    title: str
    session: str | None
    state: str
    reason: str
    messages: int


class ItemStore:
    """Owns `import_items`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, run_id: int, ordinal: int) -> Item | None:
        row = self._connection.execute(
            "SELECT ordinal, item_id, title, session, state, reason, messages FROM import_items"
            " WHERE run_id = ? AND ordinal = ?",
            (run_id, ordinal),
        ).fetchone()
        return None if row is None else Item(*row)

    def save(self, run_id: int, item: Item, digest: bytes | None = None) -> None:
        """Insert or replace what is known of an item."""
        self._connection.execute(
            "INSERT INTO import_items (run_id, ordinal, item_id, title, session, state, reason, hash, messages)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (run_id, ordinal) DO UPDATE"
            " SET item_id = ?3, title = ?4, session = ?5, state = ?6, reason = ?7, hash = ?8, messages = ?9",
            (
                run_id, item.ordinal, item.item_id, item.title, item.session, item.state, item.reason, digest,
                item.messages,
            ),
        )  # fmt: skip

    def resume_point(self, run_id: int) -> tuple[int, int]:
        """(first item that is not final, messages of it that are in). Items are written in order."""
        row = self._connection.execute(
            "SELECT ordinal, state, messages FROM import_items WHERE run_id = ? ORDER BY ordinal DESC LIMIT 1",
            (run_id,),
        ).fetchone()
        if row is None:
            return 0, 0
        ordinal, state, messages = row
        return (int(ordinal), int(messages)) if state == "partial" else (int(ordinal) + 1, 0)

    def give_up_partial(self, run_id: int, reason: str) -> None:
        """An item that will not be finished is a failed one; what is in stays in."""
        self._connection.execute(
            "UPDATE import_items SET state = 'failed', reason = ? WHERE run_id = ? AND state = 'partial'",
            (reason, run_id),
        )

    def tally(self, run_id: int) -> dict[str, int]:
        """Items by final state."""
        rows = self._connection.execute(
            "SELECT state, count(*) FROM import_items WHERE run_id = ? GROUP BY state", (run_id,)
        )
        found = {str(state): int(count) for state, count in rows}
        return {state: found.get(state, 0) for state in FINAL}

    def skipped(self, run_id: int) -> list[tuple[str, int]]:
        """Reasons with the number of items each explains, the commonest first."""
        rows = self._connection.execute(
            "SELECT reason, count(*) FROM import_items WHERE run_id = ? AND state = 'skipped'"
            " GROUP BY reason ORDER BY 2 DESC, 1",
            (run_id,),
        )
        return [(str(reason), int(count)) for reason, count in rows]

    def failed(self, run_id: int) -> list[tuple[str, str]]:
        """(item, reason) in file order."""
        rows = self._connection.execute(
            "SELECT title, reason FROM import_items WHERE run_id = ? AND state = 'failed' ORDER BY ordinal", (run_id,)
        )
        return [(str(title), str(reason)) for title, reason in rows]

    def last_title(self, session: str, before_run: int) -> str | None:
        """The title that the run before gave a session: a person's own title differs from it."""
        row = self._connection.execute(
            "SELECT title FROM import_items WHERE session = ? AND run_id < ?"
            " ORDER BY run_id DESC, ordinal DESC LIMIT 1",
            (session, before_run),
        ).fetchone()
        return None if row is None else str(row[0])

    def sessions(self, run_ids: Sequence[int]) -> list[str]:
        """Sessions that the runs touched, in the order they were met."""
        found: dict[str, None] = {}
        for run_id in run_ids:
            rows = self._connection.execute(
                "SELECT session FROM import_items WHERE run_id = ? AND session IS NOT NULL ORDER BY ordinal", (run_id,)
            )
            found.update((str(session), None) for (session,) in rows)
        return list(found)


class ClaimStore:
    """Owns `import_claims`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def claim(self, run_id: int, message_ids: Iterable[int]) -> None:
        self._connection.executemany(
            "INSERT OR IGNORE INTO import_claims (run_id, message_id) VALUES (?, ?)",
            [(run_id, message_id) for message_id in message_ids],
        )

    def split(self, run_ids: Sequence[int], session: str) -> tuple[list[int], list[int]]:
        """Messages of a session that these runs claim: (those nobody else claims, the shared ones)."""
        marks = ", ".join("?" * len(run_ids))
        rows = self._connection.execute(
            "SELECT DISTINCT c.message_id, EXISTS (SELECT 1 FROM import_claims AS other"  # noqa: S608 - marks only
            f" WHERE other.message_id = c.message_id AND other.run_id NOT IN ({marks}))"
            " FROM import_claims AS c JOIN messages AS m ON m.id = c.message_id"
            f" WHERE m.session = ? AND c.run_id IN ({marks}) ORDER BY c.message_id",
            (*run_ids, session, *run_ids),
        )
        own: list[int] = []
        shared: list[int] = []
        for message_id, claimed in rows:
            (shared if claimed else own).append(int(message_id))
        return own, shared

    def frames_of(self, run_ids: Sequence[int]) -> tuple[str, tuple[int, ...]]:
        """A condition on frames `f`, with its values: cut from messages that these runs claim, or the summary of a
        session that one of them brought."""
        marks = ", ".join("?" * len(run_ids))
        condition = (
            "(f.id IN (SELECT fm.frame_id FROM import_claims AS c JOIN frame_messages AS fm"  # noqa: S608 - marks only
            f" ON fm.message_id = c.message_id WHERE c.run_id IN ({marks})) OR (f.frame_type = 'I' AND f.gop_id IN"
            f" (SELECT session FROM import_items WHERE run_id IN ({marks}) AND state = 'new')))"
        )
        return condition, (*run_ids, *run_ids)

    def release(self, run_ids: Sequence[int], message_ids: Iterable[int]) -> None:
        pairs = [(run_id, message_id) for message_id in message_ids for run_id in run_ids]
        self._connection.executemany("DELETE FROM import_claims WHERE run_id = ? AND message_id = ?", pairs)
