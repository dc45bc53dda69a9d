"""The path guard: no id from outside opens a file outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.errors import InvalidName, NotAMind
from hivemind.paths import DataDir
from hivemind.workspaces import checked_id, guarded_path
from hivemind.workspaces.guard import id_from_name

HOSTILE = ["", "..", "../evil", "a/b", "a\\b", "/etc/passwd", "c:evil", "A", "a.mind", "a\x00", "-a", "a-", "con",
           "lpt1", "ä", "a" * 65, " a", "a\n", "~", "%2e%2e"]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_ids_are_refused(tmp_path: Path, name: str):
    with pytest.raises(InvalidName):
        guarded_path(DataDir(tmp_path), name)


@given(st.text(max_size=80))
def test_whatever_passes_stays_inside(name: str):
    data = DataDir(Path("/data"))
    try:
        path = guarded_path(data, name)
    except InvalidName:
        return
    assert path.parent == data.minds
    assert path.name == f"{name}.mind"


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path):
    data = DataDir(tmp_path / "data")
    data.prepare()
    outside = tmp_path / "outside.mind"
    outside.write_bytes(b"")
    data.mind("linked").symlink_to(outside)
    with pytest.raises(NotAMind):
        guarded_path(data, "linked")


@given(st.text(max_size=200))
def test_a_name_becomes_a_valid_id_or_is_refused(name: str):
    try:
        made = id_from_name(name)
    except InvalidName:
        return
    assert checked_id(made) == made


def test_a_name_becomes_a_readable_id():
    assert id_from_name("Q2 Planning (draft)") == "q2-planning-draft"
