"""THIRD-PARTY.txt: who made what is in the bundle, and under which licence, from what was really put in.

A package whose licence text cannot be found stops the build: what may not be told may not be shipped.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

import parts

HERE = Path(__file__).resolve().parent
#: By its name, or because the metadata has a folder for such texts.
_TEXTS = re.compile(r"(licen[cs]e|copying|notice|thirdpartynotices)[^/]*$|\.dist-info/licenses/", re.IGNORECASE)
#: Packages that bring no text, and the licence they state. LGPL-3.0 adds to GPL-3.0, so both texts are given.
_STATED = {
    "flatbuffers": ("Apache-2.0",),
    "pyside6-essentials": ("LGPL-3.0", "GPL-3.0"),
    "shiboken6": ("LGPL-3.0", "GPL-3.0"),
    "sqlite-vec": ("Apache-2.0",),
    "tokenizers": ("Apache-2.0",),
}
_INTRODUCTION = """\
Hive-Mind is under the Apache License 2.0 (LICENSE.txt). This bundle also holds the works listed here, each under its
own licence. Qt and PySide6 are used under the LGPL-3.0: they are separate files in this folder and may be replaced by
other builds of the same version. Fonts, icons and the search model have their licences beside them, below
resources/fonts, resources/icons and resources/models.
"""


@dataclass(frozen=True, slots=True)
class Notice:
    name: str
    version: str
    licence: str
    home: str
    texts: tuple[str, ...]


def write(file: Path, binaries: Iterable[parts.Entry], modules: Iterable[parts.Entry]) -> Path:
    """Write the notices of everything among the entries. Raises SystemExit when a text cannot be found."""
    entries = [*binaries, *modules]
    notices = sorted({*_packages(entries), *_system(entries), _python(), _starter()}, key=lambda one: one.name.lower())
    lacking = [one.name for one in notices if not one.texts]
    if lacking:
        raise SystemExit(f"hive-mind: no licence text for {', '.join(lacking)}. Read it, then add it to notices.py.")
    file.write_text("".join(_written(notices)), "utf-8")
    return file


def _written(notices: list[Notice]) -> Iterator[str]:
    yield _INTRODUCTION + "\n"
    for one in notices:
        yield f"  {' '.join(filter(None, [one.name, one.version]))}: {one.licence}\n"
    given: dict[str, str] = {}
    for one in notices:
        yield f"\n{'=' * 100}\n{one.name} {one.version}\n{one.licence}\n{one.home}\n"
        for text in one.texts:
            # The long standard texts are given once.
            known = given.setdefault(text, one.name)
            yield f"\n{text}\n" if known == one.name else f"\n(the text given at {known})\n"


def _packages(entries: Iterable[parts.Entry]) -> Iterator[Notice]:
    """One for each installed package of which a file is in the bundle."""
    sources = {str(Path(source)) for _, source, _ in entries if source}
    for found in distributions():
        files = found.files or []
        if any(str(found.locate_file(file)) in sources for file in files):
            yield _of_package(found)


def _of_package(found: Distribution) -> Notice:
    told = found.metadata
    name = told["Name"]
    texts = [
        Path(str(found.locate_file(file))).read_text("utf-8", "replace").strip()
        for file in sorted(found.files or [], key=str)
        if _TEXTS.search(file.as_posix()) and file.suffix not in {".py", ".pyc", ".json"}
    ]
    stated = _STATED.get(re.sub(r"[-_.]+", "-", name).lower(), ())
    if stated:
        texts = [*texts, *(_standard(one) for one in stated)]
    licence = " with ".join(stated) or told.get("License-Expression") or _short(found)
    return Notice(name, found.version, licence, _home(found), tuple(dict.fromkeys(texts)))


def _short(found: Distribution) -> str:
    fields = [line for line in (found.metadata.get_all("Classifier") or []) if line.startswith("License ::")]
    field = (found.metadata.get("License") or "").strip()
    if field and "\n" not in field and len(field) < 80:
        return field
    return ", ".join(line.rsplit(" :: ", 1)[1] for line in fields) or "see the text"


def _home(found: Distribution) -> str:
    named = [line.split(",", 1)[1].strip() for line in (found.metadata.get_all("Project-URL") or []) if "," in line]
    return found.metadata.get("Home-page") or (named[0] if named else "")


def _standard(licence: str) -> str:
    file = parts.ROOT / "LICENSE" if licence == "Apache-2.0" else HERE / "licences" / f"{licence}.txt"
    return file.read_text("utf-8").strip()


def _system(entries: Iterable[parts.Entry]) -> Iterator[Notice]:
    """Libraries of the building system, with what Debian says of their packages."""
    files: dict[str, set[str]] = {}
    for place, package in parts.shipped_libraries(entries):
        files.setdefault(package, set()).add(place)
    for package, places in files.items():
        said = Path("/usr/share/doc", package, "copyright")
        texts = (said.read_text("utf-8", "replace").strip(),) if said.is_file() else ()
        yield Notice(package, "", f"see the text ({', '.join(sorted(places))})", "https://www.debian.org", texts)


def _python() -> Notice:
    version = ".".join(map(str, sys.version_info[:3]))
    return Notice("Python", version, "PSF-2.0", "https://www.python.org", _texts_in(_places_of_python(), "LICENSE.txt"))


def _places_of_python() -> list[Path]:
    base, numbers = Path(sys.base_prefix), f"{sys.version_info[0]}.{sys.version_info[1]}"
    return [base / "lib" / f"python{numbers}", base, Path(f"/usr/share/doc/python{numbers}")]


def _starter() -> Notice:
    """The small program that PyInstaller puts in front."""
    (tool,) = [one for one in distributions() if one.metadata["Name"].lower() == "pyinstaller"]
    whole = _of_package(tool)
    return Notice("PyInstaller bootloader", tool.version, "GPL-2.0-or-later with exception", whole.home, whole.texts)


def _texts_in(places: list[Path], *names: str) -> tuple[str, ...]:
    for place in places:
        for name in (*names, "copyright"):
            if (place / name).is_file():
                return ((place / name).read_text("utf-8", "replace").strip(),)
    return ()
