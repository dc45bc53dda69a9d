"""The JSON of the contract where a real run seldom goes: children with an error, kept frames, contradictions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from hivemind.domain.frames import Finding
from hivemind.domain.harvest import FailedItem, FrameCounts, ImportReport, KeptFrame, Reason, RunState, UndoReport
from hivemind.library import open_mind
from hivemind.sidecar import documents, plain

REPORT = ImportReport(
    run_id=3, source="chatgpt", name="a.zip", state=RunState.FINISHED, found=10, new=4, updated=2, unchanged=1,
    skipped=(Reason("empty", 2),), failed=(FailedItem("Trip", "Not valid JSON at byte 7"),), messages=40,
    frames=FrameCounts(4, 50, 0), duplicates_exact=0, duplicates_flagged=1, repaired=5, quarantined=0, masked=0,
    attachments_text=0, attachments_missing=6, seconds=1.5, started_at="2026-01-01T00:00:00.000Z", finished_at=None,
)  # fmt: skip


def test_counts_of_one_source() -> None:
    assert documents.imported(REPORT) == {
        "run_id": 3, "source": "chatgpt", "found": 10, "new": 4, "updated": 2, "unchanged": 1,
        "skipped": [{"reason": "empty", "count": 2}],
        "failed": [{"item": "Trip", "reason": "Not valid JSON at byte 7"}],
        "messages": 40, "frames": {"I": 4, "P": 50, "B": 0}, "duplicates": {"exact": 0, "flagged": 1}, "repaired": 5,
        "quarantined": 0, "masked": 0, "attachments": {"text": 0, "missing": 6}, "seconds": 1.5,
    }  # fmt: skip


def test_only_a_source_that_failed_carries_an_error() -> None:
    broken = replace(REPORT, run_id=5, state=RunState.FAILED, error="The file cannot be read. Try again.")
    runs = documents.imported(replace(REPORT, run_id=4, children=(REPORT, broken)))["runs"]
    assert isinstance(runs, list)
    assert [run.get("error") for run in runs] == [None, broken.error]


def test_a_listed_run_has_a_state() -> None:
    listed = documents.run(REPORT)
    assert (listed["state"], listed["name"], listed["finished_at"]) == ("finished", "a.zip", None)
    assert json.loads(json.dumps(listed))["state"] == "finished"


def test_lines_about_an_import_name_everything_that_is_missing() -> None:
    lines = "\n".join(plain.imported(REPORT))
    for words in (
        "10 conversations found",
        "Skipped 2: empty",
        "Failed: Trip: Not valid JSON",
        "6 attachments",
        "54 f",
    ):
        assert words in lines


def test_undo_lists_what_stays() -> None:
    report = UndoReport(3, 50, 4, (KeptFrame(9, "you pinned it"),))
    assert documents.undone(report)["kept"] == [{"frame_id": 9, "reason": "you pinned it"}]
    assert "Kept frame 9: you pinned it" in "\n".join(plain.undone(report))


def test_a_save_names_what_it_contradicts(tmp_path: Path) -> None:
    with open_mind(tmp_path / "work.mind") as mind:
        saved = mind.save("We use Postgres.")
    contradicted = replace(saved, contradicts=(Finding("contradiction", 7, "We use MySQL."),))
    assert documents.saved(contradicted)["contradicts"] == [{"frame_id": 7, "excerpt": "We use MySQL."}]
    assert "It contradicts frame 7: We use MySQL." in "\n".join(plain.saved(contradicted))
