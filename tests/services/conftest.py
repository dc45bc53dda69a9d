"""Real services on this computer, made when the network allows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.services.proxy import NotHere, running


@pytest.fixture(scope="session")
def litellm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running LiteLLM proxy; skips with the reason where there can be none."""
    proxy = running(tmp_path_factory.mktemp("litellm"))
    try:
        address = proxy.__enter__()
    except NotHere as reason:
        pytest.skip(str(reason))
    yield address
    proxy.__exit__(None, None, None)
