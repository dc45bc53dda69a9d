"""The architecture as tests: import contracts and house rules hold here, and a planted violation is seen by each."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests import house_rules
from tests.house_rules import Rule
from tests.source_tree import CORE, DESKTOP, ROOT, sources

#: Modules over 300 lines that were looked at twice, and why they stay one piece.
LOOKED_AT_TWICE: dict[str, str] = {
    f"{CORE}/harvest/importer.py": "the life of one run: every step reads and changes the same state",
    f"{CORE}/readers/json_stream.py": "one reader over one sliding window; its halves would share all their state",
}
LOOK_TWICE_AT = 300

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {one["id"]: one for one in PROJECT["tool"]["importlinter"]["contracts"]}

#: Rule, the file to plant, its text. Every rule has at least one.
PLANTED: list[tuple[Rule, str, str]] = [
    (house_rules.qt_in_the_engine, f"{CORE}/mind/planted.py", "from PySide6.QtCore import QObject\n"),
    (house_rules.qt_in_the_engine, f"{CORE}/mind/planted.py", "def late():\n    import qasync\n"),
    (house_rules.other_sqlite, f"{CORE}/storage/planted.py", "import sqlite3\n"),
    (house_rules.other_sqlite, f"{CORE}/storage/planted.py", "import importlib\nimportlib.import_module('sqlite3')\n"),
    (house_rules.other_sqlite, f"{DESKTOP}/planted.py", "from PySide6 import QtSql\n"),
    (house_rules.other_sqlite, "tests/core/test_planted.py", "from sqlite3 import connect\n"),
    *(
        (house_rules.network_outside_net, f"{CORE}/harvest/planted.py", f"import {name}\n")
        for name in sorted(house_rules.NETWORK)
    ),
    (house_rules.network_outside_net, f"{CORE}/llm/planted.py", "from urllib import request\n"),
    (house_rules.network_outside_net, f"{DESKTOP}/planted.py", "from PySide6.QtNetwork import QLocalServer\n"),
    (
        house_rules.network_outside_net,
        f"{CORE}/engine/planted.py",
        "import asyncio\nasync def go():\n    await asyncio.open_connection('a', 1)\n",
    ),
    (house_rules.printing_in_the_engine, f"{CORE}/mind/planted.py", "print('found it')\n"),
    (house_rules.printing_in_the_engine, f"{CORE}/sidecar/planted.py", "import sys\nsys.stdout.write('x')\n"),
    (house_rules.modules_too_long, f"{CORE}/mind/planted.py", '"""Long."""\n' + "x = 1\n" * 400),
    (house_rules.modules_without_docstring, f"{CORE}/mind/planted.py", "x = 1\n"),
    (house_rules.names_of_no_meaning, f"{CORE}/mind/planted.py", "class FrameManager:\n    pass\n"),
    (house_rules.names_of_no_meaning, f"{CORE}/mind/planted.py", "class FrameModel:\n    pass\n"),
    (house_rules.names_of_no_meaning, f"{CORE}/mind/utils.py", "x = 1\n"),
    (house_rules.engine_outside_its_doors, f"{DESKTOP}/home/planted.py", "from hivemind.engine import Engine\n"),
    (house_rules.engine_outside_its_doors, f"{DESKTOP}/home/planted.py", "import hivemind.engine as e\ne.Engine()\n"),
    (house_rules.sql_in_the_desktop, f"{DESKTOP}/home/planted.py", "q = 'select id from memory_frames'\n"),
    (house_rules.sql_in_the_desktop, f"{DESKTOP}/home/planted.py", "import apsw\n"),
    (house_rules.possessive_groups, f"{CORE}/readers/planted.py", "import re\nre.compile(r'(?:a+b)*+')\n"),
    (house_rules.packaging_is_a_package, "packaging/__init__.py", ""),
    (house_rules.modules_without_tests, f"{CORE}/mind/planted.py", "def decide():\n    return 1\n"),
    (house_rules.modules_without_tests, f"{DESKTOP}/home/planted.py", "class A:\n    def b(self):\n        return 1\n"),
    (house_rules.tests_that_cover_nothing, "tests/core/mind/test_x.py", '"""Words.\n\nCovers: gone, missing.\n"""\n'),
    (house_rules.front_door_from_inside, f"{CORE}/engine/planted.py", "from hivemind import open_mind\n"),
    (house_rules.tests_without_room, "tests/core/moved_away/test_planted.py", "x = 1\n"),
]

#: Contract id, the file to plant, its text.
PLANTED_IMPORTS = [
    ("floors", f"{CORE}/storage/planted.py", "import hivemind.engine\n"),
    ("floors", f"{CORE}/search/planted.py", "def late():\n    from hivemind import workspaces\n"),
    ("floors", f"{CORE}/attic/__init__.py", "x = 1\n"),
    ("no-qt", f"{CORE}/engine/planted.py", "import hivemind_desktop.widgets\n"),
    ("desktop-doors", f"{DESKTOP}/home/planted.py", "from hivemind.mind import FrameStore\n"),
    ("desktop-doors", f"{DESKTOP}/home/planted.py", "from hivemind import open_mind\n"),
    ("desktop-floors", f"{DESKTOP}/home/planted.py", "import hivemind_desktop.memories\n"),
    ("desktop-floors", f"{DESKTOP}/theme/planted.py", "import hivemind_desktop.widgets\n"),
]


def rule_name(rule: Rule) -> str:
    return rule.__name__


@pytest.mark.parametrize("rule", dict.fromkeys(rule for rule, _, _ in PLANTED), ids=rule_name)
def test_rule_of_the_house_holds(rule: Rule) -> None:
    assert rule(ROOT) == []


@pytest.mark.parametrize(("rule", "path", "text"), PLANTED)
def test_rule_of_the_house_sees_a_planted_violation(rule: Rule, path: str, text: str, tmp_path: Path) -> None:
    place = tmp_path / path
    place.parent.mkdir(parents=True)
    place.write_text(text, encoding="utf-8")
    assert any(found.startswith(path) for found in rule(tmp_path))


def test_every_rule_is_planted_against() -> None:
    public = {
        value
        for name, value in vars(house_rules).items()
        if callable(value) and getattr(value, "__module__", "") == house_rules.__name__ and not name.startswith("_")
    }
    assert public == {rule for rule, _, _ in PLANTED}


def test_net_itself_may_reach_out(tmp_path: Path) -> None:
    place = tmp_path / CORE / "net" / "client.py"
    place.parent.mkdir(parents=True)
    place.write_text("import socket\n", encoding="utf-8")
    assert house_rules.network_outside_net(tmp_path) == []


@pytest.mark.parametrize(
    ("test", "text"),
    [
        ("mind/test_frames.py", '"""Frames."""\n'),
        ("mind/test_whole.py", "import hivemind.mind.frames\n"),
        ("mind/test_whole.py", "from hivemind.mind import frames\n"),
        ("mind/test_whole.py", "from hivemind.mind import FrameStore\n"),
        ("mind/test_whole.py", '"""The whole mind.\n\nCovers: sessions,\nframes.\n"""\n'),
        ("test_mind.py", "from hivemind.mind.frames import FrameStore\n"),
    ],
)
def test_ways_to_cover_a_module(test: str, text: str, tmp_path: Path) -> None:
    for path, content in {
        f"{CORE}/mind/frames.py": "class FrameStore:\n    def add(self):\n        return 1\n",
        f"tests/core/{test}": text,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    assert house_rules.modules_without_tests(tmp_path) == []


@pytest.mark.parametrize("text", ["import hivemind.mind\n", "from hivemind.mind import Mind\n", '"""Covers: mind"""\n'])
def test_ways_that_do_not_cover_a_module(text: str, tmp_path: Path) -> None:
    for path, content in {
        f"{CORE}/mind/frames.py": "class FrameStore:\n    def add(self):\n        return 1\n",
        "tests/core/mind/test_whole.py": text,
        "tests/core/search/test_other.py": "import hivemind.mind.frames\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    assert house_rules.modules_without_tests(tmp_path) == [f"{CORE}/mind/frames.py"]


def test_long_modules_were_looked_at_twice() -> None:
    long = {one.path for one in sources(ROOT, CORE, DESKTOP) if one.lines > LOOK_TWICE_AT}
    assert long <= set(LOOKED_AT_TWICE)
    assert [path for path in LOOKED_AT_TWICE if not (ROOT / path).is_file()] == []


def test_import_contracts_hold() -> None:
    kept, output = lint_imports(ROOT)
    assert kept, output


@pytest.mark.parametrize(("contract", "path", "text"), PLANTED_IMPORTS)
def test_import_contracts_see_a_planted_violation(contract: str, path: str, text: str, tmp_path: Path) -> None:
    copy_tree(tmp_path)
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text, encoding="utf-8")
    kept, output = lint_imports(tmp_path, contract)
    assert not kept
    assert f"{CONTRACTS[contract]['name']} BROKEN" in output, output
    assert Path(path).parts[2] in output.split("Broken contracts", 1)[1]


def test_the_desktop_contract_names_exactly_the_allowed_rooms() -> None:
    allowed = {
        line.split(" -> hivemind.")[1].removesuffix(".**") for line in CONTRACTS["desktop-doors"]["ignore_imports"]
    }
    assert allowed == {"engine", "domain", "events", "errors", "settings", "paths"}


def test_every_floor_plan_is_exhaustive() -> None:
    plans = [one for one in CONTRACTS.values() if one["type"] == "layers"]
    assert [one["containers"] for one in plans] == [["hivemind"], ["hivemind_desktop"]]
    assert all(one["exhaustive"] is True for one in plans)
    assert [one.get("ignore_imports", []) for one in plans] == [["hivemind -> hivemind.library"], []]


def test_ruff_keeps_the_engine_quiet() -> None:
    lint = PROJECT["tool"]["ruff"]["lint"]
    assert "T20" in lint["select"]
    excused = [path for path, codes in lint["per-file-ignores"].items() if any(code.startswith("T2") for code in codes)]
    in_engine = {path for path in excused if path.startswith("core/")}
    assert in_engine == {f"core/{name.replace('.', '/')}.py" for name in house_rules.SPEAKING}


def copy_tree(target: Path) -> None:
    """Both packages and the contracts, with an empty room for everything that the floor plans name."""
    shutil.copy(ROOT / "pyproject.toml", target)
    for part, plan in ((CORE, "floors"), (DESKTOP, "desktop-floors")):
        shutil.copytree(ROOT / part, target / part, ignore=shutil.ignore_patterns("__pycache__"))
        (target / part / "__init__.py").touch()
        for room in re.findall(r"\w+", " ".join(CONTRACTS[plan]["layers"])):
            if not (target / part / f"{room}.py").exists():
                (target / part / room).mkdir(exist_ok=True)
                (target / part / room / "__init__.py").touch()


def lint_imports(tree: Path, contract: str | None = None) -> tuple[bool, str]:
    """Run the contracts on a tree. Returns whether all are kept, and what the linter said."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    if contract:
        command += ["--contract", contract]
    path = os.pathsep.join(str(tree / part) for part in ("core", "desktop"))
    environment = os.environ | {"PYTHONPATH": path, "NO_COLOR": "1", "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr
