"""Which model makes vectors here: where it is looked for, trying another folder, choosing it, going back."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

from hivemind.domain.minds import EmbedderFacts, HostedPlan, ModelPlace, ModelSource
from hivemind.embeddings import Embedder, UsageRecorder, read_folder
from hivemind.embeddings.folder import VARIABLE, bundled_place
from hivemind.engine.chosen_encoder import ChosenEncoder
from hivemind.engine.context import Context
from hivemind.engine.embedding_service import EmbeddingService
from hivemind.engine.encoder_access import OFF, facts_of
from hivemind.errors import EmbedderUnavailable, NotAllowed, ReadOnlyPlace
from hivemind.settings import load_settings, save_settings


class ModelService:
    """A folder or a service is chosen only after its model has been started and has passed its probe."""

    def __init__(self, context: Context, embedding: EmbeddingService, chosen: ChosenEncoder) -> None:
        self._context = context
        self._embedding = embedding
        self._chosen = chosen

    async def place(self) -> ModelPlace:
        """Where the model in force is looked for, and who said so."""
        named = os.environ.get(VARIABLE, "").strip()
        if named == OFF:
            return ModelPlace(ModelSource.OFF, "")
        if named:
            return ModelPlace(ModelSource.ENVIRONMENT, named)
        settings = await asyncio.to_thread(load_settings, self._context.data.settings_file)
        if settings.embedder_service:
            return ModelPlace(ModelSource.SERVICE, settings.embedder_address)
        if chosen := settings.embedder_dir.strip():
            return ModelPlace(ModelSource.SETTINGS, chosen)
        return ModelPlace(ModelSource.BUNDLED, str(bundled_place()))

    async def probe(self, folder: Path) -> EmbedderFacts:
        """Start the model of a folder in a child of its own, look at it and end it. Changes nothing.

        Raises EmbedderUnavailable with what to change.
        """
        found = await asyncio.to_thread(read_folder, folder.expanduser(), "settings")
        embedder = Embedder(found, UsageRecorder())
        try:
            return facts_of(await embedder.start())
        finally:
            await embedder.aclose()

    async def plan_hosted(self, endpoint: str, model: str) -> HostedPlan:
        """What it would mean to let a service make the vectors: to be shown and agreed to. Sends nothing.

        Raises NotFound when the service is not set up, InvalidValue for a name that is none.
        """
        return await self._chosen.plan(endpoint, model)

    async def choose(self, folder: Path | None) -> EmbedderFacts:
        """Use the model of this folder from now on, None = the bundled one. What is embedded stays until `reembed`.

        Raises EmbedderUnavailable when it does not pass, NotAllowed while the environment names the model,
        ReadOnlyPlace when the choice cannot be kept; then everything stays as it was.
        """
        _check_free()
        if folder is not None:
            await self.probe(folder)
        return await self._keep("" if folder is None else str(folder.expanduser()))

    async def choose_hosted(self, endpoint: str, model: str, agreed: HostedPlan) -> EmbedderFacts:
        """Let a service make the vectors from now on. `agreed`: what the person was shown and said yes to.

        One fixed sentence is sent to try it; memories follow in the background: those of a mind without vectors at
        once, those of the others when they are embedded again. Raises as `choose` does, and NotFound, InvalidValue.
        """
        _check_free()
        plan = await self.plan_hosted(endpoint, model)
        if (plan.endpoint, plan.model, plan.address) != (agreed.endpoint, agreed.model, agreed.address):
            raise NotAllowed("This is not what was agreed to", "Nothing was sent. Look at what would be sent, again.")
        encoder = await asyncio.to_thread(self._chosen.hosted, plan.endpoint, plan.model, plan.address)
        await encoder.start()
        return await self._keep("", plan)

    async def _keep(self, folder: str, plan: HostedPlan | None = None) -> EmbedderFacts:
        file = self._context.data.settings_file
        service, model, address = ("", "", "") if plan is None else (plan.endpoint, plan.model, plan.address)
        settings = replace(
            await asyncio.to_thread(load_settings, file),
            embedder_dir=folder,
            embedder_service=service,
            embedder_model=model,
            embedder_address=address,
        )
        try:
            await asyncio.to_thread(save_settings, file, settings)
        except OSError as fault:
            raise ReadOnlyPlace("The choice could not be kept", details=type(fault).__name__) from fault
        facts, problem = await self._embedding.renew()
        if problem is not None:
            raise EmbedderUnavailable(problem.title, problem.hint)
        return facts


def _check_free() -> None:
    if os.environ.get(VARIABLE, "").strip():
        raise NotAllowed(
            "The model is named by the environment",
            f"Nothing was changed. Remove {VARIABLE} and start again, then choose here.",
        )
