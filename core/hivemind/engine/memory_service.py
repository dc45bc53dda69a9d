"""Memories: search, save, read, mark, trash. Each action can be undone."""

from __future__ import annotations

from collections.abc import Sequence

from hivemind.domain.frames import (
    Access,
    Frame,
    FrameDetail,
    FrameDraft,
    FrameType,
    Importance,
    Provenance,
    Saved,
)
from hivemind.domain.masking import labels_in
from hivemind.domain.search import Mode, SearchRequest, SearchResult
from hivemind.domain.work import Change
from hivemind.engine.context import Context
from hivemind.engine.embedding_service import EmbeddingService
from hivemind.errors import InvalidValue
from hivemind.events import Area
from hivemind.mind import MindTransaction
from hivemind.mind.frame_writer import cleaned
from hivemind.mind.frames import link_description
from hivemind.mind.saving import save
from hivemind.mind.screening import held_reason
from hivemind.search import search

_TITLE = 80
Step = tuple[str, dict[str, object]]


class MemoryService:
    """All calls name their workspace; frames are named by id within it."""

    def __init__(self, context: Context, embedding: EmbeddingService) -> None:
        self._context = context
        self._embedding = embedding

    # finding and reading

    async def search(self, request: SearchRequest) -> SearchResult:
        """Search the minds named in the request."""
        minds = [await self._context.mind(workspace) for workspace in request.minds]
        if request.mode is Mode.KEYWORD:
            return await search(minds, request, self._context.clock)
        encoder, reason = await self._embedding.for_search(minds)
        return await search(minds, request, self._context.clock, encoder, reason)

    async def detail(self, workspace: str, frame_id: int) -> FrameDetail:
        """A frame with its text, origin and history. Raises FrameNotFound."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: _detail(tx, frame_id))

    async def history(self, workspace: str, frame_id: int) -> list[Frame]:
        """The original and its patches, oldest first."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.frames.history(frame_id))

    async def list_frames(self, workspace: str, limit: int = 100, before: int | None = None) -> list[Frame]:
        """Current frames, newest id first, below `before`."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.frames.list_current(limit, before))

    async def list_trashed(self, workspace: str, limit: int = 200) -> list[Frame]:
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.frames.list_trashed(limit))

    async def count(self, workspace: str) -> int:
        """How many memories can be recalled now."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: tx.frames.count_current())

    async def used(self, workspace: str, accesses: Sequence[Access]) -> None:
        """Count the use of frames (opened, cited, returned), once per query. No action of its own: not undone."""
        mind = await self._context.mind(workspace)
        if await mind.write(lambda tx: tx.accesses.record(accesses)):
            self._context.changed(workspace, Area.USE)

    # writing

    async def save(
        self,
        text: str,
        workspace: str,
        *,
        importance: Importance = Importance.NORMAL,
        source: Provenance = Provenance.USER_STATED,
        session_id: str | None = None,
        amends: int | None = None,
        retracts: int | None = None,
        client: str | None = None,
        author: str | None = None,
    ) -> Saved:
        """Remember a text, amend a frame with it, or retract a frame with it as the reason.

        `author`: who wrote the words, if it was not the person; `ai:service/model` for generated text.
        """
        if amends is not None and retracts is not None:
            raise InvalidValue("A save either amends or retracts", "Give one of the two.")
        if amends is not None or retracts is not None:
            return await self._patch(workspace, text, amends, retracts, source, client, author)
        draft = FrameDraft(
            text, session_id=session_id, importance=importance, source=source, client=client, author=author
        )
        return await self._context.act(workspace, lambda tx: _save(tx, draft), Area.FRAMES, Area.SESSIONS)

    async def _patch(
        self,
        workspace: str,
        text: str,
        amends: int | None,
        retracts: int | None,
        source: Provenance,
        client: str | None,
        author: str | None,
    ) -> Saved:
        def work(tx: MindTransaction) -> tuple[Saved, Change]:
            if amends is not None:
                frame = tx.frames.amend(amends, text, client=client, author=author, source=source)
                label = "Edit a memory"
            else:
                assert retracts is not None
                frame = tx.frames.retract(retracts, text, author=author, client=client)
                label = "Take a memory back"
            if reason := held_reason(frame.content, client, source):
                tx.frames.set_quarantine(frame.id, reason)
                frame = tx.frames.get(frame.id)
            inverse: Step = ("frames.remove", {"ids": [frame.id]})
            return Saved(frame, masked=labels_in(frame.content)), Change(label, (inverse,))

        return await self._context.act(workspace, work, Area.FRAMES)

    # marking and leaving

    async def set_importance(self, workspace: str, frame_ids: Sequence[int], importance: Importance) -> None:
        def work(tx: MindTransaction) -> tuple[None, Change | None]:
            steps: list[Step] = []
            for frame_id in frame_ids:
                before = tx.frames.get(frame_id).importance
                if before is not importance:
                    tx.frames.set_importance(frame_id, importance)
                    steps.append(
                        ("frames.set_importance", {"id": frame_id, "to": str(before), "expect": str(importance)})
                    )
            return None, _change(f"Set importance to {importance}", steps)

        await self._context.act(workspace, work, Area.FRAMES)

    async def deprecate(self, workspace: str, frame_ids: Sequence[int]) -> None:
        """Set aside: still found, weighs less, fades out of recall."""
        await self.set_importance(workspace, frame_ids, Importance.DEPRECATED)

    async def set_pinned(self, workspace: str, frame_ids: Sequence[int], pinned: bool) -> None:
        """A pinned memory is never taken away by housekeeping."""

        def work(tx: MindTransaction) -> tuple[None, Change | None]:
            turned = [i for i in frame_ids if tx.frames.get(i).pinned is not pinned]
            for frame_id in turned:
                tx.frames.set_pinned(frame_id, pinned)
            steps: list[Step] = [("frames.set_pinned", {"id": i, "to": not pinned}) for i in turned]
            return None, _change("Pin" if pinned else "Unpin", steps)

        await self._context.act(workspace, work, Area.FRAMES)

    async def trash(self, workspace: str, frame_ids: Sequence[int]) -> list[int]:
        """Move to the trash; returns the originals that went."""

        def work(tx: MindTransaction) -> tuple[list[int], Change | None]:
            moved = tx.frames.trash(frame_ids)
            return moved, _change("Move to trash", [("frames.restore", {"ids": moved})] if moved else [])

        return await self._context.act(workspace, work, Area.FRAMES)

    async def restore(self, workspace: str, frame_ids: Sequence[int]) -> list[int]:
        """Bring back from the trash; returns the originals that came back."""

        def work(tx: MindTransaction) -> tuple[list[int], Change | None]:
            stamps = {frame.id: frame.trashed_at for i in frame_ids for frame in tx.frames.history(i)}
            back = tx.frames.restore(frame_ids)
            frames = [[i, stamps[i]] for i in back]
            return back, _change("Restore from trash", [("frames.trash", {"frames": frames})] if back else [])

        return await self._context.act(workspace, work, Area.FRAMES)


def _change(label: str, steps: Sequence[Step]) -> Change | None:
    return Change(label, tuple(steps)) if steps else None


def _save(tx: MindTransaction, raw: FrameDraft) -> tuple[Saved, Change]:
    draft = cleaned(raw, allowed=tx.suppressions.not_secrets)
    twin = tx.frames.find_exact(draft.content)
    before = None if twin is None else (twin.importance, twin.last_accessed)
    opened = draft.session_id is None and tx.sessions.find(f"notes:{tx.now[:10]}") is None
    saved = save(tx, draft)
    if saved.duplicate_of is None:
        step: dict[str, object] = {"ids": [saved.frame.id], "session": saved.frame.session_id if opened else None}
        return saved, Change("Save a memory", (("frames.remove", step),))
    assert before is not None
    importance, last_accessed = before
    frame = saved.frame
    use: dict[str, object] = {
        "id": frame.id,
        "access_id": tx.accesses.latest_id(frame.id),
        "last_accessed": last_accessed,
    }
    level: dict[str, object] = {"id": frame.id, "to": str(importance), "expect": str(frame.importance)}
    return saved, Change("Save a memory again", (("accesses.forget", use), ("frames.set_importance", level)))


def _detail(tx: MindTransaction, frame_id: int) -> FrameDetail:
    frame = tx.frames.get(frame_id)
    history = tuple(tx.frames.history(frame_id))
    session = tx.sessions.get(frame.session_id)
    text = link_description(frame) if frame.type is FrameType.B else tx.frames.current_text(frame_id)
    return FrameDetail(
        frame=frame,
        text=text,
        retracted=tx.frames.retracted(frame_id),
        title=first_line(text),
        session_title=session.title,
        source_name=session.source or "",
        message_id=tx.archive.message_of(history[0].id),
        messages_in_session=tx.archive.count(frame.session_id),
        references=tx.frames.references(frame_id),
        history=history,
    )


def first_line(text: str) -> str:
    """A title made of a text: its first line, cut at a word within 80 characters."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if len(line) <= _TITLE:
        return line
    return line[:_TITLE].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
