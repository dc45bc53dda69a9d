"""Documents that cannot lie: links lead somewhere, commands exist, versions agree, the floor plan is the contract."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from tests.source_tree import CORE, ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(markdown: str) -> set[str]:
    """Headings as the anchors that a renderer makes of them."""
    headings = re.findall(r"^#+ (.+)$", markdown, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken_links(document: Path) -> list[str]:
    broken = []
    for link in LINK.findall(document.read_text(encoding="utf-8")):
        if link.startswith(("https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    return broken


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", read("Makefile"), flags=re.MULTILINE))


def made(markdown: str) -> set[str]:
    """Targets named as `make x`, in a code span or at the start of a line of a code block."""
    return set(re.findall(r"(?:`|^)make ([a-z][a-z-]*)", markdown, flags=re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    assert broken_links(document) == []


def test_broken_links_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A heading\n[a](#a-heading) [b](#none) [c](gone.md) ![d](gone.png)", encoding="utf-8")
    assert broken_links(page) == ["#none", "gone.md", "gone.png"]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_named_make_targets_exist(name: str) -> None:
    named = made(read(name))
    assert named
    assert named <= make_targets()


def test_every_make_target_is_explained() -> None:
    assert make_targets() - {"help"} <= made(read("CONTRIBUTING.md"))
    phony = re.search(r"^\.PHONY: (.+)$", read("Makefile"), flags=re.MULTILINE)
    assert phony
    assert set(phony[1].split()) == make_targets()


def test_version_is_the_same_everywhere() -> None:
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", read("CHANGELOG.md"), flags=re.MULTILINE)
    assert versions[0] == PROJECT["version"]
    assert versions == sorted(versions, key=lambda text: [int(part) for part in text.split(".")], reverse=True)
    assert f'__version__ = "{PROJECT["version"]}"' in read(f"{CORE}/__init__.py")


def test_changelog_keeps_its_form() -> None:
    text = read("CHANGELOG.md")
    assert text.startswith("# Changelog\n")
    assert text.index("## [Unreleased]") < text.index(f"## [{PROJECT['version']}]")
    kinds = set(re.findall(r"^### (.+)$", text, flags=re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_every_library_has_its_reason() -> None:
    section = read("ARCHITECTURE.md").split("## Libraries", 1)[1].split("\n## ", 1)[0]
    extras = PROJECT["optional-dependencies"]
    for line in chain(PROJECT["dependencies"], extras["dev"]):
        assert re.search(rf"\b{re.escape(Requirement(line).name)}\b", section), line


def test_floor_plan_names_every_room_that_is_there() -> None:
    plan = read("ARCHITECTURE.md").split("## Floors", 1)[1].split("\n## ", 1)[0]
    rooms = [place.stem for place in (ROOT / CORE).iterdir() if (place / "__init__.py").exists()]
    rooms += [place.stem for place in (ROOT / CORE).glob("*.py") if place.stem != "__init__"]
    assert [room for room in rooms if not re.search(rf"\b{room}\b", plan)] == []


def test_licence_is_apache() -> None:
    text = read("LICENSE")
    assert PROJECT["license"] == "Apache-2.0"
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_readme_tells_the_limits_and_the_places() -> None:
    text = read("README.md")
    for told in ("HIVE_MIND_DATA_DIR", "disk encryption", "A process with your rights", "pseudo-terminal"):
        assert told in text
