"""Kills an import at a moment and lets it go on, until it is finished; then compares it with an uninterrupted one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.core.harvest.comparison import content_of
from tests.samples.chatgpt import conversation, many, write_json

from hivemind.mind import Mind

ROOT = Path(__file__).parents[3]


def export(folder: Path, count: int = 60) -> Path:
    """Small talks, a large one that needs several transactions, and texts in three scripts."""
    turns = [("user" if n % 2 == 0 else "assistant", f"turn {n}: die Fähre 渡轮 паром") for n in range(700)]
    rest = many(count, turns=6)
    return write_json(
        folder / "conversations.json", [*rest[: count // 2], conversation("big", turns), *rest[count // 2 :]]
    )


def start(mind: Path, source: Path, spool: Path) -> subprocess.Popen[str]:
    spool.mkdir(exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'core'}"}
    command = [sys.executable, "-m", "tests.core.harvest.comparison", str(mind), str(source), str(spool)]
    return subprocess.Popen(
        command, env=environment, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def uninterrupted(folder: Path, source: Path) -> tuple[dict[str, Any], float]:
    """The content of a mind that took the import in one go, and how long that took."""
    began = time.monotonic()
    with start(folder / "whole.mind", source, folder / "spool") as process:
        output, _ = process.communicate(timeout=120)
    assert "finished" in output, output
    return content(folder / "whole.mind"), time.monotonic() - began


def content(file: Path) -> dict[str, Any]:
    mind = Mind.open(file, "test")
    try:
        return mind.submit_read(content_of).result(60)
    finally:
        mind.close()


def killed_and_resumed(folder: Path, source: Path, after: float, victim: str) -> tuple[dict[str, Any], int]:
    """Kill `victim` (engine or child) `after` seconds, go on until finished. Returns the content and the attempts."""
    file = folder / "killed.mind"
    for old in folder.glob("killed.mind*"):
        old.unlink()
    for attempt in range(1, 6):
        with start(file, source, folder / "spool") as process:
            if attempt == 1:
                time.sleep(after)
                _kill(process, victim)
            output, _ = process.communicate(timeout=120)
        if "finished" in output:
            return content(file), attempt
        if process.returncode == 0 and attempt > 1 and not output.strip():
            return content(file), attempt
    raise AssertionError(f"never finished: {output}")


def _kill(process: subprocess.Popen[str], victim: str) -> None:
    if victim == "engine":
        process.kill()
        return
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(200):
        for child in children.read_text().split() if process.poll() is None else ():
            command = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"spawn_main" in command:
                os.kill(int(child), signal.SIGKILL)
                return
        time.sleep(0.01)


def moments(count: int, seconds: float, seed: int) -> list[tuple[float, str]]:
    """Uniformly random moments of an import, engine and child in turn."""
    rng = random.Random(seed)
    return [(rng.uniform(0, seconds), "engine" if n % 2 == 0 else "child") for n in range(count)]
