"""Errors and help: one JSON document and an exit code, whatever goes wrong; never a traceback with --json."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core.sidecar.conftest import Sidecar
from tests.source_tree import ROOT

from hivemind import errors
from hivemind.engine import Engine
from hivemind.sidecar.answers import ExitCode, code_of, refusal
from hivemind.sidecar.app import app
from hivemind.sidecar.calls import Place
from hivemind.sidecar.door import NAME, run

USAGE = [
    (),
    ("nonsense",),
    ("frames",),
    ("search",),
    ("search", "--limit", "0", "x"),
    ("search", "--limit", "many", "x"),
    ("search", "--profile", "newest", "x"),
    ("save", "x", "--importance", "vital"),
    ("frames", "show", "first"),
    ("frames", "show", str(2**64)),
    ("doctor", "now"),
    ("maintain",),
    ("import",),
    ("export", "somewhere"),
    ("export", "somewhere", "--format", "pdf"),
]


@pytest.mark.parametrize("words", USAGE, ids=" ".join)
def test_wrong_use_is_told_in_json(sidecar: Sidecar, words: tuple[str, ...]) -> None:
    outcome = sidecar(*words)
    assert outcome.code == ExitCode.WRONG_USE
    assert outcome.error["code"] == "usage"
    assert NAME in outcome.error["hint"]
    assert outcome.err == ""


def test_wrong_use_is_told_to_a_person(sidecar: Sidecar) -> None:
    outcome = sidecar("serch", "x", plain=True)
    assert (outcome.code, outcome.out) == (ExitCode.WRONG_USE, "")
    assert "serch" in outcome.err
    assert "Traceback" not in outcome.err


def test_json_after_the_command_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--json"]) == ExitCode.WRONG_USE
    assert "before the command" in json.loads(capsys.readouterr().out)["error"]["hint"]


def test_help_is_one_document_too(sidecar: Sidecar) -> None:
    outcome = sidecar("--help")
    assert outcome.code == 0
    for command in ("doctor", "import", "imports", "search", "save", "frames", "sessions", "backup", "export"):
        assert command in outcome.document["help"]
    plain = sidecar("search", "--help", plain=True)
    assert plain.code == 0
    assert "--explain" in plain.out


def test_a_fault_of_ours_shows_no_traceback_with_json(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: Engine) -> None:
        raise RuntimeError("dear diary")

    monkeypatch.setattr(Engine, "open", broken)
    outcome = sidecar("doctor")
    assert outcome.code == ExitCode.FAULT
    assert outcome.error["code"] == "internal"
    assert "Traceback" not in outcome.out + outcome.err
    assert "dear diary" not in outcome.out + outcome.err
    assert "Traceback" in sidecar("doctor", plain=True).err


def test_the_worlds_faults_have_names(sidecar: Sidecar, data_dir: Path) -> None:
    data_dir.write_text("a file where the folder should be", encoding="utf-8")
    outcome = sidecar("doctor")
    assert outcome.code == ExitCode.CANNOT
    assert outcome.error["code"] == "read_only"


def test_a_newer_mind_is_left_alone(sidecar: Sidecar, data_dir: Path) -> None:
    minds = data_dir / "minds"
    minds.mkdir(parents=True)
    (minds / "personal.mind").write_bytes(b"not a mind at all" * 100)
    outcome = sidecar("search", "x")
    assert (outcome.code, outcome.error["code"]) == (ExitCode.CANNOT, "not_a_mind")
    assert (minds / "personal.mind").read_bytes() == b"not a mind at all" * 100


def test_unknown_workspaces(sidecar: Sidecar) -> None:
    assert sidecar("search", "x", workspace="nobody").error["code"] == "workspace_not_found"
    for hostile in ("../outside", "CON", "a/b", "a\x1b[2J"):
        outcome = sidecar("search", "x", workspace=hostile)
        assert (outcome.code, outcome.error["code"]) == (ExitCode.WRONG_USE, "invalid_name")


def test_text_that_is_no_unicode(sidecar: Sidecar) -> None:
    """What a shell hands over as bytes that are not UTF-8 arrives as lone surrogates."""
    assert sidecar("search", "caf\udce9").code in (ExitCode.DONE, ExitCode.NO)
    assert sidecar("sessions", "show", "caf\udce9").code in (ExitCode.NO, ExitCode.WRONG_USE)
    saved = sidecar("save", "caf\udce9 in Paris").document
    assert "\ufffd" in sidecar("frames", "show", str(saved["frame_id"])).document["frame"]["content"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.FrameNotFound(), 1),
        (errors.NothingToImport(), 1),
        (errors.Cancelled(), 1),
        (errors.InvalidDate(), 2),
        (errors.NotAllowed(), 2),
        (errors.WorkspaceNotFound(), 2),
        (errors.SourceUnreadable(), 3),
        (errors.MindNewer(), 3),
        (errors.DiskFull(), 3),
        (errors.RecorderFault(), 3),
        (errors.InternalFault(details="here"), 4),
    ],
)
def test_exit_codes(error: errors.HiveMindError, code: int) -> None:
    assert code_of(error) == code
    answer = refusal(error)
    assert answer.document == {"error": {"code": error.code, "title": error.title, "hint": error.hint}}
    assert ("Details: here" in answer.notes) is (code == 4)


def test_every_command_answers_help(sidecar: Sidecar) -> None:
    assert app.info.name == NAME
    assert Place().workspace == "personal"
    groups = {"imports": ("list", "undo"), "frames": ("show", "history", "list"), "maintain": ("reindex", "embed")}
    for group, commands in groups.items():
        for command in commands:
            assert group in sidecar(group, command, "--help").document["help"]


def test_the_readme_names_commands_that_exist(sidecar: Sidecar) -> None:
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## Command line", 1)[1].split("\n## ", 1)[0]
    lines = re.findall(rf"^{NAME} (.+?)(?:  +#.*)?$", section, flags=re.MULTILINE)
    assert len(lines) > 10
    for line in lines:
        # Whatever follows it, `--help` is answered only where command and options before it were understood.
        assert "help" in sidecar(*shlex.split(line), "--help").document, line


def program(*words: str, data_dir: Path) -> list[str]:
    return [sys.executable, "-m", "hivemind.sidecar", "--data-dir", str(data_dir), *words]


def test_as_a_program(data_dir: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    words = program("--json", "save", "Straße in Београд, 用户", data_dir=data_dir)
    saved = subprocess.run(words, capture_output=True, env=environment, timeout=60, check=False)
    assert (saved.returncode, saved.stderr) == (0, b"")
    words = program("--json", "search", "straße", data_dir=data_dir)
    found = subprocess.run(words, capture_output=True, env=environment, timeout=60, check=False)
    assert json.loads(found.stdout.decode("utf-8"))["hits"][0]["content"] == "Straße in Београд, 用户"


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is told differently there")
def test_a_reader_that_goes_away_is_no_fault(data_dir: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = program("--json", "doctor", data_dir=data_dir)
    done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
