"""The embedding queue of one mind: what is owed, what is missing, another model built beside; one lease, many breaks.

A batch is read, embedded with no transaction open, and written if its texts are still the same. A process that dies in
between loses nothing: what is owed stays owed until its vectors are in the file.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hivemind.domain.minds import QueueState
from hivemind.domain.vectors import Encoded
from hivemind.domain.work import Job, JobState
from hivemind.engine.encoder_access import EncoderAccess, ReadyEncoder
from hivemind.errors import EmbedderUnavailable
from hivemind.harvest.ownership import is_gone, owner_mark
from hivemind.jobs import JobStore
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.models import TOKEN_BITS, ModelRecord
from hivemind.mind.usage import UsageStore
from hivemind.storage import Priority

if TYPE_CHECKING:
    from hivemind.mind.vector_codec import PackedVectors

KIND = "embedding"
OWNER = json.dumps(owner_mark(), sort_keys=True)
#: Texts and characters of a batch: seconds of work, and a transaction of some ten milliseconds.
BATCH, BATCH_CHARACTERS = 64, 32_000
#: Frames found without vectors are put on the queue in slices, those of a retired model taken away likewise.
_FILLED, _CLEARED = 500, 100


@dataclass(frozen=True, slots=True)
class _Batch:
    """Texts by frame id for one model, None = the first of this mind. `bare`: owed, but without a text to embed.

    `rebuild`: for the model that is built beside; `after` is then its new cursor.
    """

    model: ModelRecord | None
    texts: dict[int, str]
    bare: frozenset[int] = frozenset()
    rebuild: bool = False
    after: int = 0


@dataclass(slots=True)
class Tally:
    """The job at hand in figures. `failed`: frames that this model cannot embed."""

    job_id: int = 0
    done: int = 0
    total: int = 0
    texts: int = 0
    seconds: float = 0.0
    failed: set[int] = field(default_factory=set)

    @property
    def speed(self) -> float:
        """Texts a second, 0 before the first."""
        return self.texts / self.seconds if self.seconds else 0.0


class EmbeddingQueue:
    """`step` does one piece of work; `state` says what it is at."""

    def __init__(self, mind: Mind, access: EncoderAccess) -> None:
        self.mind = mind
        self.state = QueueState.IDLE
        self.tally = Tally()
        self._access = access
        self._serving = 0
        # Up to here every frame has vectors or is owed some; None = all of them.
        self._filled: int | None = 0
        self._untidy = False

    async def step(self) -> bool:
        """Do one batch, or one slice of tidying. False when there is nothing to do now; `state` says why.

        Raises EmbedderUnavailable, and what the mind's file can raise.
        """
        if not self.mind.database.vector.loaded or not await self.mind.read(self._has_work):
            return self._rest(QueueState.IDLE)
        encoder = await self._access.get()
        if not await self.mind.read(lambda tx: _fits(tx, encoder)):
            return self._rest(QueueState.OTHER_MODEL)
        if not await self._holds_lease():
            return False
        self.state = QueueState.RUNNING
        if self._untidy:
            await self.mind.write(lambda tx: tx.rebuild.clear_retired(_CLEARED), Priority.HOUSEKEEPING)
            return True
        batch = await self.mind.read(lambda tx: self._take(tx, encoder))
        if batch is None:
            more = await self.mind.write(lambda tx: self._fill_or_end(tx, encoder), Priority.HOUSEKEEPING)
            return more or self._rest(QueueState.IDLE)
        began = time.perf_counter()
        await self._store(encoder, batch, await self._encode(encoder, list(batch.texts.values())))
        self.tally.texts += len(batch.texts)
        self.tally.seconds += time.perf_counter() - began
        return True

    def _rest(self, state: QueueState) -> bool:
        self.state = state
        return False

    # what there is to do

    def _has_work(self, tx: MindTransaction) -> bool:
        serving = tx.vectors.serving()
        if serving is not None and serving.model_id != self._serving:
            self._serving, self._filled = serving.model_id, 0
        if serving is not None and self._filled is not None:
            self._filled = next(iter(tx.rebuild.missing(serving.model_id, self._filled, 1)), None)
            if self._filled is not None:
                self._filled -= 1
        states = {model.state for model in tx.vectors.models.list()}
        self._untidy = "retired" in states
        owed = bool(states - {"serving"}) or self._filled is not None or tx.outbox.pending(KIND) > 0
        return owed or any(map(_to_be_ended, JobStore(tx.connection, tx.now).list_open(KIND)))

    def _take(self, tx: MindTransaction, encoder: ReadyEncoder) -> _Batch | None:
        serving, building = tx.vectors.serving(), tx.vectors.models.building()
        if serving is None or serving.is_of(encoder.identity):
            owed = list(dict.fromkeys(item.frame_id for item in tx.outbox.take(KIND, BATCH)))
            if owed:
                texts = tx.rebuild.texts(owed)
                return _Batch(serving, _cut(texts), frozenset(owed) - texts.keys())
        if building is not None and building.is_of(encoder.identity):
            job = JobStore(tx.connection, tx.now).get(self.tally.job_id)
            after = int(json.loads(job.cursor).get("after", 0))
            missing = tx.rebuild.missing(building.model_id, after, BATCH + len(self.tally.failed))
            texts = _cut(tx.rebuild.texts([i for i in missing if i not in self.tally.failed][:BATCH]))
            if texts:
                return _Batch(building, texts, rebuild=True, after=max(texts))
        return None

    # the lease

    async def _holds_lease(self) -> bool:
        job = await self.mind.write(self._claimed, Priority.HOUSEKEEPING)
        if job is None:
            return self._rest(QueueState.ELSEWHERE)
        if self.tally.job_id != job.id:
            self.tally = Tally(job.id, job.done, job.total, failed=self.tally.failed)
        return True if job.state is not JobState.PAUSED else self._rest(QueueState.PAUSED)

    @staticmethod
    def _claimed(tx: MindTransaction) -> Job | None:
        """The job of this mind, ours or paused; None while another process does it."""
        jobs = JobStore(tx.connection, tx.now)
        job = next(iter(jobs.list_open(KIND)), None) or jobs.create(KIND, {}, OWNER)
        if job.state is JobState.PAUSED or (job.owner == OWNER and job.state is JobState.RUNNING):
            return job
        if job.owner is not None and is_gone(json.loads(job.owner)):
            # No need to wait until its heartbeat is old: the process is not there any more.
            jobs.disown(job.id)
        return jobs.get(job.id) if jobs.claim(job.id, OWNER) else None

    # a batch

    async def _encode(self, encoder: ReadyEncoder, texts: Sequence[str]) -> list[Encoded | None]:
        """Vectors in the order of the texts, None for a text that the model cannot take."""
        if not texts:
            return []
        try:
            return list(await encoder.encode_documents(texts, self.mind))
        except EmbedderUnavailable:
            raise
        except Exception:
            if len(texts) == 1:
                return [None]
        # One bad text must not hold up the others.
        return [one for text in texts for one in await self._encode(encoder, [text])]

    async def _store(self, encoder: ReadyEncoder, batch: _Batch, vectors: Sequence[Encoded | None]) -> None:
        bits = TOKEN_BITS if batch.model is None else batch.model.token_bits
        packed = await asyncio.to_thread(_packed, batch, vectors, encoder, bits)
        failed = batch.texts.keys() - packed.keys()

        def write(tx: MindTransaction) -> None:
            model_id = tx.vectors.register(encoder.identity) if batch.model is None else batch.model.model_id
            now = tx.rebuild.texts(list(packed))
            # What was rewritten or removed meanwhile is still owed, or gone.
            tx.vectors.put_packed(model_id, [one for i, one in packed.items() if now.get(i) == batch.texts[i]])
            tx.vectors.models.count_long(model_id, sum(one is not None and one.passes > 1 for one in vectors))
            if not batch.rebuild:
                tx.outbox.settle_frames(KIND, {*failed, *batch.bare})
            UsageStore(tx.connection, tx.now).add(encoder.provider, len(batch.texts))
            self._advance(tx, batch, model_id)

        await self.mind.write(write, Priority.HOUSEKEEPING)
        self.tally.failed |= failed

    def _advance(self, tx: MindTransaction, batch: _Batch, model_id: int) -> None:
        tally, cursor = self.tally, {}
        if batch.rebuild:
            cursor = {"after": batch.after}
            tally.done = tx.vectors.docs(model_id)
            tally.total = max(tally.total, tally.done) if tally.texts else tx.rebuild.coverage(model_id)[1]
        else:
            tally.done += len(batch.texts)
            tally.total = tally.done + tx.outbox.pending(KIND)
        JobStore(tx.connection, tx.now).advance(tally.job_id, cursor, tally.done, tally.total)

    # the end of it

    def _fill_or_end(self, tx: MindTransaction, encoder: ReadyEncoder) -> bool:
        """Nothing is owed to this model: let a new one serve, put what has no vectors on the queue, or end the job."""
        serving, building = tx.vectors.serving(), tx.vectors.models.building()
        if building is not None and building.is_of(encoder.identity):
            return self._switch(tx, building)
        if serving is not None and self._filled is not None:
            ids = tx.rebuild.missing(serving.model_id, self._filled, _FILLED)
            tx.outbox.owe(KIND, [i for i in ids if i not in self.tally.failed])
            self._filled = ids[-1] if ids else None
            return True
        JobStore(tx.connection, tx.now).set_state(self.tally.job_id, JobState.DONE)
        return False

    def _switch(self, tx: MindTransaction, building: ModelRecord) -> bool:
        jobs, tally = JobStore(tx.connection, tx.now), self.tally
        missing = tx.rebuild.missing(building.model_id, 0, len(tally.failed) + 1)
        left = next((i for i in missing if i not in tally.failed), None)
        if left is not None:
            # Written or changed behind the cursor.
            jobs.advance(tally.job_id, {"after": left - 1}, tally.done, tally.total)
            return True
        if tx.rebuild.switch_to(building.model_id):
            return True
        tx.vectors.models.give_up(building.model_id)
        words = f"This model cannot embed {len(tally.failed):,} memories. The vectors that were there are kept."
        jobs.set_state(tally.job_id, JobState.FAILED, words)
        return False


def _to_be_ended(job: Job) -> bool:
    """Whether this job is ours or nobody's: with nothing left to do it is over."""
    return job.state is not JobState.PAUSED and (job.owner in (None, OWNER) or is_gone(json.loads(job.owner or "null")))


def _fits(tx: MindTransaction, encoder: ReadyEncoder) -> bool:
    """Whether this model may write here: into a mind without vectors, one of its own, or one that it is built in."""
    serving, building = tx.vectors.serving(), tx.vectors.models.building()
    return serving is None or any(one is not None and one.is_of(encoder.identity) for one in (serving, building))


def _cut(texts: dict[int, str]) -> dict[int, str]:
    """As many of the first as make a batch, at least one."""
    kept: dict[int, str] = {}
    characters = 0
    for frame_id, text in texts.items():
        characters += len(text)
        if kept and characters > BATCH_CHARACTERS:
            break
        kept[frame_id] = text
    return kept


def _packed(
    batch: _Batch, vectors: Sequence[Encoded | None], encoder: ReadyEncoder, bits: int
) -> dict[int, PackedVectors]:
    from hivemind.mind.vector_codec import pack

    made = {}
    for frame_id, one in zip(batch.texts, vectors, strict=True):
        if one is not None:
            try:
                made[frame_id] = pack(frame_id, one, encoder.content_pieces, bits)
            except ValueError:
                # Not a vector: it counts as one that could not be embedded.
                continue
    return made
