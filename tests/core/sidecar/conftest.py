"""A command line on a data folder of its own, called in this process and looked at from outside."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from benchmarks.exports import write_export

from hivemind.sidecar.door import run


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Exactly one JSON document, in one line."""
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        (name,) = self.document
        assert name == "error"
        error: dict[str, str] = self.document["error"]
        assert set(error) == {"code", "title", "hint"}
        assert all(error.values())
        return error


Sidecar = Callable[..., Outcome]


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def sidecar(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Sidecar:
    """`sidecar("search", "x")` answers in JSON, `sidecar("search", "x", plain=True)` in lines."""

    def call(*words: str, plain: bool = False, workspace: str = "") -> Outcome:
        options = ["--data-dir", str(data_dir), *(["--workspace", workspace] if workspace else [])]
        capsys.readouterr()
        code = run([*options, *([] if plain else ["--json"]), *words])
        said = capsys.readouterr()
        return Outcome(code, said.out, said.err)

    return call


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Six conversations of ChatGPT."""
    file = tmp_path / "conversations.json"
    write_export(file, seed=11, count=6, longest=8)
    return file
