"""What goes into the bundle and what stays out, for `pyinstaller.spec` and the tests. Standard library only.

A library that nobody named stops the build: what is shipped is decided here, by hand, and not by what the building
machine happens to have.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE, DESKTOP = "core/hivemind", "desktop/hivemind_desktop"
DESKTOP_DOOR = ROOT / DESKTOP / "__main__.py"
SIDECAR_DOOR = ROOT / CORE / "sidecar" / "__main__.py"

#: One entry of a table of contents: where it goes, where it is from, of what kind.
Entry = tuple[str, str, str]

#: Without these the model does not pass its own probe.
MODEL_FILES = ("model.onnx", "tokenizer.json", "embedder.json", "golden.json", "LICENSE")

#: Never in the bundle: tools of ours, a second SQLite, what links to GPL libraries (readline, gdbm) or to a Berkeley
#: DB, and the parts of libraries that nothing here calls.
EXCLUDED = (
    "_curses", "_curses_panel", "_dbm", "_gdbm", "_pytest", "_sqlite3", "_tkinter", "curses", "ensurepip",
    "hf_xet", "hivemind_desktop.demo", "huggingface_hub", "hypothesis", "pypdf", "idlelib", "ijson.backends.yajl",
    "ijson.backends.yajl2", "ijson.backends.yajl2_cffi", "lib2to3", "mypy", "nis",
    "numpy.distutils", "numpy.f2py", "numpy.testing", "onnxruntime.backend", "onnxruntime.datasets",
    "onnxruntime.quantization", "onnxruntime.tools", "onnxruntime.transformers", "pip", "pkg_resources",
    "pygments.formatters.img",
    "pytest", "pytestqt", "readline", "ruff", "setuptools", "sqlite3", "tests", "tkinter", "turtledemo", "xdist",
)  # fmt: skip
#: What the window is made of, and the command line does without.
DESKTOP_ONLY = ("PySide6", "hivemind_desktop", "qasync", "shiboken6")

#: Libraries that find their own parts by the entry points in their metadata: both must be there.
ENTRY_POINTS = ("keyring.backends", "markdown.extensions")

#: Qt's modules, plugins and bindings that are used. All others are left out.
QT_MODULES = ("Core", "DBus", "Gui", "Svg", "Widgets", "XcbQpa")
QT_BINDINGS = ("QtCore", "QtGui", "QtSvg", "QtWidgets")
QT_PLUGINS = {
    "iconengines": ("qsvgicon",),
    "imageformats": ("qgif", "qico", "qjpeg", "qsvg", "qwebp"),
    "platforminputcontexts": ("composeplatforminputcontextplugin", "ibusplatforminputcontextplugin"),
    "platforms": ("qcocoa", "qoffscreen", "qwindows", "qxcb"),
    "platformthemes": ("qxdgdesktopportal",),
    "styles": ("qmacstyle", "qmodernwindowsstyle"),
}

#: Linux: small libraries that a system may lack, with the package whose licence they have. They are shipped.
SHIPPED = {
    "libbz2": "libbz2-1.0",
    "libcrypto": "libssl3",
    "libdatrie": "libdatrie1",
    "libffi": "libffi8",
    "libfribidi": "libfribidi0",
    "libgcc_s": "libgcc-s1",
    "libgraphite2": "libgraphite2-3",
    "libharfbuzz": "libharfbuzz0b",
    "libharfbuzz-subset": "libharfbuzz-subset0",
    "liblzma": "liblzma5",
    "libpango-1.0": "libpango-1.0-0",
    "libpangoft2-1.0": "libpangoft2-1.0-0",
    "libpython": "",  # has a notice of its own
    "libssl": "libssl3",
    "libstdc++": "libstdc++6",
    "libthai": "libthai0",
    "libuuid": "libuuid1",
    "libxcb-cursor": "libxcb-cursor0",
    "libxcb-icccm": "libxcb-icccm4",
    "libxcb-image": "libxcb-image0",
    "libxcb-keysyms": "libxcb-keysyms1",
    "libxcb-render-util": "libxcb-render-util0",
    "libxcb-util": "libxcb-util1",
    "libxkbcommon": "libxkbcommon0",
    "libxkbcommon-x11": "libxkbcommon-x11-0",
}
#: Linux: what lays out the report. It is opened by its name at run time, so that nothing is linked to it.
OPENED = ("libpango-1.0.so.0", "libpangoft2-1.0.so.0", "libharfbuzz.so.0", "libharfbuzz-subset.so.0")
#: Linux: libraries that belong to the system's display, fonts and message bus. They must fit to it, so it brings them.
OF_THE_SYSTEM = frozenset(
    {
        "libEGL", "libGL", "libGLX", "libGLdispatch", "libOpenGL", "libX11", "libX11-xcb", "libXau", "libXdmcp",
        "libblkid", "libbrotlicommon", "libbrotlidec", "libbsd", "libcap", "libdbus-1", "libexpat", "libfontconfig",
        "libfreetype", "libgcrypt", "libgio-2.0", "libglib-2.0", "libgmodule-2.0", "libgobject-2.0",
        "libgpg-error", "libgthread-2.0", "liblz4", "libmd", "libmount", "libpcre2-8", "libpng16", "libselinux",
        "libsystemd", "libxcb", "libxcb-glx", "libxcb-randr", "libxcb-render", "libxcb-shape", "libxcb-shm",
        "libxcb-sync", "libxcb-xfixes", "libxcb-xkb", "libz", "libzstd",
    }
)  # fmt: skip


class Unnamed(SystemExit):
    """A library would go in that nobody decided on."""


def resources(root: Path = ROOT) -> list[tuple[str, str]]:
    """All of `resources/`, with where it goes. Raises SystemExit when the model was not built."""
    model = root / "resources" / "models" / "minilm"
    missing = [name for name in MODEL_FILES if not (model / name).is_file()]
    if missing:
        raise SystemExit(f"hive-mind: the search model lacks {', '.join(missing)}. Run packaging/models/provide.py.")
    here = [place for place in sorted((root / "resources").iterdir()) if not place.name.startswith(".")]
    return [(str(place), f"resources/{place.name}" if place.is_dir() else "resources") for place in here]


def schemas(root: Path = ROOT) -> list[tuple[str, str]]:
    """The SQL files that the package reads beside its modules."""
    core = root / "core"
    files = sorted((core / "hivemind").rglob("*.sql"))
    return [(str(file), file.parent.relative_to(core).as_posix()) for file in files]


def modules(folder: str, root: Path = ROOT) -> list[str]:
    """Every module below `core/hivemind` or the like: registries load rooms by their names, which no analysis sees."""
    top = root / folder
    found = (file.relative_to(top.parent).with_suffix("").parts for file in top.rglob("*.py"))
    names = {".".join(name[:-1] if name[-1] == "__init__" else name) for name in found}
    return sorted(name for name in names if name not in EXCLUDED and not name.endswith("__main__"))


def loaded_by_name(root: Path = ROOT) -> list[str]:
    """Works of others that are loaded on first use by a name in a text, like `import_module("openai")`."""
    files = [file for folder in (CORE, DESKTOP) for file in sorted((root / folder).rglob("*.py"))]
    return sorted({name for file in files for name in _named(ast.parse(file.read_text("utf-8")))})


def told_by_version(root: Path = ROOT) -> list[str]:
    """Packages that About lists and that are installed here: their metadata goes in, for their version."""
    named: dict[str, str] = json.loads((root / "resources" / "licences.json").read_text("utf-8"))
    here = {re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower() for found in distributions()}
    return sorted(name for name in named if name in here and name.replace("-", "_") not in EXCLUDED)


def _named(tree: ast.AST) -> Iterator[str]:
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and any(_is_import(part) for part in (call.func, *call.args)):
            yield from (part.value for part in call.args if isinstance(part, ast.Constant))


def _is_import(part: ast.expr) -> bool:
    """`import_module`, called or handed on to be called."""
    return "import_module" in (getattr(part, "id", ""), getattr(part, "attr", ""))


def sqlite_vec() -> tuple[str, str]:
    """The native library of sqlite-vec, put where the launcher names it. Raises SystemExit when it is not there."""
    import sqlite_vec as wheel

    found = sorted(Path(wheel.loadable_path()).parent.glob("vec0.*"))
    if len(found) != 1:
        raise SystemExit("hive-mind: the library of sqlite-vec is not there. Install requirements.lock again.")
    return str(found[0]), "sqlite_vec"


def opened(find: Callable[[str], str | None]) -> list[tuple[str, str]]:
    """Linux: the libraries of OPENED, for the top of the bundle. `find`: the path of a library of this system.

    Raises SystemExit with the packages that this system lacks.
    """
    there = {name: find(name) for name in OPENED}
    missing = [SHIPPED[_stem(name)] for name, place in there.items() if place is None]
    if missing:
        raise SystemExit(f"hive-mind: the report needs libraries of this system: apt-get install {' '.join(missing)}")
    return [(place, ".") for place in there.values() if place is not None]


def kept(entries: Iterable[Entry], needs: Callable[[str], set[str]] = lambda _: set()) -> list[Entry]:
    """The entries that go in. `needs`: file names of the libraries that the file at a path is linked to.

    Raises Unnamed with every library that something here needs and that is in no table.
    """
    ours, of_machine = [], {}
    for entry in entries:
        place = entry[0].replace("\\", "/")
        if is_of_machine(place):
            of_machine[place] = entry
        elif not place.startswith("PySide6/") or _qt(place):
            ours.append(entry)
    # The starter loads libpython: nothing links to it either.
    by_name = {"libpython", *map(_stem, OPENED)}
    wanted = {place for place in of_machine if _stem(place) in by_name}
    wanted |= set().union(*(needs(source) for _, source, kind in ours if kind != "SYMLINK"))
    chosen, unnamed = [], []
    while wanted:
        place = wanted.pop()
        if place not in of_machine or place in chosen:
            continue
        if _stem(place) in SHIPPED:
            chosen.append(place)
            wanted |= needs(of_machine[place][1])
        elif _stem(place) not in OF_THE_SYSTEM:
            unnamed.append(place)
    if unnamed:
        raise Unnamed("hive-mind: name these in packaging/bundle/parts.py first: " + ", ".join(sorted(unnamed)))
    return [*ours, *(of_machine[place] for place in sorted(chosen))]


def is_of_machine(place: str) -> bool:
    """Linux: libraries of the building machine go to the top; anything deeper came with a package of the lock."""
    return sys.platform == "linux" and re.match(r"lib[^/]+\.so[.\d]*$", place) is not None


def lacking(entries: Iterable[Entry]) -> list[str]:
    """Linux: packages of the libraries that a window needs and that the building machine does not have."""
    there = {_stem(place) for place, _, _ in entries}
    return sorted(
        package for stem, package in SHIPPED.items() if stem.startswith(("libx", "libX")) and stem not in there
    )


def _stem(place: str) -> str:
    """`libssl.so.3` gives libssl, and `libpython3.11.so.1.0` gives libpython."""
    stem = place.partition(".so")[0]
    return "libpython" if stem.startswith("libpython") else stem


def _qt(place: str) -> bool:
    """True for what is used of Qt: its modules, the named plugins, the bindings, no translations."""
    plugin = re.search(r"/plugins/(?P<kind>\w+)/(?:lib)?(?P<name>\w+?)\.(?:so|dll|dylib)$", place)
    if plugin:
        return plugin["name"] in QT_PLUGINS.get(plugin["kind"], ())
    if re.search(r"/(translations|qml|metatypes|modules)/", place):
        return False
    binding = re.match(r"PySide6/(Qt[A-Z]\w*)\.(?:abi3|pyd|cpython)", place)
    if binding:
        return binding[1] in QT_BINDINGS
    module = re.search(r"/(?:lib)?Qt6?(?P<name>[A-Z]\w*?)(?:\.framework/|\.so|\.dll|\.dylib)", place)
    return module is None or module["name"] in QT_MODULES


def shipped_libraries(entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """Name and Debian package of every library of the building machine among the entries, for the notices."""
    for place, _, _ in entries:
        if is_of_machine(place) and SHIPPED[_stem(place)]:
            yield place, SHIPPED[_stem(place)]
