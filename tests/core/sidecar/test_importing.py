"""`import` and `imports`: counts that add up, nothing twice, a trial that changes nothing, undo, Ctrl+C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from benchmarks.exports import write_export
from tests.core.sidecar.conftest import Sidecar

from hivemind.sidecar.import_commands import runs

COUNTS = {
    "run_id", "source", "found", "new", "updated", "unchanged", "skipped", "failed", "messages", "frames",
    "duplicates", "repaired", "quarantined", "masked", "attachments", "seconds",
}  # fmt: skip


def adds_up(report: dict[str, Any]) -> bool:
    skipped = sum(one["count"] for one in report["skipped"])
    found: int = report["found"]
    return bool(found == report["new"] + report["updated"] + report["unchanged"] + skipped + len(report["failed"]))


def frames(sidecar: Sidecar) -> int:
    count: int = sidecar("doctor").document["minds"][0]["frames"]
    return count


def test_an_export_comes_in_once(sidecar: Sidecar, export: Path) -> None:
    first = sidecar("import", str(export))
    assert (first.code, set(first.document)) == (0, COUNTS)
    assert (first.document["source"], first.document["new"], adds_up(first.document)) == ("chatgpt", 6, True)
    assert set(first.document["frames"]) == {"I", "P", "B"}
    assert first.document["frames"]["I"] == 6
    before = frames(sidecar)
    again = sidecar("import", str(export), "--source", "chatgpt")
    assert (again.code, again.document["new"], again.document["unchanged"]) == (0, 0, 6)
    assert frames(sidecar) == before
    listed = sidecar("imports", "list").document["runs"]
    assert [run["state"] for run in listed] == ["finished", "finished"]
    assert set(listed[0]) >= COUNTS
    assert "6 conversations found" in sidecar("imports", "list", plain=True).out
    assert runs.info.help


def test_what_came_in_can_be_found_and_read(sidecar: Sidecar, export: Path) -> None:
    sidecar("import", str(export))
    (hit, *_) = sidecar("search", "--source", "chatgpt", "postgres migration").document["hits"]
    shown = sidecar("sessions", "show", hit["session_id"]).document
    assert shown["session"]["source"] == "chatgpt"
    assert any(hit["frame_id"] in message["frame_ids"] for message in shown["messages"])
    assert shown["messages"][0]["speaker"] in sidecar("sessions", "show", hit["session_id"], plain=True).out


def test_a_trial_changes_nothing(sidecar: Sidecar, export: Path, data_dir: Path) -> None:
    trial = sidecar("import", "--dry-run", str(export))
    assert (trial.code, set(trial.document), trial.document["new"]) == (0, COUNTS | {"survey"}, 6)
    assert (trial.document["survey"]["importable"], trial.document["survey"]["secrets"]) == (6, [])
    assert frames(sidecar) == 0
    assert sidecar("imports", "list").document == {"runs": []}
    sidecar("import", str(export))
    assert sidecar("import", "--dry-run", str(export)).document["unchanged"] == 6
    assert list((data_dir / "spool").iterdir()) == []
    assert "Nothing was changed" in sidecar("import", "--dry-run", str(export), plain=True).err


def test_several_sources_under_one_run(sidecar: Sidecar, export: Path, tmp_path: Path) -> None:
    other = tmp_path / "more.json"
    write_export(other, seed=12, count=3, longest=6)
    report = sidecar("import", str(export), str(other)).document
    assert set(report) == COUNTS | {"runs"}
    assert [run["found"] for run in report["runs"]] == [6, 3]
    for name in ("found", "new", "messages"):
        assert report[name] == sum(run[name] for run in report["runs"])
    assert adds_up(report)
    assert all(map(adds_up, report["runs"]))


def test_undo_takes_back_all_but_what_was_edited(sidecar: Sidecar, export: Path) -> None:
    report = sidecar("import", str(export)).document
    edited = sidecar("search", "postgres").document["hits"][0]["frame_id"]
    sidecar("save", "My own words.", "--amends", str(edited))
    undone = sidecar("imports", "undo", str(report["run_id"]))
    assert undone.code == 0
    assert set(undone.document) == {"run_id", "frames_removed", "sessions_removed", "kept"}
    assert edited in [kept["frame_id"] for kept in undone.document["kept"]]
    assert all(kept["reason"] for kept in undone.document["kept"])
    assert sidecar("imports", "list").document["runs"][0]["state"] == "undone"
    missing = sidecar("imports", "undo", "99")
    assert (missing.code, missing.error["code"]) == (1, "run_not_found")


def test_what_cannot_be_read_has_a_name(sidecar: Sidecar, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    for path in (picture, tmp_path / "none.zip"):
        outcome = sidecar("import", str(path))
        assert outcome.code == 3
        assert outcome.error["title"]
        assert frames(sidecar) == 0


def test_no_name_is_not_the_current_folder(sidecar: Sidecar, export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(export.parent)
    assert sidecar("import", "").error["code"] == "source_unreadable"
    assert sidecar("imports", "list").document == {"runs": []}


def test_one_source_that_fails_does_not_stop_the_other(sidecar: Sidecar, export: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    outcome = sidecar("import", str(picture), str(export))
    assert (outcome.code, outcome.document["new"]) == (3, 6)
    assert [bool(run.get("error")) for run in outcome.document["runs"]] == [True, False]


def test_an_empty_export_imports_nothing(sidecar: Sidecar, tmp_path: Path) -> None:
    empty = tmp_path / "conversations.json"
    empty.write_text("[]", encoding="utf-8")
    assert sidecar("import", "--source", "chatgpt", str(empty)).code in (1, 3)


def test_a_broken_conversation_does_not_stop_its_neighbours(sidecar: Sidecar, export: Path) -> None:
    items = json.loads(export.read_text(encoding="utf-8"))
    export.write_text(json.dumps([*items[:3], {"title": "no mapping"}, *items[3:]]), encoding="utf-8")
    report = sidecar("import", str(export)).document
    assert (report["found"], report["new"], adds_up(report)) == (7, 6, True)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are told differently there")
def test_ctrl_c_stops_and_keeps_what_is_in(sidecar: Sidecar, data_dir: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    write_export(large, seed=13, count=1_500)
    words = [sys.executable, "-m", "hivemind.sidecar", "--data-dir", str(data_dir), "--json", "import", str(large)]
    program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 60
    while not (data_dir / "minds" / "personal.mind").exists() or frames(sidecar) == 0:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    os.killpg(program.pid, signal.SIGINT)
    said, told = program.communicate(timeout=60)
    report = json.loads(said)
    assert (program.returncode, adds_up(report)) == (1, True)
    assert 0 < report["new"] < 1_500
    assert b"Traceback" not in told
    assert sidecar("imports", "list").document["runs"][0]["state"] == "cancelled"
    assert frames(sidecar) == report["frames"]["I"] + report["frames"]["P"]
