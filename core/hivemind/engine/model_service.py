"""Which model makes vectors here: where it is looked for, trying another folder, choosing it, going back."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

from hivemind.domain.minds import EmbedderFacts, ModelPlace, ModelSource
from hivemind.embeddings import Embedder, UsageRecorder, read_folder
from hivemind.embeddings.folder import VARIABLE
from hivemind.engine.context import Context
from hivemind.engine.embedding_service import EmbeddingService
from hivemind.engine.encoder_access import OFF
from hivemind.errors import EmbedderUnavailable, NotAllowed, ReadOnlyPlace
from hivemind.paths import resource_path
from hivemind.settings import load_settings, save_settings


class ModelService:
    """A folder is chosen only after its model has been started and has passed its probe."""

    def __init__(self, context: Context, embedding: EmbeddingService) -> None:
        self._context = context
        self._embedding = embedding

    async def place(self) -> ModelPlace:
        """Where the model in force is looked for, and who said so."""
        named = os.environ.get(VARIABLE, "").strip()
        if named == OFF:
            return ModelPlace(ModelSource.OFF, "")
        if named:
            return ModelPlace(ModelSource.ENVIRONMENT, named)
        chosen = (await asyncio.to_thread(load_settings, self._context.data.settings_file)).embedder_dir.strip()
        if chosen:
            return ModelPlace(ModelSource.SETTINGS, chosen)
        return ModelPlace(ModelSource.BUNDLED, str(resource_path("models", "minilm")))

    async def probe(self, folder: Path) -> EmbedderFacts:
        """Start the model of a folder in a child of its own, look at it and end it. Changes nothing.

        Raises EmbedderUnavailable with what to change.
        """
        found = await asyncio.to_thread(read_folder, folder.expanduser(), "settings")
        embedder = Embedder(found, UsageRecorder())
        try:
            one = await embedder.start()
        finally:
            await embedder.aclose()
        return EmbedderFacts(one.name, one.revision, one.dim, one.model_dim, one.languages, "onnx")

    async def choose(self, folder: Path | None) -> EmbedderFacts:
        """Use the model of this folder from now on, None = the bundled one. What is embedded stays until `reembed`.

        Raises EmbedderUnavailable when it does not pass, NotAllowed while the environment names the model,
        ReadOnlyPlace when the choice cannot be kept; then everything stays as it was.
        """
        if os.environ.get(VARIABLE, "").strip():
            raise NotAllowed(
                "The model is named by the environment",
                f"Nothing was changed. Remove {VARIABLE} and start again, then choose here.",
            )
        if folder is not None:
            await self.probe(folder)
        file = self._context.data.settings_file
        settings = await asyncio.to_thread(load_settings, file)
        chosen = "" if folder is None else str(folder.expanduser())
        try:
            await asyncio.to_thread(save_settings, file, replace(settings, embedder_dir=chosen))
        except OSError as fault:
            raise ReadOnlyPlace("The choice could not be kept", details=type(fault).__name__) from fault
        facts, problem = await self._embedding.renew()
        if problem is not None:
            raise EmbedderUnavailable(problem.title, problem.hint)
        return facts
