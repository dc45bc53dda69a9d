"""Awareness: at most ten active items about what is going on now; what no longer fits becomes an episode."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from hivemind.domain.sessions import AwarenessCategory, AwarenessItem
from hivemind.domain.text import sanitise
from hivemind.errors import InvalidValue
from hivemind.storage import Connection

MAX_ITEMS = 10
_COLUMNS = "id, category, content, priority, metadata, created_at, expires_at"
_ACTIVE = "(expires_at IS NULL OR expires_at > ?1)"
_HEADINGS = {
    AwarenessCategory.TASK: "Active Tasks",
    AwarenessCategory.ACTION: "Recent Actions",
    AwarenessCategory.PENDING: "Pending Items",
    AwarenessCategory.FLAG: "Context Flags",
}


class AwarenessStore:
    """Owns `awareness`; writes the overflow to `episodes`."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def list_active(self, category: AwarenessCategory | None = None) -> list[AwarenessItem]:
        """Highest priority first, then newest."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM awareness WHERE {_ACTIVE} AND (?2 IS NULL OR category = ?2)"  # noqa: S608
            " ORDER BY priority DESC, id DESC LIMIT ?3",
            (self._now, category, MAX_ITEMS),
        )
        return [_item(row) for row in rows]

    def add(
        self,
        category: AwarenessCategory,
        content: str,
        *,
        priority: int = 0,
        metadata: str = "{}",
        expires_at: str | None = None,
    ) -> AwarenessItem:
        """Add an item. The least urgent active item beyond ten, and all expired ones, move to episodes."""
        text = sanitise(content)[0].strip()
        if not text:
            raise InvalidValue("An item needs words", "Write what it is about.")
        if expires_at is not None and expires_at <= self._now:
            raise InvalidValue("This item would have expired already", "Give a later time, or none.")
        self._connection.execute(
            "INSERT INTO awareness (category, content, priority, metadata, created_at, expires_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (category, text, priority, _json_object(metadata), self._now, expires_at),
        )
        item_id = self._connection.last_insert_rowid()
        self._retire_overflow(item_id)
        row = self._connection.execute(f"SELECT {_COLUMNS} FROM awareness WHERE id = ?", (item_id,)).fetchone()  # noqa: S608
        assert row is not None
        return _item(row)

    def list_all(self) -> list[AwarenessItem]:
        """Every stored item, expired ones too, oldest first."""
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM awareness ORDER BY id")  # noqa: S608
        return [_item(row) for row in rows]

    def get_many(self, item_ids: Iterable[int]) -> list[AwarenessItem]:
        """Those of the items that exist, in the order asked."""
        found = []
        for item_id in item_ids:
            row = self._connection.execute(f"SELECT {_COLUMNS} FROM awareness WHERE id = ?", (item_id,)).fetchone()  # noqa: S608
            if row is not None:
                found.append(_item(row))
        return found

    def put_back(self, fields: Mapping[str, Any]) -> None:
        """An item exactly as it was, id and time too."""
        self._connection.execute(
            f"INSERT INTO awareness ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            tuple(fields[name] for name in _COLUMNS.split(", ")),
        )

    def last_episode(self) -> int:
        row = self._connection.execute("SELECT coalesce(max(id), 0) FROM episodes").fetchone()
        return int(row[0]) if row else 0

    def episodes_after(self, episode_id: int) -> list[int]:
        rows = self._connection.execute("SELECT id FROM episodes WHERE id > ? ORDER BY id", (episode_id,))
        return [int(i) for (i,) in rows]

    def forget_episodes(self, ids: Iterable[int]) -> None:
        self._connection.executemany("DELETE FROM episodes WHERE id = ?", [(i,) for i in ids])

    def clear(self, item_ids: Iterable[int]) -> int:
        ids = list(item_ids)
        self._connection.executemany("DELETE FROM awareness WHERE id = ?", [(i,) for i in ids])
        return len(ids)

    def to_context(self) -> str:
        """The active items under their four headings, for a prompt."""
        items = self.list_active()
        blocks = []
        for category, heading in _HEADINGS.items():
            lines = [f"- {item.content}" for item in items if item.category is category]
            if lines:
                blocks.append("\n".join([f"{heading}:", *lines]))
        return "\n\n".join(blocks)

    def _retire_overflow(self, newest: int) -> None:
        # The item just added stays: pushing it out at once would lose it without a trace for its writer.
        rows = list(
            self._connection.execute(
                f"SELECT {_COLUMNS} FROM awareness WHERE NOT {_ACTIVE} OR id NOT IN (SELECT id FROM awareness"  # noqa: S608
                f" WHERE {_ACTIVE} ORDER BY id = ?2 DESC, priority DESC, id DESC LIMIT {MAX_ITEMS})",
                (self._now, newest),
            )
        )
        for item in map(_item, rows):
            content = f"{item.category}: {item.content}"
            self._connection.execute(
                "INSERT INTO episodes (kind, day, content, created_at) VALUES ('daily', ?, ?, ?)",
                (item.created_at[:10], content, self._now),
            )
            self._connection.execute("DELETE FROM awareness WHERE id = ?", (item.id,))


def _json_object(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise InvalidValue("The metadata is not a JSON object", 'Write it like {"status": "open"}.')
    return json.dumps(value, ensure_ascii=False)


def _item(row: tuple[object, ...]) -> AwarenessItem:
    item_id, category, content, priority, metadata, created_at, expires_at = row
    return AwarenessItem(
        int(str(item_id)),
        AwarenessCategory(str(category)),
        str(content),
        int(str(priority)),
        str(metadata),
        str(created_at),
        None if expires_at is None else str(expires_at),
    )
