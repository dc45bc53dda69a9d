"""The embedder: one model in a child process that turns texts into vectors. Loading this loads no runtime."""

from __future__ import annotations

from hivemind.embeddings.embedder import Embedder
from hivemind.embeddings.folder import ModelFolder, find_model, read_folder
from hivemind.embeddings.usage import UsageRecorder

__all__ = ["Embedder", "ModelFolder", "UsageRecorder", "find_model", "read_folder"]
