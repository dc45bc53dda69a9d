"""What the benchmarks share: alternating rounds, measured child processes, one JSON document at the end."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def arguments(document: str | None) -> argparse.ArgumentParser:
    """A parser that knows `--json`."""
    parser = argparse.ArgumentParser(description=document)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def alternate(rounds: int, ways: dict[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Each way once per round, in turning order, so that a noisy machine is noisy for all of them."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            taken[name].append(ways[name]())
    return taken


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def median_ratio(slow: Sequence[float], fast: Sequence[float]) -> float:
    """The median over rounds of slow/fast: what disturbs a round disturbs both of its sides."""
    return statistics.median(a / b for a, b in zip(slow, fast, strict=True))


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0..1) of the values lie; nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def peak_memory() -> int:
    """Bytes this process ever held in memory. VmHWM, because ru_maxrss also remembers the parent's before exec."""
    try:
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    import resource  # not there on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def child(script: str, *words: str, timeout: float = 900) -> dict[str, Any]:
    """Run a benchmark script with words in a process of its own; it answers with one JSON document on stdout."""
    # Byte code is kept, as it is for everybody who starts the program twice.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**inherited, "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("core", "desktop", "."))}
    done = subprocess.run(
        [sys.executable, script, *words],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=environment,
    )
    if done.returncode:
        raise SystemExit(f"{Path(script).name} {' '.join(words)} ended with {done.returncode}:\n{done.stderr}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def tell(document: dict[str, Any], as_json: bool) -> None:
    """The result; ends with exit code 1 when a figure misses its goal, so that a script notices."""
    if as_json:
        print(json.dumps(document))
    else:
        for name, value in document.items():
            print(f"{name:28} {value:.3f}" if isinstance(value, float) else f"{name:28} {value}")
    if not document.get("met", True):
        raise SystemExit(1)
