"""Sessions: list, open as a conversation, close, archive, rename, merge. Each action can be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hivemind.domain.sessions import (
    Conversation,
    Mark,
    Message,
    OpenSession,
    Session,
    SessionFilter,
    SessionPart,
    SessionRow,
    Timeline,
)
from hivemind.domain.work import Change
from hivemind.engine.context import Context
from hivemind.events import Area
from hivemind.mind import MindTransaction
from hivemind.mind.masked_reading import MaskedReader

Step = Callable[[MindTransaction], Session]


class SessionService:
    """Sessions of one workspace at a time."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def list_rows(
        self, workspace: str, limit: int = 100, before: str | None = None, source: str | None = None
    ) -> list[SessionRow]:
        """Newest start first; `before` is the id of the last row of the page before. Merged ones are not listed."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.sessions.list_rows(limit, before, source, alone=True))

    async def timeline(self, workspace: str, wanted: SessionFilter) -> Timeline:
        """Every session that matches, as ids by day; `rows` gives those in sight. Merged ones are not listed."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.timeline.read(wanted))

    async def rows(self, workspace: str, row_ids: Sequence[int]) -> dict[int, SessionRow]:
        """The sessions with these ids of a timeline, those that are gone left out."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.timeline.rows(row_ids))

    async def row_id(self, workspace: str, session_id: str) -> int | None:
        """The id in a timeline of the session that this one is read with; None when it is gone."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.timeline.row_id(tx.merges.whole_of(session_id)))

    async def sources(self, workspace: str) -> list[str]:
        """Where the sessions came from, '' for those made here; most first."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.timeline.sources())

    async def read(self, workspace: str, session_id: str, frame_id: int | None = None) -> OpenSession:
        """The session with what was merged into it; `frame_id`: the words of this memory are marked.

        A session that was merged opens the one it is part of. Raises SessionNotFound.
        """
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: _open(tx, session_id, frame_id))

    async def conversation(self, workspace: str, session_id: str) -> Conversation:
        """The session with all its archived messages, secrets masked. Raises SessionNotFound."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: MaskedReader(tx).conversation(session_id))

    async def close(self, workspace: str, session_id: str, summary: str | None = None) -> Session:
        return await self._move(
            workspace, session_id, "Close a session", lambda tx: tx.sessions.close(session_id, summary)
        )

    async def archive(self, workspace: str, session_id: str) -> Session:
        return await self._move(workspace, session_id, "Archive a session", lambda tx: tx.sessions.archive(session_id))

    async def reopen(self, workspace: str, session_id: str) -> Session:
        return await self._move(workspace, session_id, "Reopen a session", lambda tx: tx.sessions.reopen(session_id))

    async def rename(self, workspace: str, session_id: str, title: str) -> Session:
        """Raises InvalidName for an empty title."""

        def work(tx: MindTransaction) -> tuple[Session, Change | None]:
            before = tx.sessions.get(session_id)
            after = tx.sessions.rename(session_id, title)
            step: dict[str, object] = {"id": session_id, "to": before.title, "expect": after.title}
            return after, _change(before, after, "Rename a session", "sessions.rename", step)

        return await self._context.act(workspace, work, Area.SESSIONS)

    async def merge(self, workspace: str, session_id: str, into: str) -> Session:
        """Read a session as part of another from now on; nothing is moved. Raises CannotMerge, SessionNotFound."""

        def work(tx: MindTransaction) -> tuple[Session, Change | None]:
            moved = tx.merges.merge(session_id, into)
            places = [[each, None if each == session_id else session_id, into] for each in moved]
            return tx.sessions.get(into), Change("Merge two sessions", (("sessions.place", {"places": places}),))

        return await self._context.act(workspace, work, Area.SESSIONS)

    async def take_apart(self, workspace: str, session_id: str) -> Session:
        """Let everything that was merged into a session stand by itself again."""

        def work(tx: MindTransaction) -> tuple[Session, Change | None]:
            session = tx.sessions.get(session_id)
            parts = sorted(tx.merges.parts(session_id))
            tx.merges.place(parts, None)
            places = [[each, session_id, None] for each in parts]
            change = Change("Take merged sessions apart", (("sessions.place", {"places": places}),))
            return session, change if parts else None

        return await self._context.act(workspace, work, Area.SESSIONS)

    async def set_project(self, workspace: str, session_id: str, project_id: str | None) -> Session:
        """Put a session into a project, or out of any with None."""

        def work(tx: MindTransaction) -> tuple[Session, Change | None]:
            before = tx.sessions.get(session_id)
            after = tx.sessions.set_project(session_id, project_id)
            step: dict[str, object] = {"id": session_id, "to": before.project_id}
            return after, _change(before, after, "Move a session", "sessions.set_project", step)

        return await self._context.act(workspace, work, Area.SESSIONS)

    async def _move(self, workspace: str, session_id: str, label: str, step: Step) -> Session:
        def work(tx: MindTransaction) -> tuple[Session, Change | None]:
            before = tx.sessions.get(session_id)
            after = step(tx)
            back: dict[str, object] = {
                "id": session_id,
                "status": str(before.status),
                "ended_at": before.ended_at,
                "summary": before.summary,
            }
            return after, _change(before, after, label, "sessions.set_state", back)

        return await self._context.act(workspace, work, Area.SESSIONS)


def _open(tx: MindTransaction, session_id: str, frame_id: int | None) -> OpenSession:
    whole = tx.merges.whole_of(session_id)
    members = tx.merges.members(whole)
    reader = MaskedReader(tx)
    messages: list[Message] = []
    parts: list[SessionPart] = []
    for member in members:
        parts.append(SessionPart(member, len(messages)))
        messages += reader.conversation(member.id).messages
    return OpenSession(
        tx.sessions.get(whole),
        tuple(messages),
        tuple(parts) if len(parts) > 1 else (),
        _marks(tx, frame_id, messages),
        tx.timeline.important_messages([member.id for member in members]),
    )


def _marks(tx: MindTransaction, frame_id: int | None, messages: Sequence[Message]) -> tuple[Mark, ...]:
    """Where the words of a memory stand. Its own text decides: markers of the vendor may have moved the places."""
    frame = None if frame_id is None else tx.frames.find(frame_id)
    if frame is None:
        return ()
    words = frame.content.strip()
    found = []
    for message in messages:
        if frame.id in message.frame_ids and words:
            at = message.text.find(words)
            if at >= 0:
                found.append(Mark(message.id, at, at + len(words)))
    return tuple(found)


def _change(before: Session, after: Session, label: str, name: str, step: dict[str, object]) -> Change | None:
    return None if before == after else Change(label, ((name, step),))
