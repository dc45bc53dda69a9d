"""packaging/models: the search model is built once, checked, kept in a cache, and missed without harm."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.source_tree import ROOT

#: Stands for the builder: shows that what the lock names is importable, and counts how often it is called.
FAKE_BUILD = """
import os, pathlib, sys
import tiny_weights
packages, out = map(pathlib.Path, sys.argv[1:])
assert (packages / "tiny_weights.py").is_file()
out.mkdir()
(out / "model.onnx").write_text(tiny_weights.NAME)
with open(os.environ["BUILDS"], "a") as notes:
    notes.write("built\\n")
"""


class Checkout:
    """A tree with the real provide.py, a builder that takes notes, and a wheel beside it instead of an index."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.wheels = root / "wheels"
        self.wheels.mkdir()
        self.models = root / "packaging" / "models"
        self.models.mkdir(parents=True)
        shutil.copy(ROOT / "packaging" / "models" / "provide.py", self.models)
        (self.models / "build.py").write_text(FAKE_BUILD, encoding="utf-8")
        (self.models / "minilm.json").write_text("{}", encoding="utf-8")
        rotation = root / "core" / "hivemind" / "embeddings" / "rotation.py"
        rotation.parent.mkdir(parents=True)
        rotation.write_text("x = 1\n", encoding="utf-8")
        self.lock(hashlib.sha256(self.wheel().read_bytes()).hexdigest())

    def wheel(self) -> Path:
        file = self.wheels / "tiny_weights-1-py3-none-any.whl"
        entries = {
            "tiny_weights.py": "NAME = 'tiny'\n",
            "tiny_weights-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1\n",
            "tiny_weights-1.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        rows = []
        with zipfile.ZipFile(file, "w") as wheel:
            for name, text in entries.items():
                wheel.writestr(name, text)
                digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
                rows.append(f"{name},sha256={digest},{len(text)}")
            wheel.writestr("tiny_weights-1.dist-info/RECORD", "\n".join([*rows, "tiny_weights-1.dist-info/RECORD,,"]))
        return file

    def lock(self, digest: str) -> None:
        text = f"tiny-weights==1 --hash=sha256:{digest}\n"
        (self.root / "requirements-models.lock").write_text(text, encoding="utf-8")

    def provide(self, *words: str, network: bool = True) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
        environment |= {
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "BUILDS": str(self.root / "builds"),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
        }
        if network:
            environment["PIP_FIND_LINKS"] = str(self.wheels)
        command = [sys.executable, str(self.models / "provide.py"), *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)

    @property
    def builds(self) -> int:
        notes = self.root / "builds"
        return len(notes.read_text().splitlines()) if notes.exists() else 0

    @property
    def target(self) -> Path:
        return self.root / "resources" / "models" / "minilm"

    @property
    def left_behind(self) -> list[str]:
        return [path.name for path in self.root.rglob(".*ing-*")]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_it_is_built_once_and_then_needs_no_network(checkout: Checkout) -> None:
    first = checkout.provide()
    assert first.returncode == 0, first.stdout
    assert (checkout.target / "model.onnx").read_text() == "tiny"
    assert len(first.stdout.splitlines()) == 1
    again = checkout.provide(network=False)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    shutil.rmtree(checkout.root / "resources")  # another checkout, or a clean one
    assert checkout.provide("--strict", network=False).returncode == 0
    assert (checkout.target / "model.onnx").read_text() == "tiny"
    assert checkout.builds == 1
    assert checkout.left_behind == []


@pytest.mark.parametrize("changed", ["minilm.json", "build.py"])
def test_a_changed_recipe_is_built_anew(changed: str, checkout: Checkout) -> None:
    checkout.provide()
    file = checkout.models / changed
    file.write_text(file.read_text() + "\n", encoding="utf-8")
    (checkout.target / "stale").touch()
    assert checkout.provide("--strict").returncode == 0
    assert checkout.builds == 2
    assert not (checkout.target / "stale").exists()


def test_without_a_network_it_says_so_in_one_line_and_ends_well(checkout: Checkout) -> None:
    done = checkout.provide(network=False)
    assert done.returncode == 0
    assert "by keyword" in done.stdout.splitlines()[-1]
    assert done.stderr == ""
    assert checkout.provide("--strict", network=False).returncode == 1
    assert not checkout.target.exists()
    assert checkout.left_behind == []
    assert checkout.provide("--strict").returncode == 0  # the next try, with a network


def test_a_download_with_another_digest_is_not_used(checkout: Checkout) -> None:
    checkout.lock("0" * 64)
    done = checkout.provide("--strict")
    assert done.returncode == 1
    assert "downloaded" in done.stdout
    assert checkout.builds == 0


def test_a_build_that_fails_leaves_the_old_model(checkout: Checkout) -> None:
    checkout.provide()
    (checkout.models / "build.py").write_text("raise SystemExit('the weights are odd')\n", encoding="utf-8")
    done = checkout.provide("--strict")
    assert done.returncode == 1
    assert "the weights are odd" in done.stdout
    assert (checkout.target / "model.onnx").read_text() == "tiny"


def test_the_built_model_is_the_recorded_file(search_model: Path) -> None:
    """The digest was written by another build: the recipe gives the same file again."""
    recorded = json.loads((ROOT / "packaging" / "models" / "minilm-golden.json").read_text(encoding="utf-8"))
    built = hashlib.sha256((search_model / "model.onnx").read_bytes()).hexdigest()
    assert built == recorded["model_sha256"]
    card = json.loads((search_model / "embedder.json").read_text(encoding="utf-8"))
    assert card["sha256"]["model.onnx"] == built
    recipe = json.loads((ROOT / "packaging" / "models" / "minilm.json").read_text(encoding="utf-8"))
    assert card["sha256"]["tokenizer.json"] == recipe["source"]["sha256"]["tokenizer.json"]
    assert (search_model / "LICENSE").is_file()
