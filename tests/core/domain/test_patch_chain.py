"""What a memory said at each step: corrections, taking back, steps in the trash, and any moment between."""

from __future__ import annotations

from dataclasses import replace

from hivemind.domain.frames import Frame, PatchKind
from hivemind.domain.patch_chain import as_of, versions


def step(frame: Frame, number: int, text: str, kind: PatchKind | None = None, trashed: str | None = None) -> Frame:
    at = f"2026-01-0{number}T00:00:00.000Z"
    return replace(frame, id=number, content=text, patch_kind=kind, recorded_at=at, trashed_at=trashed)


def test_each_step_and_each_moment(plain_frame: Frame) -> None:
    history = [
        step(plain_frame, 1, "90 days"),
        step(plain_frame, 2, "30 days", PatchKind.AMEND),
        step(plain_frame, 3, "no longer true", PatchKind.RETRACT),
        step(plain_frame, 4, "", PatchKind.RETRACT),
    ]
    told = [(version.text, version.retracted) for version in versions(history)]
    assert told == [("90 days", False), ("30 days", False), ("30 days", True), ("30 days", False)]
    assert as_of(history, "2025-12-31T00:00:00.000Z") is None
    first = as_of(history, "2026-01-01T12:00:00.000Z")
    assert first is not None
    assert first.text == "90 days"
    third = as_of(history, "2026-01-03T00:00:00.000Z")
    assert third is not None
    assert third.retracted


def test_a_correction_in_the_trash_counts_for_nothing(plain_frame: Frame) -> None:
    gone = step(plain_frame, 2, "wrong", PatchKind.AMEND, trashed="2026-02-01T00:00:00.000Z")
    assert [version.text for version in versions([step(plain_frame, 1, "right"), gone])] == ["right", "right"]


def test_a_memory_in_the_trash_keeps_its_whole_history(plain_frame: Frame) -> None:
    at = "2026-02-01T00:00:00.000Z"
    history = [step(plain_frame, 1, "old", trashed=at), step(plain_frame, 2, "new", PatchKind.AMEND, trashed=at)]
    assert versions(history)[-1].text == "new"
