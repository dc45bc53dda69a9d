"""The services that answer: setting them up, their keys, a try, and a provider for one mind's calls."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace

from hivemind.credentials import CredentialStore, Redaction
from hivemind.domain.calls import CallRecorder
from hivemind.domain.chat import CallPlace, ChatProvider, Endpoint, Vendor
from hivemind.engine.context import Context
from hivemind.errors import KeyStoreUnavailable, NotFound, ReadOnlyPlace
from hivemind.gateway import Recorder
from hivemind.llm import (
    SUGGESTED,
    AnthropicProvider,
    OpenAICompatibleProvider,
    OpenAIEmbeddings,
    PriceTable,
    Setup,
    load_prices,
    load_setup,
    save_setup,
    with_endpoint,
)
from hivemind.net import OutboundLedger
from hivemind.paths import PERSONAL, resource_path
from hivemind.storage import Database


@dataclass(frozen=True, slots=True)
class EndpointFacts:
    """A service as Settings shows it. `has_key` None: the key store cannot be asked (`key_problem` says why)."""

    endpoint: Endpoint
    chosen: bool
    has_key: bool | None
    key_problem: str = ""


class ProviderService:
    """`install` holds the outbound ledger. Keys never leave `credentials` but into a request."""

    def __init__(self, context: Context, install: Database, credentials: CredentialStore, redaction: Redaction) -> None:
        self._context = context
        self._install = install
        self._credentials = credentials
        self._redaction = redaction

    @property
    def suggested(self) -> tuple[Endpoint, ...]:
        """Services that can be set up with one choice."""
        return SUGGESTED

    async def list(self) -> tuple[EndpointFacts, ...]:
        """Every service that was set up, the chosen one first."""
        setup = await self.setup()
        facts = [await self._facts(one, setup) for one in setup.endpoints]
        return tuple(sorted(facts, key=lambda one: (not one.chosen, one.endpoint.label.casefold())))

    async def setup(self) -> Setup:
        """The endpoints with the chosen one and its model."""
        return await asyncio.to_thread(load_setup, self._context.data.endpoints_file)

    async def add(self, endpoint: Endpoint) -> None:
        """Set a service up, or change the one of this name. Raises InvalidValue, AddressRefused, ReadOnlyPlace."""
        await self._save(with_endpoint(await self.setup(), endpoint))

    async def remove(self, name: str) -> None:
        """Forget a service and its key. Raises NotFound, KeyStoreUnavailable (then nothing was removed)."""
        setup = await self.setup()
        endpoint = _found(setup, name)
        if endpoint.needs_key:
            await asyncio.to_thread(self._credentials.forget, name)
        kept = tuple(one for one in setup.endpoints if one.name != name)
        gone = setup.chosen == name
        await self._save(Setup(kept, "" if gone else setup.chosen, "" if gone else setup.model))

    async def choose(self, name: str, model: str) -> None:
        """Which service and model answer from now on. Raises NotFound."""
        setup = await self.setup()
        _found(setup, name)
        await self._save(replace(setup, chosen=name, model=model.strip()))

    async def set_key(self, name: str, key: str, *, keep: bool) -> None:
        """Use this key: kept in the key store, or for this run only. Raises InvalidValue, KeyStoreUnavailable."""
        _found(await self.setup(), name)
        self._redaction.learn(key.strip())
        if keep:
            await asyncio.to_thread(self._credentials.keep, name, key)
        else:
            self._credentials.use_for_this_run(name, key)

    async def forget_key(self, name: str) -> None:
        """Remove the key everywhere. Raises KeyStoreUnavailable."""
        await asyncio.to_thread(self._credentials.forget, name)

    async def prices(self) -> PriceTable:
        """What calls cost, with a person's own entries. Raises InvalidValue when their file cannot be used."""
        own = self._context.data.prices_file
        return await asyncio.to_thread(load_prices, resource_path("prices", "prices.json"), own)

    async def list_models(self, name: str, workspace: str = PERSONAL) -> tuple[str, ...]:
        """Ask a service for its models: a call like any other, recorded in this mind. Raises NetFault, ModelFault."""
        place = CallPlace(str(uuid.uuid4()), feature="model-list", workspace_id=workspace)
        return await (await self.provider(name, workspace)).list_models(place)

    async def provider(self, name: str, workspace: str, recorder: CallRecorder | None = None) -> ChatProvider:
        """A provider whose calls are recorded in this mind, through `recorder` if there is one.

        Raises NotFound, InvalidValue.
        """
        endpoint = _found(await self.setup(), name)
        recorder = recorder or Recorder(await self._context.mind(workspace))
        kind = AnthropicProvider if endpoint.vendor is Vendor.ANTHROPIC else OpenAICompatibleProvider
        return kind(endpoint, OutboundLedger(self._install), recorder, self._finder(endpoint), await self.prices())

    def embeddings(self, name: str, model: str) -> OpenAIEmbeddings:
        """A model of a service for vectors. Reads files. Raises NotFound, InvalidValue."""
        endpoint = _found(load_setup(self._context.data.endpoints_file), name)
        prices = load_prices(resource_path("prices", "prices.json"), self._context.data.prices_file)
        return OpenAIEmbeddings(endpoint, model, OutboundLedger(self._install), self._finder(endpoint), prices)

    def _finder(self, endpoint: Endpoint) -> Callable[[], str | None]:
        def find() -> str | None:
            if not endpoint.needs_key:
                return None
            key = self._credentials.find_key(endpoint.name)
            if key:
                self._redaction.learn(key)
            return key

        return find

    async def _facts(self, endpoint: Endpoint, setup: Setup) -> EndpointFacts:
        chosen = endpoint.name == setup.chosen
        try:
            key = await asyncio.to_thread(self._finder(endpoint))
        except KeyStoreUnavailable as fault:
            return EndpointFacts(endpoint, chosen, None, fault.hint)
        return EndpointFacts(endpoint, chosen, key is not None)

    async def _save(self, setup: Setup) -> None:
        try:
            await asyncio.to_thread(save_setup, self._context.data.endpoints_file, setup)
        except OSError as fault:
            raise ReadOnlyPlace("The choice could not be kept", details=type(fault).__name__) from fault


def _found(setup: Setup, name: str) -> Endpoint:
    endpoint = setup.find(name)
    if endpoint is None:
        raise NotFound("This service is not set up", "Add it in Settings, Models.")
    return endpoint
