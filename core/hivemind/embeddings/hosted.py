"""The embedder of a service: its vectors as a mind keeps them, from masked texts in requests of limited size."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from hivemind.domain.chat import Endpoint
from hivemind.domain.masking import mask
from hivemind.domain.vectors import POOLED_DIM, TOKEN_DIM, EmbeddingPlace, Encoded, ModelIdentity
from hivemind.embeddings.golden import Golden
from hivemind.embeddings.refusals import refuse, unavailable
from hivemind.errors import AnswerUnreadable, HiveMindError, RequestRefused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Sent when a service is tried, and when it is used first. Says nothing of anybody.
PROBE = "The ferry leaves at noon."
#: Characters of a part: about 500 pieces of English, which small models of services still read as one.
PART = 2000
#: Parts and characters of one request.
REQUEST_PARTS, REQUEST_CHARACTERS = 64, 32_000
#: Of a question so many characters are looked at.
QUERY_CHARACTERS = 4 * PART
#: Seconds for a request and how often it is sent again. Who asks a question does not wait: search by words is there.
DOCUMENT_SECONDS, DOCUMENT_RETRIES = 60.0, 2
QUERY_SECONDS, QUERY_RETRIES = 8.0, 0
#: The first request may have to wait until the service has loaded the model.
PROBE_SECONDS = 20.0


class VectorService(Protocol):
    """One model of a service; `llm.OpenAIEmbeddings` is one."""

    endpoint: Endpoint
    model: str

    async def embed(
        self, texts: Sequence[str], place: EmbeddingPlace, *, dimensions: int | None, seconds: float, retries: int
    ) -> NDArray[np.float32]:
        """float32[len(texts), d], finite, no row all zeros. Raises HiveMindError."""


class HostedEmbedder:
    """An `Encoder` whose model is somewhere else. It gives no token vectors and no pieces.

    `place`: where calls are recorded that belong to no mind in particular; `recorded_in` gives one for a mind.
    """

    def __init__(self, service: VectorService, place: EmbeddingPlace) -> None:
        self._service = service
        self._place = place
        self._native = 0
        self._dimensions: int | None = None
        self._turn: NDArray[np.float32] | None = None

    @property
    def provider(self) -> str:
        """The service's short name, as it stands in the log."""
        return self._service.endpoint.name

    def recorded_in(self, place: EmbeddingPlace) -> HostedEmbedder:
        """The same embedder, started as this one is, whose calls are recorded there."""
        other = copy.copy(self)
        other._place = place
        return other

    async def start(self) -> ModelIdentity:
        """Send one fixed sentence and see what comes. Raises EmbedderUnavailable with the next step."""
        self._dimensions = self._turn = None
        try:
            self._native = width = (await self._raw([PROBE], PROBE_SECONDS, QUERY_RETRIES)).shape[1]
            if width > POOLED_DIM:
                width = await self._shortened()
        except RequestRefused as fault:
            raise refuse(
                "the service does not embed with it", "Choose a model that is made for embeddings.", fault.code
            ) from fault
        if width != POOLED_DIM:
            from hivemind.embeddings.rotation import rotation

            self._turn = rotation(width)
        return self._identity()

    async def encode_documents(self, texts: Sequence[str]) -> list[Encoded]:
        """The texts in their order, each masked first; long ones in parts. Raises EmbedderUnavailable, and
        RequestRefused when the service will not have one of these texts."""
        return await self._encode(texts, DOCUMENT_SECONDS, DOCUMENT_RETRIES)

    async def encode_query(self, text: str) -> Encoded:
        """One question. Raises EmbedderUnavailable."""
        try:
            return (await self._encode([text[:QUERY_CHARACTERS]], QUERY_SECONDS, QUERY_RETRIES))[0]
        except RequestRefused as fault:
            raise unavailable(fault) from fault

    async def aclose(self) -> None:
        """Nothing is kept open between two requests."""

    def golden(self) -> Golden | None:
        """Nothing is recorded of a service's vectors."""
        return None

    async def _shortened(self) -> int:
        """Ask for vectors that fit. Returns their width; raises EmbedderUnavailable when there are none."""
        self._dimensions = POOLED_DIM
        try:
            width = int((await self._raw([PROBE], PROBE_SECONDS, QUERY_RETRIES)).shape[1])
        except RequestRefused:
            width = self._native
        if width > POOLED_DIM:
            raise refuse(
                f"its vectors have {self._native:,} numbers and a mind keeps {POOLED_DIM:,}",
                "Choose a model with fewer, or one that can shorten them.",
            )
        return width

    def _identity(self) -> ModelIdentity:
        endpoint, model = self._service.endpoint, self._service.model
        marks = ("hosted 1", endpoint.name, endpoint.base_url, model, str(self._native), str(self._dimensions or ""))
        return ModelIdentity(
            name=f"{endpoint.name}/{model}",
            revision="",
            sha=hashlib.sha256("\n".join(marks).encode()).hexdigest(),
            model_dim=self._native,
            token_dim=0,
            max_tokens=0,
        )

    async def _encode(self, texts: Sequence[str], seconds: float, retries: int) -> list[Encoded]:
        import numpy as np

        parts = [parts_of(_clean(text)) for text in texts]
        rows: list[NDArray[np.float32]] = []
        for batch in requests_of([part for own in parts for part in own]):
            rows.extend(self._turned(await self._raw(batch, seconds, retries)))
        made, at = [], 0
        for own in parts:
            weights = np.array([len(part) for part in own], np.float32)
            pooled = _unit((np.stack(rows[at : at + len(own)]) * weights[:, None]).sum(0, keepdims=True))[0]
            made.append(Encoded(pooled, np.zeros((0, TOKEN_DIM), np.float32), (), len(own)))
            at += len(own)
        return made

    def _turned(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Unit rows of 1024 numbers. Raises EmbedderUnavailable when the service now gives others than at the start."""
        expected = POOLED_DIM if self._turn is None else self._turn.shape[0]
        if rows.shape[1] != expected:
            fault = AnswerUnreadable(f"The service now sends vectors of {rows.shape[1]:,} numbers, not {expected:,}")
            raise unavailable(fault)
        unit = _unit(rows)
        return unit if self._turn is None else unit @ self._turn

    async def _raw(self, texts: Sequence[str], seconds: float, retries: int) -> NDArray[np.float32]:
        try:
            return await self._service.embed(
                texts, self._place, dimensions=self._dimensions, seconds=seconds, retries=retries
            )
        except RequestRefused:
            raise
        except HiveMindError as fault:
            raise unavailable(fault) from fault


def parts_of(text: str) -> list[str]:
    """The text in parts of at most PART characters, nearly equal in length; one even when it is empty."""
    count = max(1, -(-len(text) // PART))
    edges = [len(text) * part // count for part in range(count + 1)]
    # No service takes an empty text, and a question may be nothing but a space.
    return [part if part.strip() else "." for part in (text[a:b] for a, b in pairwise(edges))]


def requests_of(parts: Sequence[str]) -> Iterator[list[str]]:
    """The parts in their order, in groups that one request may carry."""
    group: list[str] = []
    for part in parts:
        if len(group) == REQUEST_PARTS or sum(map(len, group)) + len(part) > REQUEST_CHARACTERS:
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _clean(text: str) -> str:
    """What may leave: secrets are marks, also those that a person wants to see here. A lone surrogate is no text."""
    return mask(text).text.encode("utf-8", "replace").decode("utf-8")


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    # The largest first: a service may send numbers whose squares leave float32 on either side.
    scaled = rows / np.maximum(np.abs(rows).max(axis=-1, keepdims=True), np.finfo(np.float32).tiny)
    return np.asarray(scaled / np.maximum(np.linalg.norm(scaled, axis=-1, keepdims=True), 1e-12), np.float32)
