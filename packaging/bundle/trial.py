"""Tries a built bundle: its own self-test, the command line beside it, and what is inside. 0 when all is well.

`trial.py [BUNDLE] [--root DIR]`: with a root, which packaging/bare-root.sh makes, the bundle is copied into that bare
system and runs there, without a network, a Python or anything of this computer; that takes the rights of root.
Without, it runs where it lies, with an empty environment. Standard library only. One JSON document at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import parts

BUNDLE = parts.ROOT / "dist" / "hive-mind"
PATIENCE = 900
ROUNDS = 5
#: Nothing of these may be inside, whatever a hook or a library brings along.
_UNWANTED = re.compile(
    r"(^|/)(pip|setuptools|pytest|_pytest|hypothesis|mypy|ruff|sqlite3|tkinter|huggingface_hub|PyInstaller)(/|\.|-|$)|"
    r"_sqlite3|libreadline|libgdbm|libdb-|libsqlite3|Qt6?(Sql|Qml|Quick|WebEngine|Network)|/tests?/"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the bundle runs. `prefix` stands before each command; `programs` is the bundle as seen from there."""

    prefix: tuple[str, ...]
    programs: str
    data: str
    inside: Path

    def run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        command = [*self.prefix, f"{self.programs}/{program}", *words]
        environment = {
            "HOME": self.data,
            "HIVE_MIND_DATA_DIR": self.data,
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TMPDIR": self.data,
        }
        if sys.platform == "win32":
            environment |= {
                name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "USERPROFILE") if name in os.environ
            }
        return subprocess.run(  # noqa: S603
            command, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE, check=False
        )

    def ask(self, *words: str) -> dict[str, Any]:
        """The command line's answer as JSON. Raises SystemExit when it is none or says no."""
        done = self.run("hive-mind-sidecar", "--json", *words)
        if done.returncode != 0:
            raise SystemExit(f"hive-mind-sidecar {' '.join(words)} ended with {done.returncode}:\n{_said(done)}")
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


@contextmanager
def placed(bundle: Path, root: Path | None) -> Iterator[Place]:
    """The bundle where it shall run; what was copied is gone afterwards."""
    if root is None:
        with tempfile.TemporaryDirectory(prefix="hive-mind-trial-") as data:
            yield Place((), str(bundle), data, bundle)
        return
    python = list(Path(root, "usr", "bin").glob("python*"))
    if python:
        raise SystemExit(f"hive-mind: {root} is not bare: it holds {python[0].name}")
    home = Path(tempfile.mkdtemp(prefix="hive-mind-", dir=root / "opt"))
    try:
        shutil.copytree(bundle, home / "hive-mind", symlinks=True)
        (home / "data").mkdir()
        seen = "/" + home.relative_to(root).as_posix()
        prefix = ("unshare", "--net", "--mount", "--pid", "--fork", f"--root={root}", "--mount-proc")
        yield Place(prefix, f"{seen}/hive-mind", f"{seen}/data", home / "hive-mind")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def look_inside(bundle: Path) -> dict[str, Any]:
    """Sizes in MB, and what must or must not be there. Raises SystemExit."""
    files = [file for file in bundle.rglob("*") if file.is_file() and not file.is_symlink()]
    names = [file.relative_to(bundle).as_posix() for file in files]
    unwanted = [name for name in names if _UNWANTED.search(name)]
    if unwanted:
        raise SystemExit(f"hive-mind: the bundle holds what it must not: {', '.join(unwanted[:10])}")
    lacking = [name for name in ("THIRD-PARTY.txt", "LICENSE.txt") if not any(one.endswith(name) for one in names)]
    if lacking:
        raise SystemExit(f"hive-mind: the bundle lacks {', '.join(lacking)}")
    sizes: dict[str, int] = {}
    for file, name in zip(files, names, strict=True):
        part = name.removeprefix("_internal/").split("/")[0]
        sizes[part] = sizes.get(part, 0) + file.stat().st_size
    largest = sorted(sizes.items(), key=lambda one: -one[1])[:8]
    whole = sum(sizes.values())
    return {"files": len(files), "mb": _mb(whole), "largest_mb": {name: _mb(size) for name, size in largest}}


def self_test(place: Place) -> dict[str, Any]:
    """The window's own trial. Raises SystemExit with what it said."""
    began = time.perf_counter()
    done = place.run("hive-mind", "--selftest")
    taken = time.perf_counter() - began
    sys.stdout.write(done.stdout)
    if done.returncode != 0:
        raise SystemExit(f"hive-mind --selftest ended with {done.returncode}:\n{_said(done)}")
    if done.stderr.strip():
        raise SystemExit(f"hive-mind --selftest complained:\n{done.stderr}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if not (told["ok"] and told["frozen"]):
        raise SystemExit("hive-mind --selftest did not come from the bundle")
    (window,) = [step for step in told["steps"] if step["name"] == "window"]
    return {"seconds": round(taken, 2), "first_paint": window["first_paint"], "steps": len(told["steps"])}


def command_line(place: Place) -> dict[str, Any]:
    """doctor, import, a search and the report through the other program. Raises SystemExit."""
    report = place.ask("doctor")
    if not report["ok"] or not report["sqlite_vec_path"].startswith(f"{place.programs}/"):
        raise SystemExit(f"hive-mind: doctor is not content: {report}")
    place.ask("import", f"{place.programs}/_internal/resources/samples/chatgpt-sample.json")
    found = place.ask("search", "lemon tree")
    if not found["hits"]:
        raise SystemExit("hive-mind: the command line finds nothing in the sample")
    report = place.ask("report", "--out", f"{place.data}/report.pdf")
    return {
        "hits": len(found["hits"]),
        "pages": report["pages"],
        "doctor_seconds": _median(lambda: place.ask("doctor")),
    }


def _median(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return round(sorted(taken)[ROUNDS // 2], 3)


def _mb(size: int) -> float:
    return round(size / 1e6, 1)


def _said(done: subprocess.CompletedProcess[str]) -> str:
    return f"{done.stdout}{done.stderr}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path, nargs="?", default=BUNDLE)
    parser.add_argument("--root", type=Path, help="a bare system to run it in")
    options = parser.parse_args()
    if not options.bundle.is_dir():
        raise SystemExit(f"hive-mind: there is no bundle in {options.bundle}. Run make bundle first.")
    document: dict[str, Any] = {"bundle": str(options.bundle), "bare": options.root is not None}
    document["inside"] = look_inside(options.bundle)
    with placed(options.bundle.resolve(), options.root and options.root.resolve()) as place:
        document["selftest"] = self_test(place)
        document["command_line"] = command_line(place)
    sys.stdout.write(json.dumps(document) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
