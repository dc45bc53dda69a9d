"""`backup`, `restore`, `export`, `maintain`: copies that can be trusted, and a phrase before what changes much."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core.sidecar.conftest import Sidecar

from hivemind.errors import Cancelled, NotAllowed
from hivemind.sidecar import output
from hivemind.sidecar.phrases import require_phrase
from hivemind.sidecar.safety_commands import maintain

POSTGRES = "We agreed on Postgres for the new service."
MANIFEST = {"path", "bytes", "sha256", "frames", "sessions", "messages", "schema", "made_at", "files"}


@pytest.fixture
def backup(sidecar: Sidecar, tmp_path: Path) -> Path:
    """A backup with one frame of a mind that then gets a second one."""
    sidecar("save", POSTGRES)
    file = tmp_path / "my.backup"
    outcome = sidecar("backup", str(file))
    assert outcome.code == 0
    assert set(outcome.document) == MANIFEST
    sidecar("save", "Bob takes the migration.")
    return file


def test_a_backup_is_never_overwritten(sidecar: Sidecar, backup: Path) -> None:
    before = backup.read_bytes()
    outcome = sidecar("backup", str(backup))
    assert (outcome.code, outcome.error["code"]) == (3, "file_in_the_way")
    assert backup.read_bytes() == before


def test_restore_shows_a_preview(sidecar: Sidecar, backup: Path) -> None:
    preview = sidecar("restore", "--preview", str(backup)).document
    assert (preview["backup"]["frames"], preview["frames_now"]) == (1, 2)
    assert "In the backup: 1 frames" in sidecar("restore", "--preview", str(backup), plain=True).out
    assert len(sidecar("frames", "list").document["frames"]) == 2


def test_restore_without_a_terminal_is_refused(sidecar: Sidecar, backup: Path) -> None:
    outcome = sidecar("restore", str(backup))
    assert (outcome.code, outcome.error["code"]) == (2, "not_allowed")
    assert "restore personal" in outcome.error["hint"]
    assert len(sidecar("frames", "list").document["frames"]) == 2


def test_restore_of_what_is_no_backup(sidecar: Sidecar, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear reader", encoding="utf-8")
    outcome = sidecar("restore", "--preview", str(letter))
    assert (outcome.code, outcome.error["code"]) == (3, "not_a_mind")
    assert sidecar("restore", "--preview", str(tmp_path / "none")).error["code"] == "mind_missing"


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
@pytest.mark.parametrize(("typed", "code", "frames"), [("restore personal", 0, 1), ("yes", 1, 2), ("", 1, 2)])
def test_restore_at_a_terminal(
    sidecar: Sidecar, backup: Path, data_dir: Path, typed: str, code: int, frames: int
) -> None:
    controlling, terminal = os.openpty()
    words = [sys.executable, "-m", "hivemind.sidecar", "--data-dir", str(data_dir), "--json", "restore", str(backup)]
    program = subprocess.Popen(words, stdin=terminal, stderr=terminal, stdout=subprocess.PIPE)
    os.close(terminal)
    os.write(controlling, f"{typed}\n".encode())
    said, _ = program.communicate(timeout=60)
    os.close(controlling)
    assert program.returncode == code
    assert ("error" in json.loads(said)) is (code != 0)
    assert len(sidecar("frames", "list").document["frames"]) == frames


def test_a_phrase_must_be_typed_exactly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NotAllowed):
        require_phrase("go on", "Everything changes.")
    monkeypatch.setattr(output, "at_terminal", lambda: True)
    monkeypatch.setattr(output, "asked", lambda question: "go on")
    require_phrase("go on", "Everything changes.")
    assert "Everything changes." in capsys.readouterr().err
    monkeypatch.setattr(output, "asked", lambda question: "Go on")
    with pytest.raises(Cancelled):
        require_phrase("go on", "Everything changes.")


def test_export_to_open_files(sidecar: Sidecar, tmp_path: Path) -> None:
    sidecar("save", POSTGRES)
    made = sidecar("export", str(tmp_path / "lines"), "--format", "jsonl")
    assert made.code == 0
    assert set(made.document) == MANIFEST
    (line,) = (tmp_path / "lines" / "frames.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["content"] == POSTGRES
    assert sidecar("export", str(tmp_path / "pages"), "--format", "markdown").code == 0
    assert any(POSTGRES in page.read_text(encoding="utf-8") for page in (tmp_path / "pages").glob("*.md"))
    again = sidecar("export", str(tmp_path / "lines"), "--format", "jsonl")
    assert (again.code, again.error["code"]) == (3, "file_in_the_way")


def test_export_where_nothing_can_be_written(sidecar: Sidecar, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    outcome = sidecar("export", str(tmp_path / "file" / "below"), "--format", "jsonl")
    assert outcome.code == 3
    assert "Traceback" not in outcome.err


def test_reindex_counts(sidecar: Sidecar) -> None:
    sidecar("save", POSTGRES)
    plan = sidecar("maintain", "reindex", "--dry-run")
    assert (plan.code, plan.document) == (0, {"frames": 1, "changed": 0})
    assert sidecar("maintain", "reindex").document == {"frames": 1, "changed": 0}
    assert "1 frames looked at" in sidecar("maintain", "reindex", plain=True).out
    assert sidecar("search", "postgres").code == 0
    assert maintain.info.help


@pytest.mark.timeout(120)
def test_vectors_are_made_on_demand_and_told(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch, search_model: Path
) -> None:
    sidecar("save", "The ferry to the island leaves at noon.")
    sidecar("save", "My cat sleeps on the sofa.")
    refused = sidecar("maintain", "embed")
    assert refused.code == 3
    assert refused.error["code"] == "embedder_off"
    monkeypatch.setenv("HIVE_MIND_EMBEDDER_DIR", str(search_model))
    plan = sidecar("maintain", "embed", "--dry-run").document
    assert (plan["frames"], plan["embedded"], plan["pending"]) == (2, 0, 2)
    made = sidecar("maintain", "embed")
    assert made.code == 0
    assert made.document == {
        "frames": 2, "embedded": 2, "pending": 0, "failed": 0, "model": "all-MiniLM-L6-v2", "state": "idle",
        "reason": "",
    }  # fmt: skip
    found = sidecar("search", "when does the boat depart").document
    assert (found["mode"], found["hits"][0]["content"]) == ("hybrid", "The ferry to the island leaves at noon.")
    assert "2 of 2 memories have vectors by all-MiniLM-L6-v2" in sidecar("maintain", "embed", "--anew", plain=True).out
    (mind,) = sidecar("doctor").document["minds"]
    assert (mind["vectors"], mind["pending_vectors"]) == (2, 0)
