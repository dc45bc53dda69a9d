"""Frames for a prompt that no search finds: what is important, decided, recent or preferred. Never quarantined ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hivemind.domain.frames import Frame
from hivemind.mind import MindTransaction
from hivemind.mind.frame_listing import listed_frames
from hivemind.storage import Connection

_RANK = (
    "CASE f.importance WHEN 'critical' THEN 0 WHEN 'important' THEN 1 WHEN 'normal' THEN 2 WHEN 'temporary' THEN 3"
    " ELSE 4 END"
)
_MOMENT = "coalesce(f.event_at, f.created_at) DESC, f.id DESC"
_SENDABLE = "f.quarantine IS NULL AND f.importance <> 'deprecated'"
_DECISIVE = (
    f"SELECT f.id FROM current_frames AS f WHERE {_SENDABLE} AND (f.importance IN ('critical', 'important')"  # noqa: S608
    f" OR f.content LIKE 'Decision%' OR f.content LIKE '%decided%') ORDER BY {_RANK}, {_MOMENT} LIMIT ?"
)
_RECENT = (
    f"SELECT f.id FROM current_frames AS f WHERE {_SENDABLE} AND f.importance <> 'temporary'"  # noqa: S608
    f" ORDER BY {_MOMENT} LIMIT ?"
)
_WEIGHTY = f"SELECT f.id FROM current_frames AS f WHERE {_SENDABLE} ORDER BY {_RANK}, {_MOMENT} LIMIT ?"  # noqa: S608
_PREFERENCES = (
    f"SELECT f.id FROM current_frames AS f WHERE {_SENDABLE} AND (f.content LIKE '%I prefer%'"  # noqa: S608
    " OR f.content LIKE '%I like %' OR f.content LIKE '%I always %' OR f.content LIKE '%I never %'"
    f" OR f.content LIKE 'Prefer%') ORDER BY {_RANK}, {_MOMENT} LIMIT ?"
)
_ENTITIES = (
    "SELECT e.name, e.entity_type FROM knowledge_entities AS e JOIN (SELECT id, count(*) AS degree FROM"
    " (SELECT source_id AS id FROM knowledge_relations UNION ALL SELECT target_id FROM knowledge_relations)"
    " GROUP BY id) AS d ON d.id = e.id WHERE e.valid_to IS NULL ORDER BY d.degree DESC, e.id LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame with its current text and where it came from."""

    workspace: str
    frame: Frame
    text: str
    session_title: str
    source_name: str
    #: Characters of the passage that was asked for; (0, 0) = the start.
    span: tuple[int, int] = (0, 0)


def decisive(tx: MindTransaction, workspace: str, limit: int) -> list[Seen]:
    """Important and decided things, the weightiest first, then the newest."""
    return _seen(tx, workspace, _DECISIVE, limit)


def recent(tx: MindTransaction, workspace: str, limit: int) -> list[Seen]:
    """The newest that are neither temporary nor set aside."""
    return _seen(tx, workspace, _RECENT, limit)


def weighty(tx: MindTransaction, workspace: str, limit: int) -> list[Seen]:
    """By importance, then recency: what is generally going on."""
    return _seen(tx, workspace, _WEIGHTY, limit)


def preferences(tx: MindTransaction, workspace: str, limit: int) -> list[Seen]:
    """What the person says they prefer, always or never do."""
    return _seen(tx, workspace, _PREFERENCES, limit)


def best_known(connection: Connection, limit: int) -> list[tuple[str, str]]:
    """Name and type of the entities with the most relations."""
    rows: Sequence[tuple[Any, ...]] = connection.execute(_ENTITIES, (limit,)).fetchall()
    return [(str(name), str(kind)) for name, kind in rows]


def seen(tx: MindTransaction, workspace: str, ids: Sequence[int]) -> list[Seen]:
    """These frames in the order asked, without those that are gone or held back."""
    listed = listed_frames(tx.connection, ids)
    return [
        Seen(workspace, one.frame, tx.frames.current_text(one.frame.id), one.session_title, one.source_name)
        for one in listed
        if one.frame.quarantine is None and one.frame.trashed_at is None
    ]


def _seen(tx: MindTransaction, workspace: str, query: str, limit: int) -> list[Seen]:
    return seen(tx, workspace, [int(row[0]) for row in tx.connection.execute(query, (limit,))])
