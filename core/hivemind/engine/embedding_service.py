"""Meaning as a service: the encoder for search, the queues of all open minds, and what Settings shows of both."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence

from hivemind.domain.minds import EmbedderFacts, EmbedderSelfTest, EmbeddingFacts, Problem, QueueState
from hivemind.domain.work import JobState
from hivemind.engine.background import BackgroundTask
from hivemind.engine.context import Context
from hivemind.engine.embedder_selftest import selftest
from hivemind.engine.embedding_queue import KIND, OWNER, EmbeddingQueue
from hivemind.engine.encoder_access import EncoderAccess, SwitchedOff
from hivemind.engine.query_encoding import CountedEncoder, QueryEncoding
from hivemind.errors import EmbedderUnavailable, HiveMindError, InternalFault
from hivemind.events import Area, MindChanged, Progress
from hivemind.jobs import JobStore
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.sizes import vector_bytes
from hivemind.settings import load_settings

#: With nothing to do, the queues are looked at this often; news of a mind come at once.
_PAUSE = 2.0
#: A sidecar leaves the queues to the window for so long after its start.
PATIENCE = 60.0
KEYWORD_ONLY = EmbedderFacts("", "", 0, 0, (), "keyword-only")
#: What was asked is written down this often, and at the end.
_SETTLE = 60.0

Work = Callable[[MindTransaction], None]


class EmbeddingService:
    """`leads`: this process works on the queues from its start (the window), or when nobody else does (a sidecar)."""

    def __init__(self, context: Context, access: EncoderAccess, *, leads: bool = True) -> None:
        self._context = context
        self._access = access
        self._patience = 0.0 if leads else PATIENCE
        self._queries = QueryEncoding(access)
        self._settled_at = time.monotonic()
        self._queues: dict[Mind, EmbeddingQueue] = {}
        self._faults: dict[str, HiveMindError] = {}
        self._share = 1.0
        self._wake = asyncio.Event()
        # One step at a time, whoever asks for it: a queue knows only one batch.
        self._stepping = asyncio.Lock()
        self._working = BackgroundTask(self._work)

    def start(self) -> None:
        """Begin to work on the queues of all minds that are open or will be."""
        self._working.start()

    async def close(self) -> None:
        """Stop where it can go on later, give the leases back, end the encoder's process. May be called twice."""
        await self._working.stop()
        await self._settle()
        for mind in self._queues:
            with contextlib.suppress(HiveMindError):
                await mind.write(lambda tx: JobStore(tx.connection, tx.now).release(OWNER))
        self._queues.clear()
        await self._access.close()

    # for search

    async def for_search(self, minds: Sequence[Mind]) -> tuple[CountedEncoder | None, str]:
        """The encoder of queries, or None and the reason in words. Not loaded while no mind has vectors to compare."""
        return await self._queries.of(minds)

    async def embedder(self) -> tuple[EmbedderFacts, Problem | None]:
        """What encodes here, loaded now if it was not, and what is wrong with it."""
        try:
            return (await self._access.get()).facts, None
        except SwitchedOff:
            return KEYWORD_ONLY, None
        except EmbedderUnavailable as fault:
            return KEYWORD_ONLY, Problem(fault.title, fault.hint)

    async def renew(self) -> tuple[EmbedderFacts, Problem | None]:
        """Look for the model anew, as after a choice in Settings."""
        await self._access.renew()
        self._wake.set()
        return await self.embedder()

    async def likeness(self, one: str, other: str) -> float:
        """The cosine of two sentences, for a person who wants to try the model. Raises EmbedderUnavailable."""
        encoder = await self._access.get()
        first, second = [await encoder.encode_query(text) for text in (one, other)]
        return float(first.pooled @ second.pooled)

    async def selftest(self) -> EmbedderSelfTest:
        """Check the model against what is recorded of it. Raises EmbedderUnavailable."""
        return await selftest((await self._access.get()).encoder)

    # the queue of a mind

    async def facts(self, workspace: str) -> EmbeddingFacts:
        """How far a mind is, as Settings shows it. Does not load the model."""
        mind = await self._context.mind(workspace)
        frames, embedded, pending, serving, building, paused, stored = await mind.read(_counts)
        queue, ready, fault = self._queues.get(mind), self._access.ready, self._access.fault
        state = QueueState.IDLE if queue is None else queue.state
        if paused:
            state = QueueState.PAUSED
        told = self._faults.get(workspace) or fault
        reason = "" if told is None else f"{told.title}. {told.hint}"
        if not mind.database.vector.loaded:
            reason = mind.database.vector.reason
        elif state is QueueState.OTHER_MODEL:
            reason = "The memories were embedded by another model. Embed them again to search by meaning."
        tally = None if queue is None else queue.tally
        queries, seconds = (0, 0.0) if ready is None else ready.timing
        return EmbeddingFacts(
            workspace=workspace,
            embedder=KEYWORD_ONLY if ready is None else ready.facts,
            stored_model=serving,
            building_model=building,
            frames=frames,
            embedded=embedded,
            pending=pending,
            state=state,
            reason=reason,
            done=tally.done if tally else 0,
            total=tally.total if tally else 0,
            texts_per_second=tally.speed if tally else 0.0,
            failed=len(tally.failed) if tally else 0,
            queries=queries,
            query_seconds=seconds,
            vector_bytes=stored,
        )

    async def pause(self, workspace: str) -> None:
        """Stop after the batch in hand, in whichever program it runs, until `resume`; also over a restart."""

        def stop(tx: MindTransaction) -> None:
            jobs = JobStore(tx.connection, tx.now)
            job = next(iter(jobs.list_open(KIND)), None) or jobs.create(KIND, {}, OWNER)
            jobs.set_state(job.id, JobState.PAUSED)

        await self._tell(workspace, stop)

    async def resume(self, workspace: str) -> None:
        """Go on after a pause."""

        def go_on(tx: MindTransaction) -> None:
            jobs = JobStore(tx.connection, tx.now)
            for job in jobs.list_open(KIND):
                jobs.set_state(job.id, JobState.WAITING)
                jobs.disown(job.id)

        await self._tell(workspace, go_on)

    async def reembed(self, workspace: str) -> None:
        """Begin to build the vectors of the present model beside what is there; it takes over once it is complete.

        Search goes on meanwhile. Begun again, it goes on where it was. Raises EmbedderUnavailable.
        """
        encoder = await self._access.get()

        def begin(tx: MindTransaction) -> None:
            building = tx.vectors.models.building()
            if building is None or not building.is_of(encoder.identity):
                tx.vectors.models.add(encoder.identity)
                jobs = JobStore(tx.connection, tx.now)
                for job in jobs.list_open(KIND):
                    jobs.advance(job.id, {}, 0, 0)

        await self._tell(workspace, begin)

    def set_share(self, percent: int) -> None:
        """How much of its time the queue may work, 10 to 100 %: it rests in between. For this process, from now on."""
        self._share = min(100, max(10, percent)) / 100

    async def embed_now(self, workspace: str) -> EmbeddingFacts:
        """Work on one mind's queue until nothing is left to do here; `state` then says whether another program is at
        it, or a person has paused it. Raises EmbedderUnavailable, and what the mind's file can raise.
        """
        mind = await self._context.mind(workspace)
        queue = self._queue_of(mind)
        while True:
            async with self._stepping:
                if not await queue.step():
                    return await self.facts(workspace)

    async def _tell(self, workspace: str, work: Work) -> None:
        mind = await self._context.mind(workspace)
        await mind.write(work)
        self._context.changed(workspace, Area.JOBS)
        self._wake.set()

    # at work

    async def _work(self) -> None:
        unsubscribe = self._context.events.subscribe(self._note)
        try:
            settings = await asyncio.to_thread(load_settings, self._context.data.settings_file)
            self.set_share(settings.background_percent)
            await asyncio.sleep(self._patience)
            while True:
                self._wake.clear()
                if time.monotonic() - self._settled_at >= _SETTLE:
                    await self._settle()
                began = time.perf_counter()
                if await self._round():
                    await asyncio.sleep((time.perf_counter() - began) * (1 / self._share - 1))
                else:
                    # Not wait_for, which loses a cancellation that comes together with the news.
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(_PAUSE):
                            await self._wake.wait()
        finally:
            unsubscribe()

    async def _settle(self) -> None:
        self._settled_at = time.monotonic()
        for workspace in await self._queries.settle():
            self._context.changed(workspace, Area.JOBS)

    def _note(self, event: object) -> None:
        if isinstance(event, MindChanged):
            self._wake.set()

    async def _round(self) -> bool:
        """A step in each open mind. Whether there was anything to do."""
        minds = self._context.minds.list_open()
        for gone in self._queues.keys() - set(minds):
            del self._queues[gone]
        worked = False
        for mind in minds:
            async with self._stepping:
                worked |= await self._advance(self._queue_of(mind))
        return worked

    def _queue_of(self, mind: Mind) -> EmbeddingQueue:
        return self._queues.setdefault(mind, EmbeddingQueue(mind, self._access))

    async def _advance(self, queue: EmbeddingQueue) -> bool:
        workspace, before = queue.mind.workspace, queue.state
        try:
            worked = await queue.step()
            self._faults.pop(workspace, None)
        except EmbedderUnavailable as fault:
            queue.state, worked = QueueState.UNAVAILABLE, False
            if self._access.ready is not None:
                await self._access.failed(fault)
        except HiveMindError as fault:
            # The mind is closing, busy or full: the next round tries again.
            worked, self._faults[workspace] = False, fault
        except Exception as fault:
            # Ours; the other minds' queues must go on, and Settings says that this one does not.
            worked, self._faults[workspace] = False, InternalFault(details=f"embedding: {type(fault).__name__}")
        if queue.tally.job_id and (worked or queue.state is not before):
            self._publish(queue)
        return worked

    def _publish(self, queue: EmbeddingQueue) -> None:
        tally, workspace = queue.tally, queue.mind.workspace
        self._context.events.publish(
            Progress(
                tally.job_id, KIND, workspace, str(queue.state), tally.done, tally.total, tally.done, 0, tally.done, "",
                finished=queue.state is not QueueState.RUNNING,
            )
        )  # fmt: skip
        self._context.changed(workspace, Area.JOBS)


def _counts(tx: MindTransaction) -> tuple[int, int, int, str, str, bool, int]:
    models = tx.vectors.models
    serving, building = models.serving(), models.building()
    paused = any(job.state is JobState.PAUSED for job in JobStore(tx.connection, tx.now).list_open(KIND))
    names = ["" if one is None else one.name for one in (serving, building)]
    return (
        tx.frames.count_current(), tx.vectors.count_embedded(), tx.outbox.pending(KIND), names[0], names[1], paused,
        0 if serving is None else vector_bytes(tx.connection, serving),
    )  # fmt: skip
