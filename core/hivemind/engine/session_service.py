"""Sessions: list, open as a conversation, close, archive, rename. Each action can be undone."""

from __future__ import annotations

from collections.abc import Callable

from hivemind.domain.sessions import Conversation, Session, SessionRow
from hivemind.domain.work import Change
from hivemind.engine.context import Context
from hivemind.events import Area
from hivemind.mind import MindTransaction

Step = Callable[[MindTransaction], Session]


class SessionService:
    """Sessions of one workspace at a time."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def list_rows(
        self, workspace: str, limit: int = 100, before: str | None = None, source: str | None = None
    ) -> list[SessionRow]:
        """Newest start first; `before` is the id of the last row of the page before."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.sessions.list_rows(limit, before, source))

    async def conversation(self, workspace: str, session_id: str) -> Conversation:
        """The session with all its archived messages. Raises SessionNotFound."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.archive.conversation(session_id))

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


def _change(before: Session, after: Session, label: str, name: str, step: dict[str, object]) -> Change | None:
    return None if before == after else Change(label, ((name, step),))
