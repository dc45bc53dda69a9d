"""packaging/environment.sh: checks hashes, does nothing the second time, and says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.source_tree import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell script")

#: Stands for the Python in .venv: answers the version question and writes down what it was asked to install.
FAKE_PYTHON = """#!/bin/sh
case "$1" in -c) exit 0 ;; esac
echo "$*" >> "$CALLS"
[ ! -e "$CALLS.fail" ]
"""


class Checkout:
    """A tree with the script, two locks and a .venv whose Python only takes notes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.calls_file = root / "calls"
        self.tools = root / "tools"
        self.tools.mkdir()
        (root / "packaging").mkdir()
        shutil.copy(ROOT / "packaging" / "environment.sh", root / "packaging")
        for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml"):
            (root / name).write_text("one\n", encoding="utf-8")
        self.program(root / ".venv" / "bin" / "python", FAKE_PYTHON)
        self.program(root / ".venv" / "bin" / "pip", "#!/bin/sh\n")

    def program(self, place: Path, text: str) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        place.chmod(0o755)

    def run(self, wanted: str) -> subprocess.CompletedProcess[str]:
        path = f"{self.tools}{os.pathsep}{os.environ['PATH']}"
        keep = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
        return subprocess.run(
            ["/bin/sh", str(self.root / "packaging" / "environment.sh"), wanted],
            env=keep | {"PATH": path, "CALLS": str(self.calls_file), "PYTHON": sys.executable},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    @property
    def calls(self) -> list[str]:
        return self.calls_file.read_text(encoding="utf-8").splitlines() if self.calls_file.exists() else []

    @property
    def stamps(self) -> list[str]:
        return sorted(path.name.split("-")[1] for path in (self.root / ".venv").glob(".installed-*"))


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_installs_from_the_lock_with_hashes_and_itself_without_a_network(checkout: Checkout) -> None:
    assert checkout.run("run").returncode == 0
    locked, itself = checkout.calls
    assert "--require-hashes" in locked
    assert "--only-binary :all:" in locked
    assert locked.endswith("/requirements.lock")
    assert "--no-index --no-deps --no-build-isolation" in itself
    assert checkout.stamps == ["run"]


def test_the_second_run_does_nothing(checkout: Checkout) -> None:
    checkout.run("run")
    before = checkout.calls
    assert checkout.run("run").returncode == 0
    assert checkout.calls == before


@pytest.mark.parametrize("changed", ["requirements.lock", "requirements-dev.lock", "pyproject.toml"])
def test_a_changed_lock_is_installed_anew(checkout: Checkout, changed: str) -> None:
    checkout.run("run")
    (checkout.root / changed).write_text("two\n", encoding="utf-8")
    checkout.run("run")
    assert len(checkout.calls) == 4
    assert checkout.stamps == ["run"]


def test_development_covers_running_but_not_the_other_way(checkout: Checkout) -> None:
    checkout.run("run")
    checkout.run("dev")
    assert len(checkout.calls) == 4
    checkout.run("run")
    assert len(checkout.calls) == 4
    assert checkout.stamps == ["dev"]


def test_a_failed_install_leaves_no_stamp(checkout: Checkout) -> None:
    checkout.run("run")
    (checkout.root / "requirements.lock").write_text("two\n", encoding="utf-8")
    Path(f"{checkout.calls_file}.fail").touch()
    assert checkout.run("run").returncode != 0
    assert checkout.stamps == []


def test_without_rights_it_prints_the_one_line_to_run(checkout: Checkout) -> None:
    checkout.program(checkout.tools / "id", "#!/bin/sh\necho 1000\n")
    checkout.program(checkout.tools / "ldconfig", "#!/bin/sh\n")
    checkout.program(checkout.tools / "apt-get", "#!/bin/sh\nexit 9\n")
    done = checkout.run("run")
    assert done.returncode == 1
    (line,) = [line.strip() for line in done.stderr.splitlines() if "apt-get" in line]
    assert line.startswith("sudo apt-get install --no-install-recommends ")
    assert "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0" in line
    assert checkout.calls == []


def test_an_unknown_wish_is_wrong_use(checkout: Checkout) -> None:
    assert checkout.run("everything").returncode == 2


@pytest.mark.parametrize(
    ("variables", "module"),
    [
        ([], "hivemind_desktop.demo"),
        (["DISPLAY=:0"], "hivemind_desktop"),
        (["WAYLAND_DISPLAY=wayland-0"], "hivemind_desktop"),
    ],
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_make_run_goes_offscreen_only_without_a_display(variables: list[str], module: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "run", "DISPLAY=", "WAYLAND_DISPLAY=", *variables],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    started = [line for line in done.stdout.splitlines() if "-m hivemind_desktop" in line]
    assert [line.split(" -m ")[1] for line in started] == [module]
    assert ("QT_QPA_PLATFORM=offscreen" in started[0]) is module.endswith(".demo")
