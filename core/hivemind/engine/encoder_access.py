"""The one embedder of an engine: loaded at its first need, shared by search and the queue, or the reason why not."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

from hivemind.domain.minds import EmbedderFacts
from hivemind.domain.vectors import EmbeddingPlace, Encoded, ModelIdentity
from hivemind.embeddings import Embedder, HostedEmbedder, UsageRecorder, find_model
from hivemind.embeddings.folder import VARIABLE
from hivemind.embeddings.golden import Golden
from hivemind.embeddings.vocabulary import Vocabulary
from hivemind.errors import EmbedderUnavailable
from hivemind.gateway import Recorder
from hivemind.mind import Mind
from hivemind.settings import load_settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: `HIVE_MIND_EMBEDDER_DIR` with this value: search by words only, on purpose.
OFF = "none"
#: How a model inside this computer is called where its use is counted and where it is told of.
ONNX = "onnx"
#: What failed is tried again after so many seconds at the earliest; what fails again waits twice as long, up to MOST.
_AGAIN, _MOST = 60.0, 900.0
#: So many of the last questions are timed.
_TIMED = 200


class Encoder(Protocol):
    """What makes vectors of texts; `embeddings.Embedder` is one."""

    async def start(self) -> ModelIdentity: ...

    async def encode_documents(self, texts: Sequence[str]) -> list[Encoded]: ...

    async def encode_query(self, text: str) -> Encoded: ...

    async def aclose(self) -> None: ...

    def golden(self) -> Golden | None:
        """Recorded vectors to compare with, if there are any. Raises EmbedderUnavailable."""


class SwitchedOff(EmbedderUnavailable):
    """The person wants it so: no problem to be told of."""

    code = "embedder_off"
    title = "Search by meaning is switched off"
    hint = f"Search works by keyword. Remove {VARIABLE} to switch it on."


class ReadyEncoder:
    """A loaded model with its vocabulary: all that search and the queue ask for."""

    def __init__(self, encoder: Encoder, vocabulary: Vocabulary, identity: ModelIdentity) -> None:
        self.encoder = encoder
        self.identity = identity
        self.content_pieces: NDArray[np.bool_] = vocabulary.content_pieces()
        self._vocabulary = vocabulary
        self._seconds: deque[float] = deque(maxlen=_TIMED)
        self._recorders: WeakKeyDictionary[Mind, Recorder] = WeakKeyDictionary()

    def piece_texts(self, pieces: Iterable[int]) -> tuple[str, ...]:
        """The pieces as the vocabulary writes them."""
        return self._vocabulary.piece_texts(pieces)

    async def encode_query(self, text: str, mind: Mind | None = None) -> Encoded:
        """`mind`: which the question is asked of. Raises EmbedderUnavailable."""
        began = time.perf_counter()
        made = await self._within(mind).encode_query(text)
        self._seconds.append(time.perf_counter() - began)
        return made

    @property
    def timing(self) -> tuple[int, float]:
        """How many of the last questions were timed, and their median in seconds; (0, 0) before the first."""
        return len(self._seconds), statistics.median(self._seconds) if self._seconds else 0.0

    async def encode_documents(self, texts: Sequence[str], mind: Mind | None = None) -> list[Encoded]:
        """`mind`: whose texts they are. Raises EmbedderUnavailable, RequestRefused."""
        return await self._within(mind).encode_documents(texts)

    @property
    def hosted(self) -> bool:
        """Whether texts leave this computer's programs to be encoded."""
        return isinstance(self.encoder, HostedEmbedder)

    @property
    def provider(self) -> str:
        """Who is counted in `embedding_usage`."""
        return self.encoder.provider if isinstance(self.encoder, HostedEmbedder) else ONNX

    def _within(self, mind: Mind | None) -> Encoder:
        """Requests to a service are written in the log of the mind whose texts they carry."""
        if mind is None or not isinstance(self.encoder, HostedEmbedder):
            return self.encoder
        recorder = self._recorders.setdefault(mind, Recorder(mind))
        return self.encoder.recorded_in(EmbeddingPlace(recorder, mind.workspace))

    @property
    def facts(self) -> EmbedderFacts:
        return facts_of(self.identity, self.provider)


def facts_of(one: ModelIdentity, provider: str = ONNX) -> EmbedderFacts:
    """What is told of a model in doctor and Settings."""
    return EmbedderFacts(one.name, one.revision, one.dim, one.model_dim, one.languages, provider)


#: Finds the model; blocks, loads no runtime. Raises EmbedderUnavailable.
Finder = Callable[[], tuple[Encoder, Vocabulary]]


def bundled(settings_file: Path) -> tuple[Encoder, Vocabulary]:
    """The model that the environment or the settings name, else the bundled one."""
    if os.environ.get(VARIABLE, "").strip() == OFF:
        raise SwitchedOff()
    folder = find_model(load_settings(settings_file).embedder_dir)
    return Embedder(folder, UsageRecorder()), Vocabulary.read(folder.path)


class EncoderAccess:
    """Belongs to one event loop. Whoever asks first starts the loading, the others wait for the same."""

    def __init__(self, find: Finder) -> None:
        self._find = find
        self._loading: asyncio.Task[ReadyEncoder] | None = None
        self._ready: ReadyEncoder | None = None
        self._fault: EmbedderUnavailable | None = None
        self._failed_at = 0.0
        self._failures = 0

    @property
    def ready(self) -> ReadyEncoder | None:
        """The loaded model, without waiting for it."""
        return self._ready

    @property
    def fault(self) -> EmbedderUnavailable | None:
        """Why there is none, once that is known."""
        return self._fault

    async def get(self) -> ReadyEncoder:
        """The loaded model. Raises EmbedderUnavailable, for a while without trying again."""
        if self._fault is not None and time.monotonic() - self._failed_at < self._rest:
            raise self._fault
        if self._ready is not None:
            return self._ready
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._load())
        # Shielded: one caller that gives up must not stop the loading for the others.
        return await asyncio.shield(self._loading)

    async def failed(self, fault: EmbedderUnavailable) -> None:
        """The loaded model has stopped to answer: it is put away, and the reason is told until it is tried again."""
        await self.close()
        self._note(fault)

    @property
    def _rest(self) -> float:
        return min(_AGAIN * 2.0 ** (self._failures - 1), _MOST)

    async def renew(self) -> None:
        """Look for the model anew: another one was chosen, or what was wrong was mended."""
        await self.close()
        self._fault = None
        self._failures = 0

    async def close(self) -> None:
        """End the child process. May be called twice."""
        loading, self._loading = self._loading, None
        if loading is not None and not loading.done():
            await asyncio.gather(loading, return_exceptions=True)
        ready, self._ready = self._ready, None
        if ready is not None:
            await ready.encoder.aclose()

    async def _load(self) -> ReadyEncoder:
        try:
            encoder, vocabulary = await asyncio.to_thread(self._find)
            self._ready = await self._started(encoder, vocabulary)
        except EmbedderUnavailable as fault:
            self._note(fault)
            raise
        self._fault = None
        return self._ready

    @staticmethod
    async def _started(encoder: Encoder, vocabulary: Vocabulary) -> ReadyEncoder:
        try:
            identity = await encoder.start()
            return await asyncio.to_thread(ReadyEncoder, encoder, vocabulary, identity)
        except BaseException:
            await encoder.aclose()
            raise

    def _note(self, fault: EmbedderUnavailable) -> None:
        self._fault, self._failed_at = fault, time.monotonic()
        self._failures = min(self._failures + 1, 10)
