"""A log on a plain connection made from the schema file, without the storage room around it."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import pytest
from tests.core.gateway.plain_log import plain_log


@pytest.fixture
def log() -> Iterator[apsw.Connection]:
    connection = plain_log(":memory:")
    yield connection
    connection.close()
