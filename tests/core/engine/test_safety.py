"""Backup, restore and export through the engine: verified, logged, never over what is there. Covers: safety_service."""

from __future__ import annotations

from pathlib import Path

import pytest

from hivemind.domain.frames import Importance
from hivemind.errors import FileInTheWay, MindCorrupt, NotAllowed, NotAMind, WorldFault
from hivemind.maintenance import ExportFormat

WORKSPACE = "personal"


def kinds(driver) -> list[str]:
    mind = driver.run(lambda engine: engine.minds.get(WORKSPACE))
    return driver.run(
        lambda _: mind.read(
            lambda tx: [k for (k,) in tx.connection.execute("SELECT kind FROM ai_log_chain ORDER BY seq")]
        )
    )


def test_a_backup_brings_everything_back_and_the_log_says_so(driver, tmp_path: Path):
    driver.run(lambda e: e.memory.save("Before the backup", WORKSPACE))
    manifest = driver.run(lambda e: e.safety.backup(WORKSPACE, tmp_path / "one.mind"))
    assert (manifest.frames, manifest.sessions) == (1, 1)
    saved = driver.run(lambda e: e.memory.save("After the backup", WORKSPACE, importance=Importance.CRITICAL))
    preview = driver.run(lambda e: e.safety.preview_restore(WORKSPACE, tmp_path / "one.mind"))
    assert (preview.backup.frames, preview.frames_now) == (1, 2)
    assert driver.run(lambda e: e.memory.count(WORKSPACE)) == 2
    driver.run(lambda e: e.safety.restore(WORKSPACE, tmp_path / "one.mind"))
    assert [f.content for f in driver.run(lambda e: e.memory.list_frames(WORKSPACE))] == ["Before the backup"]
    assert kinds(driver) == ["genesis", "restore"]
    assert driver.run(lambda e: e.safety.verify(WORKSPACE)) == []
    kept = list((tmp_path / "data" / "backups").glob("*.mind"))
    driver.run(lambda e: e.safety.restore(WORKSPACE, kept[0]))
    assert saved.frame.content in [f.content for f in driver.run(lambda e: e.memory.list_frames(WORKSPACE))]


def test_a_backup_of_another_mind_goes_only_into_an_empty_one(driver, tmp_path: Path):
    driver.run(lambda e: e.memory.save("Mine", WORKSPACE))
    driver.run(lambda e: e.safety.backup(WORKSPACE, tmp_path / "mine.mind"))
    other = driver.run(lambda e: e.workspaces.create("Other"))
    driver.run(lambda e: e.memory.save("Theirs", other.workspace))
    with pytest.raises(NotAllowed):
        driver.run(lambda e: e.safety.restore(other.workspace, tmp_path / "mine.mind"))
    assert driver.run(lambda e: e.memory.count(other.workspace)) == 1
    empty = driver.run(lambda e: e.workspaces.create("New computer"))
    driver.run(lambda e: e.safety.restore(empty.workspace, tmp_path / "mine.mind"))
    assert driver.run(lambda e: e.memory.count(empty.workspace)) == 1


def test_what_is_there_is_never_written_over(driver, tmp_path: Path):
    driver.run(lambda e: e.safety.backup(WORKSPACE, tmp_path / "one.mind"))
    with pytest.raises(FileInTheWay):
        driver.run(lambda e: e.safety.backup(WORKSPACE, tmp_path / "one.mind"))


@pytest.mark.parametrize(("content", "error"), [(b"", NotAMind), (b"no mind" * 99, NotAMind), (None, MindCorrupt)])
def test_a_bad_backup_changes_nothing(driver, tmp_path: Path, content, error):
    driver.run(lambda e: e.memory.save("Mine", WORKSPACE))
    file = tmp_path / "bad.mind"
    if content is None:
        driver.run(lambda e: e.safety.backup(WORKSPACE, file))
        body = bytearray(file.read_bytes())
        body[8192 : 8192 + 60_000] = b"\x55" * 60_000
        file.write_bytes(body)
    else:
        file.write_bytes(content)
    with pytest.raises(error):
        driver.run(lambda e: e.safety.restore(WORKSPACE, file))
    assert driver.run(lambda e: e.memory.count(WORKSPACE)) == 1
    assert "restore" not in kinds(driver)


def test_an_export_is_logged_with_its_channel(driver, tmp_path: Path):
    driver.run(lambda e: e.memory.save("Mine", WORKSPACE))
    manifest = driver.run(lambda e: e.safety.export(WORKSPACE, tmp_path / "out", ExportFormat.JSONL, channel="cli"))
    assert manifest.files == 2
    assert kinds(driver) == ["genesis", "export"]


def test_a_folder_that_cannot_be_made_is_named(driver, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WorldFault):
        driver.run(lambda e: e.safety.export(WORKSPACE, tmp_path / "file" / "out"))


def test_unstorable_characters_are_saved_and_met_again(driver):
    first = driver.run(lambda e: e.memory.save("a\x00b \ud83d saved", WORKSPACE))
    again = driver.run(lambda e: e.memory.save("a\x00b \ud83d saved", WORKSPACE))
    assert again.duplicate_of == first.frame.id
    driver.run(lambda e: e.changes.undo(WORKSPACE))
    assert driver.run(lambda e: e.memory.count(WORKSPACE)) == 1
