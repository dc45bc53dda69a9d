"""MergeRules: sessions that a person reads as one. Nothing moves; a note in `meta` says which belongs to which."""

from __future__ import annotations

from collections.abc import Sequence

from hivemind.domain.sessions import Session
from hivemind.errors import CannotMerge
from hivemind.mind.meta import MetaStore
from hivemind.mind.sessions import SessionStore
from hivemind.storage import Connection

#: Key of the note; its value is the session it is read with. An older program sees two sessions, and loses nothing.
PREFIX = "merged:"
#: Sessions read with `{}`, as SQL. The keys are a range of the primary key.
PARTS_OF = "SELECT substr(key, 8) FROM meta WHERE key >= 'merged:' AND key < 'merged;' AND value = {}"
#: True in SQL for a session (its gop_id is `{}`) that stands in lists by itself.
STANDS_ALONE = "NOT EXISTS (SELECT 1 FROM meta WHERE key = 'merged:' || {})"


class MergeRules:
    """A session is either whole (and may have parts) or the part of one whole session: there are no chains."""

    def __init__(self, connection: Connection, sessions: SessionStore, meta: MetaStore) -> None:
        self._connection = connection
        self._sessions = sessions
        self._meta = meta

    def whole_of(self, session_id: str) -> str:
        """The session this one is read with: itself when it was not merged."""
        return self._meta.find(PREFIX + session_id) or session_id

    def parts(self, session_id: str) -> list[str]:
        """Sessions merged into this one, in no order."""
        return [str(part) for (part,) in self._connection.execute(PARTS_OF.format("?1"), (session_id,))]

    def members(self, session_id: str) -> list[Session]:
        """The whole session and its parts, by the time they began."""
        found = [self._sessions.get(each) for each in (session_id, *self.parts(session_id))]
        return sorted(found, key=lambda each: (each.started_at, each.id))

    def merge(self, session_id: str, into: str) -> list[str]:
        """Read `session_id`, and what was merged into it before, with `into`. Returns all that belong elsewhere now.

        Raises SessionNotFound, and CannotMerge for a session with itself or with one it is already read with.
        """
        for each in (session_id, into):
            self._sessions.get(each)
        if self.whole_of(session_id) == self.whole_of(into):
            raise CannotMerge()
        if self.whole_of(session_id) != session_id or self.whole_of(into) != into:
            raise CannotMerge("One of these sessions is part of another", "Choose the session it is part of.")
        moved = [session_id, *self.parts(session_id)]
        self.place(moved, into)
        return moved

    def place(self, session_ids: Sequence[str], into: str | None) -> None:
        """Exactly this, for merge and undo. None: they stand by themselves again."""
        for each in session_ids:
            if into is None or each == into:
                self._meta.remove(PREFIX + each)
            else:
                self._meta.set(PREFIX + each, into)
