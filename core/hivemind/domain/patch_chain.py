"""What a memory said at each step of its history: the original, its corrections, its taking back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hivemind.domain.frames import Frame, PatchKind


@dataclass(frozen=True, slots=True)
class Version:
    """The memory after one step: `frame` made it, `text` counted from then on. `retracted`: it was not found then."""

    frame: Frame
    text: str
    retracted: bool


def versions(history: Sequence[Frame]) -> tuple[Version, ...]:
    """One per step of `FrameDetail.history`, oldest first. Steps in the trash of a living memory count for nothing."""
    made: list[Version] = []
    text, retracted = "", False
    for frame in history:
        counts = frame.trashed_at is None or history[0].trashed_at is not None
        if frame.patch_kind is PatchKind.RETRACT:
            retracted = retracted != counts
        elif counts:
            text = frame.content
        made.append(Version(frame, text, retracted))
    return tuple(made)


def as_of(history: Sequence[Frame], moment: str) -> Version | None:
    """The memory as it was known at a stamp; None before it was recorded."""
    known = [version for version in versions(history) if version.frame.recorded_at <= moment]
    return known[-1] if known else None
