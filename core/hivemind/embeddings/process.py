"""The parent's side of the embedder's child: one request at a time on each of its two pipes."""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection

from hivemind.domain.vectors import Encoded
from hivemind.embeddings.child import STOP, Ready, serve
from hivemind.embeddings.folder import ModelFolder
from hivemind.errors import Cancelled, HiveMindError
from hivemind.spawning import pipe, start_child

#: Seconds without an answer after which a child counts as stuck: loading, one pass over documents, a query.
LOAD, PASS, QUERY = 180.0, 300.0, 60.0
_CLOSE = 5.0
OnReady = Callable[[int, int], None]


class ProcessEnded(Exception):
    """The child died or hangs. It can be started anew."""


class EncoderProcess:
    """A child with a loaded model. Thread-safe; `kill` from any thread wakes those who wait."""

    def __init__(self, folder: ModelFolder, threads: int) -> None:
        self._documents, documents = pipe()
        self._queries, queries = pipe()
        self._documents_lock = threading.Lock()
        self._queries_lock = threading.Lock()
        self._process = start_child(serve, (documents, queries, folder, threads), "hive-mind-embedder")
        documents.close()
        queries.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def ready(self) -> Ready:
        """Wait until the model is loaded and probed. Raises EmbedderUnavailable or ProcessEnded."""
        with self._documents_lock:
            answer = self._receive(self._documents, LOAD)
        if not isinstance(answer, Ready):
            raise ProcessEnded("no greeting")
        return answer

    def encode(self, texts: Sequence[str], stop: threading.Event, on_ready: OnReady) -> tuple[list[Encoded], int]:
        """All results in the order of `texts`, and how many texts took several passes.

        `on_ready(done, total)` after each pass, on this thread. Raises Cancelled soon after `stop` is set.
        """
        found: dict[int, Encoded] = {}
        long = 0
        with self._documents_lock:
            self._send(self._documents, list(texts))
            stopping = False
            while (ready := self._receive(self._documents, PASS)) is not None:
                for number, encoded, passes in ready:  # type: ignore[attr-defined]
                    found[number] = encoded
                    long += passes > 1
                if stop.is_set() and not stopping:
                    stopping = True
                    self._send(self._documents, STOP)
                elif not stopping:
                    on_ready(len(found), len(texts))
        if stopping and len(found) < len(texts):
            raise Cancelled
        return [found[number] for number in range(len(texts))], long

    def query(self, text: str) -> tuple[Encoded, float]:
        """A query's vectors and the seconds its child worked on them. Does not wait behind documents."""
        with self._queries_lock:
            self._send(self._queries, text)
            answer = self._receive(self._queries, QUERY)
        return answer  # type: ignore[return-value]

    def kill(self) -> None:
        """End the child at once. Harmless when it has ended."""
        if self._process.is_alive():
            self._process.kill()
        self._process.join(_CLOSE)

    def close(self) -> None:
        """End the child and give the pipes back. Nobody may be waiting."""
        self.kill()
        self._documents.close()
        self._queries.close()

    def _send(self, pipe: Connection, message: object) -> None:
        try:
            pipe.send(message)
        except OSError as error:
            raise ProcessEnded("its pipe is closed") from error

    def _receive(self, pipe: Connection, patience: float) -> object:
        deadline = time.monotonic() + patience
        try:
            while not pipe.poll(max(0.0, deadline - time.monotonic())):
                if time.monotonic() >= deadline:
                    self.kill()
                    raise ProcessEnded("no answer in time")
            answer = pipe.recv()
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            with contextlib.suppress(OSError, ValueError):
                self.kill()
            raise ProcessEnded(f"its process ended with {self._process.exitcode}") from error
        if isinstance(answer, HiveMindError):
            raise answer
        return answer
