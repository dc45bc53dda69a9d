"""Export: everything in open files, hostile titles included, and never over what is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hivemind.domain.frames import FrameDraft
from hivemind.domain.sessions import SessionKind
from hivemind.errors import FileInTheWay
from hivemind.maintenance import ExportFormat, export_mind
from hivemind.mind import MindTransaction
from hivemind.mind.archive import NewMessage

TITLES = ["Moving house", "../../etc/passwd", "CON", "ø" * 300, "", "a/b:c*?", "…", "Разговор о миграции"]


def fill(tx: MindTransaction) -> None:
    for n, title in enumerate(TITLES):
        session = tx.sessions.create(SessionKind.CONVERSATION, title, session_id=f"s{n}")
        speaker = tx.speakers.id_of("user")
        message = NewMessage(f"m{n}", None, 0, speaker, "user", "speech", None, False, 0, 0, f"words {n}")
        tx.archive.append(
            session.id, [message, NewMessage(f"h{n}", None, 0, None, "tool", "tool_result", None, True, 0, 1, "log")]
        )
        tx.frames.create_i_frame(FrameDraft(f"note {n}", session_id=session.id))


@pytest.mark.parametrize("form", list(ExportFormat))
def test_every_session_is_there_and_stays_in_the_folder(sync_mind, tmp_path: Path, form: ExportFormat):
    sync_mind.write(fill)
    target = tmp_path / "out"
    manifest = sync_mind.read(lambda tx: export_mind(tx, target, form, "2026-11-30T12:00:00.000Z"))
    files = sorted(p for p in tmp_path.rglob("*") if p.is_file() and p.suffix in (".md", ".jsonl", ".json"))
    assert all(target in p.parents for p in files)
    assert (manifest.sessions, manifest.frames, manifest.messages) == (len(TITLES), len(TITLES), 2 * len(TITLES))
    assert manifest.files == len(files) - 1
    everything = "".join(p.read_text("utf-8") for p in files)
    assert all(f"words {n}" in everything and f"note {n}" in everything for n in range(len(TITLES)))
    assert json.loads((target / "manifest.json").read_text("utf-8"))["sha256"] == manifest.sha256
    assert all(p.stat().st_mode & 0o077 == 0 for p in files)


def test_hidden_and_tool_content_is_kept_as_data_but_not_shown_as_speech(sync_mind, tmp_path: Path):
    sync_mind.write(fill)
    sync_mind.read(lambda tx: export_mind(tx, tmp_path / "md", ExportFormat.MARKDOWN, ""))
    sync_mind.read(lambda tx: export_mind(tx, tmp_path / "jl", ExportFormat.JSONL, ""))
    assert not any("log" in p.read_text("utf-8") for p in (tmp_path / "md").glob("*.md"))
    rows = [json.loads(line) for line in (tmp_path / "jl" / "sessions.jsonl").read_text("utf-8").splitlines()]
    assert {m["kind"] for row in rows for m in row["messages"]} == {"speech", "tool_result"}


def test_a_folder_with_anything_in_it_is_left_alone(sync_mind, tmp_path: Path):
    target = tmp_path / "out"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    with pytest.raises(FileInTheWay):
        sync_mind.read(lambda tx: export_mind(tx, target, ExportFormat.JSONL, ""))
    assert [p.name for p in target.iterdir()] == ["mine.txt"]
