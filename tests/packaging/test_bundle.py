"""What the bundle is told to hold: what it names is there, what stays out is not used, libraries are decided on."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import json
import os
import plistlib
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from tests.source_tree import CORE, DESKTOP, ROOT, sources

from hivemind_desktop.pages import PAGES
from hivemind_desktop.settings.about import WORKS, licences
from hivemind_desktop.settings.sections import SECTIONS

BUNDLE = ROOT / "packaging" / "bundle"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def loaded(name: str) -> ModuleType:
    """A script of packaging/bundle, which is no package on purpose."""
    spec = importlib.util.spec_from_file_location(f"bundle_{name}", BUNDLE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def parts() -> ModuleType:
    return loaded("parts")


@pytest.fixture(scope="module")
def notices(parts: ModuleType) -> Iterator[ModuleType]:
    sys.modules["parts"] = parts
    yield loaded("notices")
    del sys.modules["parts"]


def is_out(module: str, excluded: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in excluded)


# what goes in


def test_what_is_loaded_by_a_name_goes_in(parts: ModuleType) -> None:
    """Pages and the parts of Settings: no analysis of imports sees them."""
    by_name = {page.factory.partition(":")[0] for page in PAGES}
    by_name |= {f"hivemind_desktop.settings.{section.module}" for section in SECTIONS}
    found = parts.modules(parts.DESKTOP)
    assert by_name <= set(found)
    assert all(importlib.util.find_spec(name) for name in by_name)
    assert "hivemind_desktop.demo" not in found


def test_every_module_of_ours_goes_in(parts: ModuleType) -> None:
    for folder in (CORE, DESKTOP):
        written = {one.module for one in sources(ROOT, folder) if not one.module.endswith("__main__")}
        assert set(parts.modules(folder)) == written - {"hivemind_desktop.demo"}


def test_only_registries_of_ours_load_by_a_computed_name(parts: ModuleType) -> None:
    """Whatever loads something else must write its name in the call, so that it goes into the bundle."""
    calls = {
        source.path for source in sources(ROOT, CORE, DESKTOP) for one in source.nodes
        if isinstance(one, ast.Call) and any(map(parts._is_import, (one.func, *one.args)))
        and not any(isinstance(part, ast.Constant) for part in one.args)
    }  # fmt: skip
    assert calls == {"desktop/hivemind_desktop/pages.py", "desktop/hivemind_desktop/settings/sections.py"}


def test_a_work_of_others_that_is_loaded_by_its_name_goes_in(parts: ModuleType, tmp_path: Path) -> None:
    found = parts.loaded_by_name()
    assert "openai" in found
    assert all(importlib.util.find_spec(name) for name in found)
    (tmp_path / parts.CORE).mkdir(parents=True)
    (tmp_path / parts.CORE / "x.py").write_text(
        "import importlib\nfrom importlib import import_module\nimportlib.import_module('a.b')\n"
        "run(import_module, 'c')\nrun(other, 'd')\nimport_module(f'{e}.f')\n",
        encoding="utf-8",
    )
    assert parts.loaded_by_name(tmp_path) == ["a.b", "c"]


def test_what_about_lists_has_its_version_inside(parts: ModuleType) -> None:
    found = parts.told_by_version()
    told = {one.name for one in licences() if one.version} - {one.name for one in WORKS}
    assert set(found) == told - set(parts.EXCLUDED)
    assert {"apsw", "openai", "pyside6-essentials"} <= set(found)


def test_a_resource_that_the_source_asks_for_goes_in(parts: ModuleType, tmp_path: Path) -> None:
    """With a model that is only named, because the built one may not be there."""
    for name in (place.name for place in (ROOT / "resources").iterdir() if place.is_dir()):
        (tmp_path / "resources" / name).mkdir(parents=True)
    model = tmp_path / "resources" / "models" / "minilm"
    model.mkdir(parents=True, exist_ok=True)
    for file in parts.MODEL_FILES:
        (model / file).touch()
    (tmp_path / "resources" / "models" / ".placing-x").mkdir()
    asked = {
        match[1]
        for source in sources(ROOT, CORE, DESKTOP)
        for match in re.finditer(r'resource_path\(\s*"(\w+)"', source.text)
    }
    assert asked
    assert {f"resources/{name}" for name in asked} <= {goes for _, goes in parts.resources(tmp_path)}


def test_without_a_model_nothing_is_built(parts: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=re.escape("model.onnx")):
        parts.resources(tmp_path)


def test_every_sql_file_goes_beside_its_module(parts: ModuleType) -> None:
    written = {file.relative_to(ROOT / "core").as_posix() for file in (ROOT / CORE).rglob("*.sql")}
    assert written
    assert {f"{goes}/{Path(place).name}" for place, goes in parts.schemas()} == written


def test_package_data_is_sql_only(parts: ModuleType) -> None:
    """A file of another kind beside the modules would be missing in the bundle."""
    others = {
        file.suffix
        for folder in (CORE, DESKTOP)
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert others <= {".py", ".sql", ".typed", ""}


def test_the_library_of_sqlite_vec_goes_where_the_launcher_looks(
    parts: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, goes = parts.sqlite_vec()
    monkeypatch.setattr(sys, "_MEIPASS", str(Path(place).parents[1]), raising=False)
    monkeypatch.setenv("WAGGLE_SQLITE_VEC_PATH", "/tmp/of/somebody/else.so")
    loaded("set_libraries")
    named = Path(os.environ["WAGGLE_SQLITE_VEC_PATH"])
    assert (named.parent.name, named.name) == (goes, Path(place).name)
    assert named.is_file()


@pytest.mark.parametrize("door", ["DESKTOP_DOOR", "SIDECAR_DOOR"])
def test_both_doors_let_children_of_a_frozen_program_in_first(parts: ModuleType, door: str) -> None:
    text = getattr(parts, door).read_text(encoding="utf-8")
    body = text[text.index("def main") :]
    first = re.search(r"^    (?!\"\"\"|#)(\S.*)$", body, re.MULTILINE)
    assert first is not None
    assert first[1].startswith("multiprocessing.freeze_support()")


@pytest.mark.parametrize("group", ["keyring.backends", "markdown.extensions"])
def test_entry_points_are_there(parts: ModuleType, group: str) -> None:
    assert group in parts.ENTRY_POINTS
    assert importlib.metadata.entry_points(group=group)


# what stays out


def test_what_stays_out_is_not_imported(parts: ModuleType) -> None:
    found = [
        f"{source.path}:{one.line}: {one.target}"
        for source in sources(ROOT, CORE, DESKTOP)
        for one in source.imports
        if is_out(one.target, parts.EXCLUDED) and not one.target.startswith("hivemind_desktop.demo")
    ]
    assert found == []


def test_the_demo_is_not_part_of_the_program(parts: ModuleType) -> None:
    users = [s.path for s in sources(ROOT, DESKTOP) if any(one.target.endswith(".demo") for one in s.imports)]
    assert users == []


def test_the_command_line_needs_nothing_of_the_window(parts: ModuleType) -> None:
    found = [s.path for s in sources(ROOT, CORE) for one in s.imports if is_out(one.target, parts.DESKTOP_ONLY)]
    assert found == []


def test_every_binding_of_qt_that_is_imported_goes_in(parts: ModuleType) -> None:
    used = {
        one.target.split(".")[1]
        for source in sources(ROOT, DESKTOP)
        for one in source.imports
        if one.target.startswith("PySide6.Qt")
    }
    assert used <= set(parts.QT_BINDINGS)
    assert {f"Qt{name}" for name in parts.QT_MODULES} >= used


def test_no_tool_of_ours_is_let_in(parts: ModuleType) -> None:
    """What `dev` alone names. SDKs that a person may add are no tools; they are not in the bundle's lock."""
    extras = {
        name: {re.split(r"[<>=\[;]", line)[0] for line in lines}
        for name, lines in PROJECT["optional-dependencies"].items()
    }
    tools = extras["dev"] - extras["anthropic"]
    modules = {"pytest-qt": "pytestqt", "pytest-xdist": "xdist"}
    importable = {modules.get(name, name.replace("-", "_")) for name in tools}
    unused = {"import_linter", "pytest_timeout"}  # nothing of the program could bring them along
    assert importable - unused <= set(parts.EXCLUDED)


# which libraries


PLACES = [
    ("PySide6/Qt/lib/libQt6Core.so.6", True),
    ("PySide6/Qt/lib/libQt6Quick.so.6", False),
    ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
    ("PySide6/Qt/plugins/platforms/libqeglfs.so", False),
    ("PySide6/Qt/plugins/tls/libqopensslbackend.so", False),
    ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
    ("PySide6/Qt/translations/qtbase_de.qm", False),
    ("PySide6/QtCore.abi3.so", True),
    ("PySide6/QtNetwork.abi3.so", False),
    ("PySide6/libpyside6.abi3.so.6.11", True),
    ("PySide6/Qt6Core.dll", True),
    ("PySide6/Qt6Sql.dll", False),
    ("PySide6/plugins/platforms/qwindows.dll", True),
    ("PySide6/plugins/platforms/qdirect2d.dll", False),
    ("PySide6/QtGui.pyd", True),
    ("PySide6/Qt/lib/QtGui.framework/Versions/A/QtGui", True),
    ("PySide6/Qt/lib/QtQml.framework/Versions/A/QtQml", False),
    ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", True),
    ("PySide6/Qt/lib/libicudata.so.73", True),
    ("numpy.libs/libscipy_openblas64_.so", True),
]


@pytest.mark.parametrize(("place", "goes_in"), PLACES)
def test_only_what_is_used_of_qt_goes_in(parts: ModuleType, place: str, goes_in: bool) -> None:
    assert bool(parts.kept([(place, "/from", "BINARY")])) is goes_in


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux links to libraries of the building machine")
class TestLibrariesOfTheMachine:
    def kept(self, parts: ModuleType, *names: str) -> list[str]:
        entries = [("apsw/apsw.so", "/apsw", "EXTENSION"), *((name, f"/usr/{name}", "BINARY") for name in names)]
        needs = {"/apsw": set(names)}
        return [place for place, _, _ in parts.kept(entries, lambda file: needs.get(file, set()))][1:]

    def test_what_is_shipped_and_what_the_system_brings(self, parts: ModuleType) -> None:
        assert self.kept(parts, "libssl.so.3", "libX11.so.6", "libglib-2.0.so.0", "libpython3.11.so.1.0") == [
            "libpython3.11.so.1.0", "libssl.so.3"
        ]  # fmt: skip

    def test_an_undecided_library_stops_the_build(self, parts: ModuleType) -> None:
        with pytest.raises(SystemExit, match=r"libreadline\.so\.8"):
            self.kept(parts, "libreadline.so.8")

    def test_python_itself_goes_in_although_nothing_is_linked_to_it(self, parts: ModuleType) -> None:
        python = ("libpython3.11.so.1.0", "/usr/lib/libpython3.11.so.1.0", "BINARY")
        assert parts.kept([python]) == [python]

    def test_what_is_opened_by_its_name_goes_in_with_what_it_needs(self, parts: ModuleType) -> None:
        names = ["libpango-1.0.so.0", "libfribidi.so.0", "libglib-2.0.so.0", "libcairo.so.2"]
        entries = [(name, f"/usr/{name}", "BINARY") for name in names]
        needs = {"/usr/libpango-1.0.so.0": {"libfribidi.so.0", "libglib-2.0.so.0"}}
        found = parts.kept(entries, lambda file: needs.get(file, set()))
        assert [place for place, _, _ in found] == ["libfribidi.so.0", "libpango-1.0.so.0"]

    def test_what_the_report_is_made_with_must_be_there(self, parts: ModuleType) -> None:
        assert parts.opened(lambda name: f"/usr/{name}") == [(f"/usr/{name}", ".") for name in parts.OPENED]
        with pytest.raises(SystemExit, match=r"libpango-1\.0-0 libpangoft2-1\.0-0 libharfbuzz0b libharfbuzz-subset0$"):
            parts.opened(lambda _: None)

    def test_what_nothing_needs_is_left_out_without_a_word(self, parts: ModuleType) -> None:
        assert parts.kept([("libgtk-3.so.0", "/usr/libgtk-3.so.0", "BINARY")]) == []

    def test_a_missing_library_of_the_display_is_told_by_its_package(self, parts: ModuleType) -> None:
        there = [("libxcb-cursor.so.0", "/usr/x", "BINARY")]
        assert "libxcb-cursor0" not in parts.lacking(there)
        assert "libxcb-icccm4" in parts.lacking(there)

    def test_each_shipped_library_is_told_with_its_package(self, parts: ModuleType) -> None:
        entries = [("libssl.so.3", "/usr/x", "BINARY"), ("libpython3.11.so.1.0", "/usr/x", "BINARY")]
        assert list(parts.shipped_libraries(entries)) == [("libssl.so.3", "libssl3")]


# notices and identity


def test_a_package_in_the_bundle_is_told_with_its_licence(notices: ModuleType, tmp_path: Path) -> None:
    import platformdirs
    import tokenizers

    entries = [("x", module.__file__, "PYMODULE") for module in (platformdirs, tokenizers)]
    found = {one.name: one for one in notices._packages(entries)}
    assert set(found) == {"platformdirs", "tokenizers"}
    assert "Permission is hereby granted" in found["platformdirs"].texts[0]
    assert "Apache License" in found["tokenizers"].texts[0]


def test_every_package_of_the_lock_brings_a_licence_text_or_states_a_known_one(
    parts: ModuleType, notices: ModuleType
) -> None:
    """What lacks one would stop the build, after a quarter of an hour."""
    told = [notices._of_package(importlib.metadata.distribution(name)) for name in parts.told_by_version()]
    assert len(told) > 40
    assert [one.name for one in told if not one.texts] == []


def test_a_package_without_a_licence_text_stops_the_build(
    notices: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = notices.Notice("nobody", "1", "", "", ())
    monkeypatch.setattr(notices, "_packages", lambda _: [bare])
    monkeypatch.setattr(notices, "_python", lambda: bare)
    monkeypatch.setattr(notices, "_starter", lambda: bare)
    with pytest.raises(SystemExit, match="no licence text for nobody"):
        notices.write(tmp_path / "x.txt", [], [])


def test_the_version_of_windows_and_the_properties_of_macos_follow_the_project(tmp_path: Path) -> None:
    identity = loaded("identity")
    text = Path(identity.version_file(tmp_path, PROJECT)).read_text(encoding="utf-8")
    assert PROJECT["version"] in text
    compile(text, "version.txt", "eval")
    properties = plistlib.loads(plistlib.dumps(identity.mac_properties(PROJECT)))
    assert properties["CFBundleShortVersionString"] == PROJECT["version"]
    assert properties["CFBundleDocumentTypes"][0]["CFBundleTypeExtensions"] == ["mind"]


def test_the_spec_is_python_and_has_two_programs_in_one_folder() -> None:
    text = (ROOT / "pyinstaller.spec").read_text(encoding="utf-8")
    compile(text, "pyinstaller.spec", "exec")
    assert text.count("= analysed(") == 2
    assert text.count("COLLECT(") == 1


def test_the_trial_refuses_what_must_not_be_inside(tmp_path: Path) -> None:
    sys.path.insert(0, str(BUNDLE))
    try:
        trial = loaded("trial")
    finally:
        sys.path.remove(str(BUNDLE))
    inside = tmp_path / "_internal"
    inside.mkdir()
    for name in ("THIRD-PARTY.txt", "LICENSE.txt"):
        (inside / name).write_text("x", encoding="utf-8")
    found = trial.look_inside(tmp_path)
    assert found["files"] == 2
    json.dumps(found)
    (inside / "libreadline.so.8").touch()
    with pytest.raises(SystemExit, match="libreadline"):
        trial.look_inside(tmp_path)
