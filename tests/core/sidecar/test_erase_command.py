"""`erase` on the command line: refused without a person, shown before, a receipt after."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core.sidecar.conftest import Sidecar

SECRET = "Quittengelee-0815"


def test_without_a_terminal_it_is_refused_and_nothing_is_gone(sidecar: Sidecar) -> None:
    sidecar("save", f"I like {SECRET}")
    outcome = sidecar("erase", "--text", SECRET, "--reason", "request")
    assert (outcome.code, outcome.error["code"]) == (2, "not_allowed")
    assert len(sidecar("frames", "list").document["frames"]) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--reason", "request"),
        ("--text", SECRET),
        ("--text", SECRET, "--reason", "because"),
        ("--text", SECRET, "--frame", "1", "--reason", "request"),
        ("--text", "ab", "--reason", "request", "--preview"),
        ("--text", SECRET, "--backups", "keep", "--reason", "request"),
    ],
)
def test_wrong_use(sidecar: Sidecar, words: tuple[str, ...]) -> None:
    outcome = sidecar("erase", *words)
    assert outcome.code == 2 and outcome.error["title"]


def test_a_preview_shows_counts_and_changes_nothing(sidecar: Sidecar) -> None:
    frame = sidecar("save", f"I like {SECRET}").document["frame_id"]
    seen = sidecar("erase", "--frame", str(frame), "--reason", "mistake", "--preview").document
    assert (seen["memories"], seen["counts"]["frames"], seen["backups"]) == (1, 1, [])
    assert "disk" in [copy["kind"] for copy in seen["outside"]]
    assert "1 memories" in sidecar("erase", "--text", SECRET, "--reason", "other", "--preview", plain=True).out
    assert sidecar("erase", "--text", "nobody said this", "--reason", "other", "--preview").code == 1
    assert sidecar("erase", "--frame", "99", "--reason", "other", "--preview").code == 1
    assert len(sidecar("frames", "list").document["frames"]) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
@pytest.mark.parametrize(("typed", "code", "left"), [("erase personal", 0, 1), ("yes", 1, 2)])
def test_at_a_terminal(sidecar: Sidecar, data_dir: Path, typed: str, code: int, left: int) -> None:
    sidecar("save", f"I like {SECRET}")
    sidecar("save", "I like lemons")
    controlling, terminal = os.openpty()
    erase = ["erase", "--text", SECRET.lower(), "--reason", "request", "--request", "case-7"]
    words = [sys.executable, "-m", "hivemind.sidecar", "--data-dir", str(data_dir), "--json", *erase]
    program = subprocess.Popen(words, stdin=terminal, stderr=terminal, stdout=subprocess.PIPE)
    os.close(terminal)
    os.write(controlling, f"{typed}\n".encode())
    said, _ = program.communicate(timeout=60)
    os.close(controlling)
    assert program.returncode == code
    told = json.loads(said)
    assert len(sidecar("frames", "list").document["frames"]) == left
    if code == 0:
        assert (told["state"], told["reason"], told["residue_total"], told["erased"]["frames"]) == (
            "erased",
            "request",
            0,
            1,
        )
        assert SECRET.casefold() not in said.decode().casefold()
        files = [file for file in data_dir.rglob("*") if file.is_file()]
        assert [file for file in files if SECRET.encode() in file.read_bytes()] == []
