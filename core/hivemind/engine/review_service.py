"""The review list: what imports held back or masked, revealed to its owner, released or kept. Each can be undone."""

from __future__ import annotations

from collections.abc import Sequence

from hivemind.domain.frames import Frame
from hivemind.domain.masking import labels_in
from hivemind.domain.review import Revealed, RevealedSecret, ReviewCounts, ReviewEntry, ReviewKind, ReviewPage
from hivemind.domain.search import OWNER, Audience
from hivemind.domain.work import Change
from hivemind.engine.context import Context
from hivemind.errors import NotAllowed, OriginalNotKept
from hivemind.events import Area
from hivemind.harvest.items import ClaimStore
from hivemind.harvest.runs import RunStore
from hivemind.mind import MindTransaction
from hivemind.mind.review import (
    Scope,
    hidden_words,
    list_frames,
    settle,
    settled,
    unmask,
    with_words,
)
from hivemind.mind.suppressions import settled_key

Step = tuple[str, dict[str, object]]


class ReviewService:
    """All calls name their workspace; frames are named by id within it."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def counts(self, workspace: str, run_id: int | None = None) -> ReviewCounts:
        """How many wait for a decision, of one import or of all. Raises RunNotFound."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: ReviewCounts(*(_waiting(tx, kind, run_id) for kind in ReviewKind)))

    async def entries(
        self,
        workspace: str,
        kind: ReviewKind,
        *,
        run_id: int | None = None,
        settled: bool = False,
        cursor: int | None = None,
        limit: int = 50,
    ) -> ReviewPage:
        """One page by frame id. `settled`: also what somebody decided to keep. Raises RunNotFound."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: _page(tx, kind, run_id, settled, cursor or 0, max(1, limit)))

    async def reveal(self, workspace: str, frame_id: int, audience: Audience = OWNER) -> Revealed:
        """The words behind the marks of a memory, for its owner only.

        Raises NotAllowed, FrameNotFound, or OriginalNotKept where the words never were in the archive.
        """
        if audience != OWNER:
            raise NotAllowed("Only you can see what is masked", "Open the memory in the window.")
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: _reveal(tx, frame_id))

    async def release(self, workspace: str, frame_ids: Sequence[int]) -> list[int]:
        """Out of quarantine: AIs may get these again. Returns those that were held back. Raises FrameNotFound."""

        def work(tx: MindTransaction) -> tuple[list[int], Change | None]:
            held = [frame for frame in map(tx.frames.get, dict.fromkeys(frame_ids)) if frame.quarantine is not None]
            for frame in held:
                tx.frames.set_quarantine(frame.id, None)
            steps: tuple[Step, ...] = tuple(
                ("frames.hold_back", {"id": frame.id, "reason": frame.quarantine}) for frame in held
            )
            return [frame.id for frame in held], Change("Release from quarantine", steps) if steps else None

        return await self._context.act(workspace, work, Area.FRAMES)

    async def keep(self, workspace: str, frame_ids: Sequence[int], kind: ReviewKind) -> list[int]:
        """Leave them as they are and take them off the list. Returns those that were on it. Raises FrameNotFound."""
        label = "Keep held back" if kind is ReviewKind.QUARANTINED else "Keep masked"

        def work(tx: MindTransaction) -> tuple[list[int], Change | None]:
            frames = [tx.frames.get(frame_id) for frame_id in dict.fromkeys(frame_ids)]
            keys = {frame.id: settle(tx, frame, kind) for frame in frames}
            new = {frame_id: key for frame_id, key in keys.items() if key is not None}
            step: dict[str, object] = {"keys": [key.hex() for key in new.values()]}
            return list(new), Change(label, (("review.unsettle", step),)) if new else None

        return await self._context.act(workspace, work, Area.FRAMES)

    async def unmask(self, workspace: str, frame_id: int, numbers: Sequence[int] | None = None) -> list[int]:
        """These marks hide no secret: the words come back here and stay in later imports. Returns changed frames.

        `numbers`: as `RevealedSecret.number`; None = all. Raises FrameNotFound or OriginalNotKept.
        """

        def work(tx: MindTransaction) -> tuple[list[int], Change | None]:
            frame = tx.frames.get(frame_id)
            hidden = _hidden(tx, frame)
            wanted = frozenset(one.number for one in hidden if numbers is None or one.number in numbers)
            digests, changed = unmask(tx, frame, wanted)
            frames = [[i, before, after] for i, before, after in changed]
            step: dict[str, object] = {"digests": digests, "frames": frames}
            change = Change("Mark as not a secret", (("review.mask_again", step),)) if changed else None
            return [i for i, _, _ in changed], change

        return await self._context.act(workspace, work, Area.FRAMES)


def _scope(tx: MindTransaction, run_id: int | None) -> Scope | None:
    if run_id is None:
        return None
    family = [run.id for run in RunStore(tx.connection, tx.now).family(run_id)]
    return Scope(*ClaimStore(tx.connection).frames_of(family))


def _waiting(tx: MindTransaction, kind: ReviewKind, run_id: int | None) -> int:
    done = settled(tx)
    return sum(settled_key(kind, frame.uuid) not in done for frame in list_frames(tx, kind, 0, _scope(tx, run_id)))


def _page(
    tx: MindTransaction, kind: ReviewKind, run_id: int | None, with_settled: bool, after: int, limit: int
) -> ReviewPage:
    done = settled(tx)
    entries: list[ReviewEntry] = []
    titles: dict[str, str] = {}
    for frame in list_frames(tx, kind, after, _scope(tx, run_id)):
        decided = settled_key(kind, frame.uuid) in done
        if decided and not with_settled:
            continue
        if len(entries) == limit:
            return ReviewPage(tuple(entries), entries[-1].frame_id)
        if frame.session_id not in titles:
            titles[frame.session_id] = tx.sessions.get(frame.session_id).title
        entries.append(_entry(tx, frame, kind, titles[frame.session_id], decided))
    return ReviewPage(tuple(entries), None)


def _entry(tx: MindTransaction, frame: Frame, kind: ReviewKind, title: str, decided: bool) -> ReviewEntry:
    labels = labels_in(frame.content)
    reasons = tuple(dict.fromkeys(labels)) if kind is ReviewKind.MASKED else (frame.quarantine or "",)
    original = bool(labels) and hidden_words(tx, frame) is not None
    return ReviewEntry(
        frame.id, kind, frame.content, reasons, frame.session_id, title, frame.speaker, frame.event_at, decided,
        original,
    )  # fmt: skip


def _hidden(tx: MindTransaction, frame: Frame) -> list[RevealedSecret]:
    hidden = hidden_words(tx, frame)
    if hidden is None:
        raise OriginalNotKept
    return hidden


def _reveal(tx: MindTransaction, frame_id: int) -> Revealed:
    frame = tx.frames.get(frame_id)
    if not labels_in(frame.content):
        return Revealed(frame.id, frame.content, ())
    secrets = _hidden(tx, frame)
    return Revealed(frame.id, with_words(frame.content, secrets), tuple(secrets))
