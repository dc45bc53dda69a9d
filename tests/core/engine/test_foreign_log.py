"""A log in a file that is not open here is checked from a copy; the file stays as it is."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from tests.core.gateway.plain_log import end, plain_log, start, without_guards

from hivemind.domain.calls import Verdict
from hivemind.engine.foreign_log import check_file
from hivemind.errors import MindMissing, NotAMind
from hivemind.storage.schema import SchemaKind


def test_a_file_with_its_wal_is_read_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.mind"
    connection = plain_log(str(path))
    connection.execute(f"PRAGMA application_id = {SchemaKind.MIND.application_id}; PRAGMA user_version = 1")
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    start(connection, "c1")
    end(connection, "c1")
    before = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in tmp_path.glob("other.mind*")}
    found = check_file(path, [], None)
    assert (found.entries, found.verdict) == (3, Verdict.GAPS)
    assert {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in tmp_path.glob("other.mind*")} == before
    without_guards(connection, lambda c: c.execute("UPDATE ai_interactions SET model = 'x' WHERE id = 3") and None)
    assert check_file(path, [], None).verdict is Verdict.TAMPERED
    connection.close()


def test_what_is_no_mind_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.mind").write_text("Dear Mara")
    with pytest.raises(NotAMind):
        check_file(tmp_path / "letter.mind", [], None)
    with pytest.raises(MindMissing):
        check_file(tmp_path / "none.mind", [], None)
