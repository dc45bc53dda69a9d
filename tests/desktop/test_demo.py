"""The offscreen errand of `make run`: it leaves pictures and a mind, or says what it waited for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.desktop.window_driver import WindowDriver, drive

from hivemind_desktop import demo

ROOT = Path(__file__).resolve().parents[2]


def test_the_offscreen_errand_leaves_pictures_and_a_mind(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = subprocess.run(
        [sys.executable, "-m", "hivemind_desktop.demo", "--out", str(out)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(file.name for file in out.glob("*.png")) == [
        "1-home.png",
        "2-preview.png",
        "3-import.png",
        "4-search.png",
        "5-conversation.png",
    ]
    assert f"searched for “{demo.QUERY}”" in done.stdout
    (mind,) = out.glob("mind-*/minds/personal.mind")
    assert str(mind) in done.stdout


def test_an_errand_that_gets_nowhere_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "PATIENCE", 0.05)

    async def walk(driver: WindowDriver) -> None:
        with pytest.raises(TimeoutError, match="the moon"):
            await demo.Errand(driver.app, tmp_path)._until("the moon", lambda: False)

    drive(tmp_path / "data", walk)
