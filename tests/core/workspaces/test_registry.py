"""The registry: the personal mind first, strangers in the folder shown too, names once."""

from __future__ import annotations

from pathlib import Path

import pytest

from hivemind.domain.minds import Scope
from hivemind.errors import FileInTheWay, InvalidName
from hivemind.paths import DataDir
from hivemind.storage import Database, SchemaKind
from hivemind.workspaces import WorkspaceRegistry

NOW = "2026-11-30T12:00:00.000Z"


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    made = DataDir(tmp_path)
    made.prepare()
    return made


@pytest.fixture
def install(data: DataDir):
    database = Database.open(data.install_db, create=True, kind=SchemaKind.INSTALL)
    yield lambda work: database.submit_write(lambda c: work(WorkspaceRegistry(c, NOW))).result(10)
    database.close()


def test_minds_are_listed_with_name_and_scope(data: DataDir, install):
    install(lambda r: r.create("Legal  Research", Scope.TEAM))
    for file in ("legal-research.mind", "stray.mind", "Not An Id.mind", "note.txt"):
        (data.minds / file).write_bytes(b"")
    rows = install(lambda r: [(w.id, w.name, w.scope) for w in r.list(data)])
    assert rows == [
        ("personal", "Personal", Scope.PERSONAL),
        ("legal-research", "Legal Research", Scope.TEAM),
        ("stray", "stray", Scope.WORKSPACE),
    ]


def test_an_id_is_taken_once(install):
    install(lambda r: r.create("Legal", Scope.WORKSPACE))
    for name in ("legal", "LEGAL!", "personal"):
        with pytest.raises(FileInTheWay):
            install(lambda r, name=name: r.create(name, Scope.WORKSPACE))
    install(lambda r: r.forget("legal"))
    assert install(lambda r: r.create("legal", Scope.WORKSPACE)).id == "legal"
    with pytest.raises(InvalidName):
        install(lambda r: r.create("…", Scope.WORKSPACE))
