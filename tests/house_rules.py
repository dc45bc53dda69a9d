"""The rules of the house as functions: each takes a tree and returns what breaks the rule, one line each.

They are functions and not assertions so that `test_architecture.py` can also run them on a copy with a planted
violation: a rule that finds nothing anywhere proves nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.source_tree import (
    CORE,
    DESKTOP,
    Source,
    base_name,
    calls,
    classes,
    defined_names,
    imports_any,
    sources,
)

Rule = Callable[[Path], list[str]]

QT = frozenset({"PySide6", "shiboken6", "qasync", "PyQt6", "PyQt5", "PySide2"})
OTHER_SQLITE = frozenset({"sqlite3", "_sqlite3", "pysqlite3", "aiosqlite", "PySide6.QtSql", "sqlean"})
NETWORK = frozenset(
    {
        "httpx",
        "httpx2",
        "requests",
        "aiohttp",
        "urllib3",
        "urllib.request",
        "http.client",
        "http.server",
        "socket",
        "ssl",
        "socketserver",
        "ftplib",
        "smtplib",
        "imaplib",
        "poplib",
        "telnetlib",
        "xmlrpc",
        "websockets",
        "websocket",
        "pycurl",
        "PySide6.QtNetwork",
        "PySide6.QtWebSockets",
        "PySide6.QtWebEngineCore",
        "PySide6.QtWebEngineWidgets",
    }
)
NETWORK_CALLS = frozenset(
    {
        "open_connection",
        "open_unix_connection",
        "start_server",
        "start_unix_server",
        "create_connection",
        "create_server",
        "create_datagram_endpoint",
        "sock_connect",
    }
)
#: The only modules below `core` that may write to the terminal: the command line's own output and its doors.
SPEAKING = frozenset({"hivemind.sidecar.output"})
BANNED_SUFFIXES = ("Manager", "Helper", "Helpers", "Util", "Utils", "Handler", "Base", "Impl")
BANNED_MODULES = frozenset({"utils", "util", "misc", "helpers", "helper", "common", "base", "manager"})
ENGINE_DOORS = ("hivemind_desktop.bridge", "hivemind_desktop.application")
MODULE_LIMIT = 400
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+")
SQL = re.compile(
    r"^\s*(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|"
    r"CREATE\s+(TEMP\s+)?(TABLE|VIEW|INDEX|TRIGGER)|DROP\s+TABLE|PRAGMA\s)",
    re.IGNORECASE | re.DOTALL,
)


def qt_in_the_engine(root: Path) -> list[str]:
    return _banned_imports(sources(root, CORE), QT)


def other_sqlite(root: Path) -> list[str]:
    """apsw is the only SQLite: two copies of SQLite in one process drop each other's file locks."""
    return _banned_imports(sources(root, CORE, DESKTOP, "tests", "benchmarks", "packaging"), OTHER_SQLITE)


def network_outside_net(root: Path) -> list[str]:
    """Only `hivemind.net` reaches out, so that its ledger sees every byte that leaves."""
    outside = [s for s in sources(root, CORE, DESKTOP, "benchmarks") if not s.within("hivemind.net")]
    found = _banned_imports(outside, NETWORK)
    for source in outside:
        found += [_at(source, call.lineno, name) for name, call in calls(source) if name in NETWORK_CALLS]
    return found


def printing_in_the_engine(root: Path) -> list[str]:
    found = []
    for source in sources(root, CORE):
        if source.module in SPEAKING:
            continue
        found += [_at(source, call.lineno, name) for name, call in calls(source) if name in {"print", "echo", "secho"}]
        for node in source.nodes:
            if isinstance(node, ast.Attribute) and node.attr in {"stdout", "stderr"} and base_name(node.value) == "sys":
                found.append(_at(source, node.lineno, f"sys.{node.attr}"))
    return found


def modules_too_long(root: Path) -> list[str]:
    everything = sources(root, CORE, DESKTOP, "tests", "benchmarks")
    return [f"{s.path}: {s.lines} lines" for s in everything if s.lines > MODULE_LIMIT]


def modules_without_docstring(root: Path) -> list[str]:
    everything = sources(root, CORE, DESKTOP, "tests", "benchmarks")
    return [s.path for s in everything if not ast.get_docstring(s.tree)]


def names_of_no_meaning(root: Path) -> list[str]:
    found = []
    for source in sources(root, CORE, DESKTOP):
        if set(source.module.split(".")) & BANNED_MODULES:
            found.append(f"{source.path}: module name")
        for node in classes(source):
            if node.name.endswith(BANNED_SUFFIXES):
                found.append(_at(source, node.lineno, node.name))
            elif node.name.endswith("Model") and not _is_qt_model(node):
                found.append(_at(source, node.lineno, f"{node.name} is no Qt item model"))
    return found


def front_door_from_inside(root: Path) -> list[str]:
    """`hivemind.open_mind` is for those outside. Inside, only `__version__` and whole rooms come from the package."""
    doors = {"hivemind.open_mind", "hivemind.OpenMind"}
    inside = [s for s in sources(root, CORE, DESKTOP) if s.module != "hivemind"]
    return [_at(source, one.line, one.target) for source in inside for one in source.imports if one.target in doors]


def engine_outside_its_doors(root: Path) -> list[str]:
    """Pages speak through the bridge; only `bridge` and `application` hold an Engine."""
    found = []
    for source in sources(root, DESKTOP):
        if source.within(*ENGINE_DOORS):
            continue
        for one in source.imports:
            if one.target == "hivemind.engine.Engine" or one.target.startswith("hivemind.engine.engine"):
                found.append(_at(source, one.line, one.target))
        for node in source.nodes:
            if isinstance(node, ast.Attribute) and node.attr == "Engine":
                found.append(_at(source, node.lineno, "Engine"))
    return found


def sql_in_the_desktop(root: Path) -> list[str]:
    found = _banned_imports(sources(root, DESKTOP), frozenset({"apsw"}))
    for source in sources(root, DESKTOP, f"{CORE}/sidecar"):
        for node in source.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.match(node.value):
                found.append(_at(source, node.lineno, node.value.split()[0]))
    return found


def possessive_groups(root: Path) -> list[str]:
    """`(…)*+` matches wrongly before Python 3.11.5, and Debian 12 has 3.11.2. `[…]*+` on one character is sound."""
    found = []
    for source in sources(root, CORE, DESKTOP):
        for _, call in calls(source):
            texts = [one for one in call.args[:1] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            found += [_at(source, one.lineno, "(…)*+") for one in texts if POSSESSIVE_GROUP.search(str(one.value))]
    return found


def packaging_is_a_package(root: Path) -> list[str]:
    """An __init__.py there would hide PyPI's `packaging` from everything that runs in the checkout."""
    return [file.relative_to(root).as_posix() for file in (root / "packaging").rglob("__init__.py")]


def modules_without_tests(root: Path) -> list[str]:
    """Tests mirror the tree.

    `core/hivemind/mind/frames.py` is covered by `tests/core/mind/test_frames.py`, or by any test file of its room
    (`tests/core/mind/…` or `tests/core/test_mind.py`) that imports the module, or one of its functions or classes
    through the room's `__init__`, or says `Covers: frames` in its docstring. Modules that hold only data need none;
    `__main__` is walked by the journeys.
    """
    found = []
    for folder, mirror in ((CORE, "tests/core"), (DESKTOP, "tests/desktop")):
        package = folder.rsplit("/", 1)[1]
        for source in sources(root, folder):
            if source.path.endswith("__main__.py") or not _has_code(source):
                continue
            if not _is_covered(root, source, package, mirror):
                found.append(source.path)
    return found


def tests_that_cover_nothing(root: Path) -> list[str]:
    """A name in a `Covers:` line that is no module of the room is a promise about something that moved away."""
    found = []
    for folder, mirror in ((CORE, "tests/core"), (DESKTOP, "tests/desktop")):
        for test in sources(root, mirror):
            room = root / folder / test.path.removeprefix(f"{mirror}/").split("/")[0].removesuffix(".py")
            room = room.with_name(room.name.removeprefix("test_"))
            modules = {file.stem for file in room.rglob("*.py")} | {file.name for file in room.rglob("*")}
            found += [f"{test.path}: {name}" for name in sorted(_covers(test) - modules)]
    return found


def tests_without_room(root: Path) -> list[str]:
    """A folder below tests/core or tests/desktop that mirrors nothing was left behind by a move."""
    found = []
    for folder, mirror in ((CORE, "tests/core"), (DESKTOP, "tests/desktop")):
        for file in sorted((root / mirror).rglob("test_*.py")):
            relative = file.parent.relative_to(root / mirror)
            if not (root / folder / relative).is_dir():
                found.append(file.relative_to(root).as_posix())
    return found


def _is_covered(root: Path, source: Source, package: str, mirror: str) -> bool:
    parts = source.module.split(".")[1:] or [package]
    is_room = source.path.endswith("__init__.py")
    stem = parts[-1].lstrip("_")
    folder = "/".join([mirror, *parts[:-1]])
    if (root / folder / f"test_{stem}.py").exists():
        return True
    room = parts[0]
    candidates = [
        s for s in sources(root, mirror) if s.path.startswith((f"{mirror}/{room}/", f"{mirror}/test_{room}.py"))
    ]
    if any(stem in _covers(test) for test in candidates):
        return True
    parent = source.module if is_room else source.module.rsplit(".", 1)[0]
    names = {f"{parent}.{name}" for name in defined_names(source)}
    return any(
        one.module == source.module or one.target == source.module or one.target in names
        for test in candidates
        if test.path.rsplit("/", 1)[1].startswith("test_")
        for one in test.imports
    )


def _covers(test: Source) -> set[str]:
    """The names after `Covers:` in the docstring, up to the end of that paragraph."""
    match = re.search(r"\bCovers: ([\w,\s]+?)(?:\.|\n\s*\n|\Z)", ast.get_docstring(test.tree) or "")
    return set(re.findall(r"\w+", match[1])) if match else set()


def _has_code(source: Source) -> bool:
    """True when some function does something: a body of only a docstring or `…` is a protocol's."""
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
            if body and node.name != "__getattr__":
                return True
    return False


def _is_qt_model(node: ast.ClassDef) -> bool:
    names = [base_name(base) for base in node.bases]
    return any(name.endswith("Model") or re.fullmatch(r"Q\w*Proxy\w*", name) for name in names)


def _banned_imports(among: Iterable[Source], banned: frozenset[str]) -> list[str]:
    return [_at(source, one.line, one.target) for source in among for one in imports_any(source, banned)]


def _at(source: Source, line: int, what: str) -> str:
    return f"{source.path}:{line}: {what}"
