"""The built model, loaded once for the tests of this room: in this process, and in a child."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from hivemind.embeddings import Embedder, ModelFolder, UsageRecorder, read_folder
from hivemind.embeddings.encoding import TextEncoder


@pytest.fixture(scope="session")
def minilm(search_model: Path) -> ModelFolder:
    return read_folder(search_model, "bundled")


@pytest.fixture(scope="session")
def encoder(minilm: ModelFolder) -> TextEncoder:
    return TextEncoder(minilm)


@pytest.fixture(scope="module")
def embedder(minilm: ModelFolder) -> Iterator[Embedder]:
    one = Embedder(minilm, UsageRecorder())
    asyncio.run(one.start())
    yield one
    asyncio.run(one.aclose())
