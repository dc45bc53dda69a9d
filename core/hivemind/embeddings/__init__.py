"""The embedder: a model in a child process, or of a service, that turns texts into vectors. Loads no runtime."""

from __future__ import annotations

from hivemind.embeddings.embedder import Embedder
from hivemind.embeddings.folder import ModelFolder, find_model, read_folder
from hivemind.embeddings.hosted import HostedEmbedder
from hivemind.embeddings.usage import UsageRecorder

__all__ = ["Embedder", "HostedEmbedder", "ModelFolder", "UsageRecorder", "find_model", "read_folder"]
