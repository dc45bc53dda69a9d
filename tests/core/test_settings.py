"""Settings survive bad files, unknown keys and a folder that cannot be written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hivemind.settings import Settings, load_settings, save_settings


def test_what_is_saved_is_read_back_and_unknown_keys_stay(tmp_path: Path):
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"from_a_newer_version": [1], "theme": "light"}))
    save_settings(file, replace(load_settings(file), reduced_motion=True))
    assert load_settings(file) == Settings(theme="light", reduced_motion=True)
    assert json.loads(file.read_text())["from_a_newer_version"] == [1]
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe", b'{"theme": 3, "window_width": true}', b'{"shortcuts": {"undo": 3}}']
)
def test_a_bad_file_means_defaults(tmp_path: Path, content: bytes):
    file = tmp_path / "settings.json"
    file.write_bytes(content)
    assert load_settings(file) == Settings()
    assert load_settings(tmp_path / "missing.json") == Settings()


def test_a_place_that_cannot_be_written_leaves_the_old_file(tmp_path: Path):
    file = tmp_path / "settings.json"
    save_settings(file, Settings(theme="dark"))
    file.with_suffix(".new").mkdir()
    with pytest.raises(OSError, match="settings"):
        save_settings(file, Settings(theme="light"))
    assert load_settings(file).theme == "dark"
