"""The embedder: documents and queries become vectors in a child process that is started again after one crash."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from hivemind.domain.calls import Call, CallKind, CallOutcome, CallRecorder
from hivemind.domain.vectors import EmbeddingCounts, Encoded, ModelIdentity
from hivemind.embeddings.child import Ready
from hivemind.embeddings.folder import ModelFolder
from hivemind.embeddings.golden import Golden, read_golden
from hivemind.embeddings.process import EncoderProcess, ProcessEnded
from hivemind.errors import EmbedderUnavailable, HiveMindError

Result = TypeVar("Result")
OnBatch = Callable[[int, int], None]


class Embedder:
    """One model in one child. All methods may be called from one event loop; `encode` from any thread.

    `threads`: of the runtime; a second one gains nothing on a busy computer.
    """

    def __init__(self, folder: ModelFolder, recorder: CallRecorder, threads: int = 1) -> None:
        self.folder = folder
        self._recorder = recorder
        self._threads = threads
        self._lock = threading.Lock()
        self._process: EncoderProcess | None = None
        self._ready: Ready | None = None
        self._refusal: EmbedderUnavailable | None = None
        self._counts = EmbeddingCounts()
        self._documents = ThreadPoolExecutor(1, "embed-documents")
        self._queries = ThreadPoolExecutor(1, "embed-queries")

    async def start(self) -> ModelIdentity:
        """Load the model in its child and probe it. Raises EmbedderUnavailable when it cannot serve."""
        self._refusal = None
        await self._run(self._documents, self._running)
        return self.identity

    @property
    def identity(self) -> ModelIdentity:
        """Who the model is. Only after `start`."""
        return self._loaded().identity

    @property
    def load_seconds(self) -> float:
        """Seconds the child took to load and probe. Only after `start`."""
        return self._loaded().seconds

    def golden(self) -> Golden | None:
        """What the model's folder has recorded. Reads a file. Raises EmbedderUnavailable."""
        return read_golden(self.folder.path)

    @property
    def counts(self) -> EmbeddingCounts:
        """What was done since this embedder was made."""
        return self._counts

    async def encode_documents(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> list[Encoded]:
        """The texts in their order. `on_batch(done, total)` is called after each pass, on a worker thread.

        Cancelling the task stops the child after the pass it is in. Raises EmbedderUnavailable.
        """
        if not texts:
            return []
        stop = threading.Event()
        try:
            return await self._recorded(
                self._documents, lambda: self._encode_documents(texts, stop, on_batch or _nobody), _pieces
            )
        finally:
            stop.set()

    async def encode_query(self, text: str) -> Encoded:
        """One query, which does not wait behind documents. Raises EmbedderUnavailable."""
        return await self._recorded(self._queries, lambda: self._encode_query(text), lambda one: _pieces([one]))

    async def aclose(self) -> None:
        """End the child. Waiting callers get EmbedderUnavailable."""
        with self._lock:
            self._refusal = EmbedderUnavailable("The embedder was closed", "Start it again to search by meaning.")
            process, self._process = self._process, None
        if process is not None:
            await asyncio.to_thread(process.kill)
        for pool in (self._documents, self._queries):
            await asyncio.to_thread(pool.shutdown)
        if process is not None:
            process.close()

    def _encode_documents(self, texts: Sequence[str], stop: threading.Event, on_batch: OnBatch) -> list[Encoded]:
        began = time.perf_counter()
        found, long = self._once_more(lambda process: process.encode(texts, stop, on_batch))
        with self._lock:
            counts = self._counts
            self._counts = replace(
                counts,
                documents=counts.documents + len(found),
                pieces=counts.pieces + _pieces(found),
                long_texts=counts.long_texts + long,
                seconds=counts.seconds + time.perf_counter() - began,
            )
        return found

    def _encode_query(self, text: str) -> Encoded:
        encoded, _ = self._once_more(lambda process: process.query(text))
        with self._lock:
            self._counts = replace(self._counts, queries=self._counts.queries + 1)
        return encoded

    def _once_more(self, request: Callable[[EncoderProcess], Result]) -> Result:
        """The request, and once again on a fresh child when the first one died of it or before it."""
        process = self._running()
        try:
            return request(process)
        except ProcessEnded:
            self._drop(process)
            process = self._running()
        try:
            return request(process)
        except ProcessEnded as ended:
            self._drop(process)
            refusal = EmbedderUnavailable(
                "The search model stopped twice", "Search works by keyword. Restart to try again.", details=str(ended)
            )
            with self._lock:
                self._refusal = self._refusal or refusal
            raise self._refusal from ended

    def _running(self) -> EncoderProcess:
        with self._lock:
            if self._refusal is not None:
                raise self._refusal
            if self._process is None:
                self._process = self._started()
            return self._process

    def _started(self) -> EncoderProcess:
        process = EncoderProcess(self.folder, self._threads)
        try:
            ready = process.ready()
        except ProcessEnded as ended:
            process.close()
            raise EmbedderUnavailable(
                "The search model stopped while it was loaded",
                "Search works by keyword. Free some memory and restart.",
                details=str(ended),
            ) from ended
        except HiveMindError:
            process.close()
            raise
        if self._ready is not None:
            self._counts = replace(self._counts, restarts=self._counts.restarts + 1)
        self._ready = ready
        return process

    def _drop(self, process: EncoderProcess) -> None:
        process.kill()
        with self._lock:
            if self._process is process:
                self._process = None

    def _loaded(self) -> Ready:
        if self._ready is None:
            raise self._refusal or EmbedderUnavailable("The search model is not loaded yet")
        return self._ready

    async def _recorded(
        self, pool: ThreadPoolExecutor, work: Callable[[], Result], pieces: Callable[[Result], int]
    ) -> Result:
        name = self.folder.card.name
        call = Call(str(uuid.uuid4()), CallKind.EMBEDDING, model=name, provider="onnx")
        await self._recorder.started(call)
        try:
            result = await self._run(pool, work)
        except BaseException as error:
            await self._recorder.failed(CallOutcome(call.uuid, error=type(error).__name__))
            raise
        await self._recorder.finished(CallOutcome(call.uuid, input_tokens=pieces(result), model=name))
        return result

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work)
        except RuntimeError as error:  # the pool was shut down by `aclose`
            raise self._refusal or error from None


def _pieces(encoded: Sequence[Encoded]) -> int:
    return sum(len(one.pieces) for one in encoded)


def _nobody(done: int, total: int) -> None:
    """Nobody wants to know."""
