"""Wiring: one window per data folder, a clear word for the second, the command line, the offscreen errand."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.errors import HiveMindError
from hivemind_desktop.application import AlreadyRunning, Application, application, take_folder

ROOT = Path(__file__).resolve().parents[2]


def test_a_second_window_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        with pytest.raises(AlreadyRunning) as told:
            Application(tmp_path, asyncio.get_running_loop())
        assert isinstance(told.value, HiveMindError)
        assert "already open" in told.value.title
        assert told.value.hint

    drive(tmp_path, walk)
    lock = take_folder(tmp_path)  # and free again afterwards
    assert isinstance(lock, QLockFile)
    lock.unlock()


def test_a_folder_that_cannot_be_locked_still_gets_its_window(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("in the way")
    assert take_folder(place) is None


def test_the_application_is_made_once() -> None:
    assert application() is application()
    assert not application().quitOnLastWindowClosed()


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=150, check=False
    )


def test_help_comes_without_a_window(tmp_path: Path) -> None:
    done = run("-m", "hivemind_desktop", "--help", cwd=ROOT)
    assert done.returncode == 0
    assert "--data-dir" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a console sends other signals there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_close_the_window_in_good_order(tmp_path: Path, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "hivemind_desktop", "--data-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stderr=subprocess.PIPE,
        text=True,
    )
    mind = tmp_path / "minds" / "personal.mind"
    end = time.monotonic() + 60
    while not mind.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert mind.exists()
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert "Traceback" not in said
    assert not mind.with_name("personal.mind-wal").exists(), "the mind was closed"
