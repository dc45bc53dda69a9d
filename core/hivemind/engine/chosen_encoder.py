"""Which encoder this person has chosen: a model in this computer, or a service they have agreed to send texts to."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from urllib.parse import urlsplit

from hivemind.clock import stamp
from hivemind.domain.calls import Call, CallOutcome, CallRecorder
from hivemind.domain.chat import Endpoint, Vendor
from hivemind.domain.minds import HostedPlan
from hivemind.domain.vectors import EmbeddingPlace
from hivemind.embeddings import HostedEmbedder
from hivemind.embeddings.folder import VARIABLE
from hivemind.embeddings.refusals import unavailable
from hivemind.embeddings.vocabulary import Vocabulary
from hivemind.engine.context import Context
from hivemind.engine.encoder_access import Encoder, bundled
from hivemind.engine.provider_service import ProviderService
from hivemind.errors import EmbedderUnavailable, HiveMindError, InvalidValue
from hivemind.gateway import Recorder
from hivemind.paths import PERSONAL
from hivemind.settings import load_settings
from hivemind.storage import Database
from hivemind.workspaces import WorkspaceRegistry

_MODEL_LIMIT = 200


class PersonalRecorder(CallRecorder):
    """Writes into the personal mind's log, opened at the first call: for calls that belong to no other mind."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._recorder: Recorder | None = None

    async def started(self, call: Call) -> None:
        await (await self._opened()).started(call)

    async def finished(self, outcome: CallOutcome) -> None:
        await (await self._opened()).finished(outcome)

    async def failed(self, outcome: CallOutcome) -> None:
        await (await self._opened()).failed(outcome)

    async def _opened(self) -> Recorder:
        if self._recorder is None:
            self._recorder = Recorder(await self._context.mind(PERSONAL))
        return self._recorder


class ChosenEncoder:
    """`providers` and `installed` are asked when they are needed: the engine is open by then."""

    def __init__(
        self, context: Context, providers: Callable[[], ProviderService], installed: Callable[[], Database]
    ) -> None:
        self._context = context
        self._providers = providers
        self._installed = installed

    def find(self) -> tuple[Encoder, Vocabulary]:
        """As an engine's `find_encoder`: what the environment names, else what was chosen, else the bundled one."""
        file = self._context.data.settings_file
        settings = load_settings(file)
        if os.environ.get(VARIABLE, "").strip() or not settings.embedder_service:
            return bundled(file)
        try:
            encoder = self.hosted(settings.embedder_service, settings.embedder_model, settings.embedder_address)
        except HiveMindError as fault:
            raise unavailable(fault) from fault
        # A service tells nothing of its pieces.
        return encoder, Vocabulary(())

    def hosted(self, endpoint: str, model: str, agreed: str) -> HostedEmbedder:
        """The encoder of a service, not started. Reads files.

        Raises NotFound, and EmbedderUnavailable when the service is not where the person agreed to send to.
        """
        service = self._providers().embeddings(endpoint, checked_model(model))
        if service.endpoint.base_url != agreed:
            raise EmbedderUnavailable(
                f"{service.endpoint.label} has another address now",
                "Nothing was sent there. Choose it again in Settings, Search & models.",
            )
        return HostedEmbedder(service, EmbeddingPlace(PersonalRecorder(self._context), PERSONAL))

    async def plan(self, endpoint: str, model: str) -> HostedPlan:
        """What choosing this would send, and where. Sends nothing. Raises NotFound, InvalidValue."""
        service = await asyncio.to_thread(self._providers().embeddings, endpoint, checked_model(model))
        now, data = stamp(self._context.clock()), self._context.data
        minds = await self._installed().read(lambda connection: WorkspaceRegistry(connection, now).list(data))
        memories = 0
        for one in minds:
            mind = await self._context.mind(one.id)
            memories += await mind.read(lambda tx: tx.frames.count_current())
        return _plan(service.endpoint, service.model, memories, len(minds))


def checked_model(model: str) -> str:
    """The name of a model as a service is asked for it. Raises InvalidValue."""
    name = model.strip()
    if not name or len(name) > _MODEL_LIMIT or not name.isprintable():
        raise InvalidValue("The model needs a name", "Write it as the service does, for example nomic-embed-text.")
    return name


def _plan(endpoint: Endpoint, model: str, memories: int, minds: int) -> HostedPlan:
    if endpoint.vendor is not Vendor.OPENAI:
        raise InvalidValue(
            f"{endpoint.label} makes no vectors",
            "Choose a service with OpenAI's interface, such as Ollama or Voyage AI.",
        )
    return HostedPlan(
        endpoint.name, endpoint.label, model, endpoint.base_url, urlsplit(endpoint.base_url).netloc, endpoint.local,
        memories, minds,
    )  # fmt: skip
