"""Where things are, and that only the owner may read them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hivemind.paths import DataDir, default_data_dir, resource_path


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("HIVE_MIND_DATA_DIR", str(tmp_path / "mine"))
    assert default_data_dir() == tmp_path / "mine"
    monkeypatch.delenv("HIVE_MIND_DATA_DIR")
    assert "Hive-Mind" in str(default_data_dir())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights in another way")
def test_folders_belong_to_the_owner(tmp_path: Path):
    data = DataDir(tmp_path / "deep" / "data")
    data.prepare()
    data.prepare()
    for folder in (data.root, data.minds, data.backups, data.spool):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_resources_are_found_in_the_tree_and_in_a_bundle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    assert resource_path("samples", "chatgpt-sample.json").is_file()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resource_path("icons") == tmp_path / "resources" / "icons"
