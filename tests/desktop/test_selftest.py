"""`hive-mind --selftest`: all steps in a process of its own, its report, and the step that a missing part fails."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from hivemind_desktop.selftest import StepFailed, _settled
from hivemind_desktop.widgets.states import StateStack

STEPS = ["window", "pages", "vectors", "model", "services", "import", "words", "meaning", "report"]


def tried(report: Path, **environment: str) -> tuple[int, dict[str, Any], list[str]]:
    """Exit code, the report and the lines on the terminal."""
    before = {name: value for name, value in os.environ.items() if name != "HIVE_MIND_EMBEDDER_DIR"}
    done = subprocess.run(
        [sys.executable, "-m", "hivemind_desktop", "--selftest", "--report", str(report)],
        env={**before, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    lines = done.stdout.splitlines()
    assert lines, done.stderr
    told: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    assert json.loads(lines[-1]) == told
    return done.returncode, told, lines[:-1]


@pytest.mark.timeout(600)
def test_every_step_goes_well_here(tmp_path: Path, search_model: Path) -> None:
    data = tmp_path / "data"
    code, told, lines = tried(tmp_path / "report.json", HIVE_MIND_DATA_DIR=str(data))
    assert (code, told["ok"], told["frozen"]) == (0, True, False), lines
    assert [step["name"] for step in told["steps"]] == STEPS
    assert [line.split()[:2] for line in lines] == [["ok", f"{name}:"] for name in STEPS]
    assert told["steps"][5]["messages"] > 0
    assert not data.exists(), "a trial must not touch the data of whoever runs it"


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("step", "environment"),
    [
        ("vectors", {"WAGGLE_SQLITE_VEC_PATH": "/nowhere/vec0.so"}),
        ("model", {"HIVE_MIND_EMBEDDER_DIR": "/nowhere"}),
    ],
)
def test_a_missing_part_fails_its_own_step_and_the_trial(
    step: str, environment: dict[str, str], tmp_path: Path
) -> None:
    code, told, lines = tried(tmp_path / "report.json", **environment)
    assert (code, told["ok"]) == (1, False)
    assert [one["name"] for one in told["steps"]] == STEPS[: STEPS.index(step) + 1]
    assert lines[-1].startswith(f"FAIL {step}: ")
    assert "/nowhere" in lines[-1]


def test_a_page_that_fails_is_told_with_the_fault_behind_it(qtbot: QtBot) -> None:
    """What a person reads there says nothing about a module that was left out."""
    stack = StateStack(QLabel("data"))
    qtbot.addWidget(stack)
    stack.show_error("Hive-Mind made a mistake", "Restart.", None, "ModuleNotFoundError\nsections.py:54 open")
    with pytest.raises(
        StepFailed, match=r"^Settings says: .*mistake.* \| ModuleNotFoundError \| sections\.py:54 open$"
    ):
        asyncio.run(_settled("Settings", stack))
    stack.show_data()
    asyncio.run(_settled("Settings", stack))
