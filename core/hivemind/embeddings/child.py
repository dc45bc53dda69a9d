"""The embedder's child process: documents in its main thread, queries in a second one, a pipe for each."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from hivemind.domain.vectors import ModelIdentity
from hivemind.embeddings.folder import ModelFolder
from hivemind.embeddings.refusals import refuse
from hivemind.errors import HiveMindError
from hivemind.spawning import settle_child

if TYPE_CHECKING:
    from hivemind.embeddings.encoding import TextEncoder

#: Sent instead of texts: what is left of the running request is not wanted any more.
STOP = "stop"


@dataclass(frozen=True, slots=True)
class Ready:
    """The first answer: who the model is, texts per pass, seconds to load and probe."""

    identity: ModelIdentity
    batch: int
    seconds: float


def serve(documents: Connection, queries: Connection, folder: ModelFolder, threads: int) -> None:
    """The child's whole life. Ends when the parent closes its pipes or ends itself."""
    settle_child()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    with contextlib.suppress(EOFError, OSError):
        try:
            encoder, ready = _load(folder, threads)
        except HiveMindError as error:
            documents.send(error)
            return
        except Exception as error:
            documents.send(refuse("it cannot be loaded", "Check the folder.", details=type(error).__name__))
            return
        sys.setswitchinterval(0.001)  # a query waits for the interpreter lock no longer than this
        threading.Thread(target=_serve_queries, args=(queries, encoder), daemon=True).start()
        _step_back()
        documents.send(ready)
        _serve_documents(documents, encoder)


def _load(folder: ModelFolder, threads: int) -> tuple[TextEncoder, Ready]:
    # Imported here: the parent imports this module too, and must not load the runtime.
    from hivemind.embeddings.encoding import TextEncoder
    from hivemind.embeddings.probe import probe

    began = time.perf_counter()
    encoder = TextEncoder(folder, threads)
    identity = probe(folder, encoder)
    return encoder, Ready(identity, encoder.batch, time.perf_counter() - began)


def _step_back() -> None:
    # Documents can wait, the window and a query cannot. On Linux this is the main thread's own niceness.
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def _serve_documents(documents: Connection, encoder: TextEncoder) -> None:
    """For each list of texts: lists of (number, Encoded, passes) as they are ready, then None; or an error."""
    while True:
        texts = documents.recv()
        if texts == STOP:  # came after the last batch
            continue
        try:
            for ready in encoder.documents(texts):
                documents.send(ready)
                if documents.poll():
                    documents.recv()
                    break
            documents.send(None)
        except (EOFError, OSError):
            raise
        except Exception as error:
            documents.send(_fault(error))


def _serve_queries(queries: Connection, encoder: TextEncoder) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            text = queries.recv()
            began = time.perf_counter()
            try:
                queries.send((encoder.query(text), time.perf_counter() - began))
            except (EOFError, OSError):
                raise
            except Exception as error:
                queries.send(_fault(error))


def _fault(error: Exception) -> HiveMindError:
    # Its text may quote what was embedded, so only its kind is told.
    return (
        error if isinstance(error, HiveMindError) else refuse("it failed on a text", "", details=type(error).__name__)
    )
