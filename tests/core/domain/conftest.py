"""A frame to vary."""

from __future__ import annotations

import pytest

from hivemind.domain.frames import Frame, FrameType, Importance, Origin, Provenance

AT = "2026-01-01T00:00:00.000Z"


@pytest.fixture(scope="session")
def plain_frame() -> Frame:
    return Frame(
        1, "u", FrameType.P, "s", 1, 1, "text", Importance.NORMAL, Provenance.USER_STATED, 0, AT, AT, None, AT,
        Origin.SAVE, None, None, None, False, None, None, None, None, None, None, None, None, 0, 0, None, 0,
    )  # fmt: skip
