"""What an import shows: its pace, a sum that adds up, lines with reasons."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.harvest import FailedItem, FrameCounts, ImportReport, Reason, RunState
from hivemind.events import Progress
from hivemind_desktop.importing.model import (
    Pace,
    adds_up,
    report_lines,
    report_title,
    source_name,
    state_badge,
    sum_parts,
)


def report(**values: Any) -> ImportReport:
    plain: dict[str, Any] = {
        "run_id": 12, "source": "chatgpt", "name": "chatgpt.zip", "state": RunState.FINISHED, "found": 10, "new": 5,
        "updated": 1, "unchanged": 1, "skipped": (Reason("empty", 2),), "failed": (FailedItem("c9", "damaged JSON"),),
        "messages": 40, "frames": FrameCounts(5, 40, 0), "duplicates_exact": 0, "duplicates_flagged": 0, "repaired": 0,
        "quarantined": 0, "masked": 0, "attachments_text": 0, "attachments_missing": 0, "seconds": 9.0,
        "started_at": "2026-11-30T12:00:00.000Z", "finished_at": None,
    }  # fmt: skip
    return ImportReport(**{**plain, **values})


def progress(done: int, total: int = 1000, items: int = 1) -> Progress:
    return Progress(12, "import", "personal", "running", done, total, items, items, items, "A talk")


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_pace_guesses_only_after_five_seconds() -> None:
    clock = Hands()
    pace = Pace(clock)
    pace.take(progress(0))
    clock.now += 4
    pace.take(progress(200))
    assert pace.rate == pytest.approx(50)
    assert pace.left is None
    clock.now += 4
    pace.take(progress(400))
    assert pace.left == pytest.approx(12)
    assert pace.words() == ("about 12 s left", "50 bytes/s · last item under 0.01 s ago")
    clock.now += 3
    assert pace.idle == pytest.approx(3)
    assert pace.words()[1].endswith("last item 3.0 s ago")


def test_time_that_is_paused_does_not_count() -> None:
    clock = Hands()
    pace = Pace(clock)
    pace.take(progress(0))
    clock.now += 10
    pace.take(progress(500))
    pace.pause()
    clock.now += 1000
    pace.take(progress(500))
    clock.now += 10
    pace.take(progress(1000))
    assert pace.rate == pytest.approx(50)


def test_a_second_source_begins_anew() -> None:
    clock = Hands()
    pace = Pace(clock)
    pace.take(progress(900))
    clock.now += 10
    pace.take(progress(10, total=5000))
    assert pace.rate == 0.0
    assert pace.left is None


def test_an_unknown_end_is_no_guess() -> None:
    clock = Hands()
    pace = Pace(clock)
    pace.take(progress(0, total=0))
    clock.now += 20
    pace.take(progress(100, total=0))
    assert pace.words()[0] == "working"


@given(*[st.integers(0, 10_000)] * 4, st.integers(0, 20))
def test_the_sum_adds_up_exactly_when_it_does(
    new: int, updated: int, unchanged: int, skipped: int, failed: int
) -> None:
    parts = {
        "new": new,
        "updated": updated,
        "unchanged": unchanged,
        "skipped": (Reason("empty", skipped),),
        "failed": (FailedItem("c", "r"),) * failed,
    }
    whole = new + updated + unchanged + skipped + failed
    assert adds_up(report(found=whole, **parts))
    assert not adds_up(report(found=whole + 1, **parts))
    assert [value for _, value in sum_parts(report(found=whole, **parts))] == [
        whole, new, updated, unchanged, skipped, failed,
    ]  # fmt: skip


def test_lines_name_what_was_left_out_and_why() -> None:
    lines = {line.what: line for line in report_lines(report(attachments_missing=3, attachments_text=1, repaired=2))}
    assert list(lines) == [
        "memories from 40 messages",
        "conversation updated",
        "conversation already there",
        "conversations skipped",
        "conversation not readable",
        "attachments missing",
        "texts repaired",
    ]
    assert lines["memories from 40 messages"].count == "45"
    assert lines["memories from 40 messages"].opens == ("new", None)
    assert lines["conversations skipped"].reasons == "empty"
    assert lines["conversations skipped"].opens == ("skipped", "empty")
    assert lines["conversation not readable"].opens == ("failed", None)
    assert lines["attachments missing"].reasons == "named in the export, not in it · 1 came along as text"


def test_every_reason_has_a_line_of_its_own_and_review_leads_to_its_list() -> None:
    skipped = (Reason("empty", 2), Reason("left out by you", 3))
    lines = report_lines(report(skipped=skipped, masked=2, quarantined=1))
    assert [line.opens for line in lines if line.what == "conversations skipped"] == [
        ("skipped", "empty"), ("skipped", "left out by you"),
    ]  # fmt: skip
    assert [line.review for line in lines if line.review] == ["masked", "quarantined"]


def test_nothing_that_did_not_happen_has_a_line() -> None:
    assert len(report_lines(report(skipped=(), failed=(), found=5, updated=0, unchanged=0))) == 1


@pytest.mark.parametrize("state", list(RunState))
def test_every_state_has_its_words(state: RunState) -> None:
    assert all(state_badge(state))
    assert "ChatGPT export" in report_title(report(state=state))


def test_sources_have_names() -> None:
    assert source_name(report(source="several")) == source_name(report(source="auto")) == "The import"
