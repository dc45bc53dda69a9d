"""Sessions, as a library's caller sees them."""

from __future__ import annotations

from hivemind.domain.sessions import Conversation, Session, SessionKind, SessionRow
from hivemind.library.arguments import counted, one_of
from hivemind.library.calls import read, write
from hivemind.mind import Mind
from hivemind.mind.masked_reading import MaskedReader


class MindSessions:
    """Sessions (groups of pictures) of the mind."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def create(
        self, title: str = "", *, kind: SessionKind | str = SessionKind.NOTES, project_id: str | None = None
    ) -> Session:
        """Open a session. Its `id` is what frames are written to."""
        wanted = one_of(SessionKind, kind, "kind")
        return write(self._mind, lambda tx: tx.sessions.create(wanted, title, project_id=project_id))

    def get(self, session_id: str) -> Session:
        """Raises SessionNotFound."""
        return read(self._mind, lambda tx: tx.sessions.get(session_id))

    def list_rows(self, limit: int = 100, before: str | None = None) -> list[SessionRow]:
        """Newest start first, with counts. `before`: the id of the last row of the page before."""
        return read(self._mind, lambda tx: tx.sessions.list_rows(counted(limit), before))

    def conversation(self, session_id: str) -> Conversation:
        """An imported session with its archived messages, secrets masked. Raises SessionNotFound."""
        return read(self._mind, lambda tx: MaskedReader(tx).conversation(session_id))

    def close(self, session_id: str, summary: str | None = None) -> Session:
        """Raises SessionNotFound."""
        return write(self._mind, lambda tx: tx.sessions.close(session_id, summary))

    def archive(self, session_id: str) -> Session:
        """Raises SessionNotFound."""
        return write(self._mind, lambda tx: tx.sessions.archive(session_id))

    def reopen(self, session_id: str) -> Session:
        """Raises SessionNotFound."""
        return write(self._mind, lambda tx: tx.sessions.reopen(session_id))
