"""Backups: checked by opening, listed with what is in them, compared memory by memory, scheduled and kept few.

Covers: backup_files, housekeeping_service.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hivemind.domain.frames import Importance
from hivemind.domain.upkeep import BackupFile, BackupKind, Tidied
from hivemind.engine import Engine, backup_files, housekeeping_service
from hivemind.errors import InvalidValue
from hivemind.jobs import JobStore
from hivemind.settings import Settings, save_settings


class Calendar:
    """An engine whose clock a test turns."""

    def __init__(self, data: Path) -> None:
        self.now = datetime(2026, 11, 1, 9, tzinfo=UTC)
        self.runner = asyncio.Runner()
        self.engine = Engine(data, lambda: self.now)
        self.run(self.engine.open())

    def run(self, work: Any) -> Any:
        async def limited() -> Any:
            return await asyncio.wait_for(work, 60)

        return self.runner.run(limited())

    def save(self, text: str) -> int:
        return int(self.run(self.engine.memory.save(text, "personal")).frame.id)

    def tidy(self) -> Tidied | None:
        found: Tidied | None = self.run(self.engine.housekeeping.tidy("personal"))
        return found

    def backups(self) -> list[BackupFile]:
        found: list[BackupFile] = self.run(self.engine.backups.list("personal"))
        return found

    def write(self, work: Any) -> Any:
        mind = self.run(self.engine.minds.get("personal"))
        return self.run(mind.write(work))

    def close(self) -> None:
        self.run(self.engine.close())
        self.runner.close()


@pytest.fixture
def calendar(tmp_path: Path) -> Iterator[Calendar]:
    made = Calendar(tmp_path / "data")
    yield made
    made.close()


def test_a_backup_made_by_hand_is_listed_with_what_is_in_it(calendar: Calendar) -> None:
    calendar.save("The ferry leaves at noon")
    made = calendar.run(calendar.engine.backups.make("personal"))
    assert (made.kind, made.frames, made.problem) == (BackupKind.BY_HAND, 1, "")
    assert calendar.backups() == [made]
    assert made.checked_at == made.made_at == "2026-11-01T09:00:00.000Z"
    assert Path(f"{made.path}.json").stat().st_mode & 0o077 == 0
    assert "ferry" not in Path(f"{made.path}.json").read_text()


def test_a_damaged_backup_is_named_and_one_without_a_note_is_unknown(calendar: Calendar) -> None:
    calendar.save("The ferry leaves at noon")
    made = calendar.run(calendar.engine.backups.make("personal"))
    Path(f"{made.path}.json").unlink()
    (bare,) = calendar.backups()
    assert (bare.checked_at, bare.frames) == (None, -1)
    content = Path(made.path).read_bytes()
    Path(made.path).write_bytes(content[:200] + b"\xff" * (len(content) - 200))
    found = calendar.run(calendar.engine.backups.check("personal", made.path))
    assert "damaged" in found.problem
    assert calendar.backups() == [found]
    Path(made.path).write_bytes(content)
    assert calendar.run(calendar.engine.backups.check("personal", made.path)).problem == ""


def test_a_note_of_another_state_of_the_file_is_not_believed(calendar: Calendar) -> None:
    made = calendar.run(calendar.engine.backups.make("personal"))
    note = Path(f"{made.path}.json")
    for text in ("{", "[]", json.dumps({"bytes": 3, "frames": 99})):
        note.write_text(text)
        assert calendar.backups()[0].frames == -1


def test_only_backups_of_this_mind_can_be_named(calendar: Calendar, tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.mind"
    stranger.write_bytes(b"")
    for work in (calendar.engine.backups.remove, calendar.engine.backups.check):
        with pytest.raises(InvalidValue, match="not in the backups folder"):
            calendar.run(work("personal", str(stranger)))
    assert stranger.exists()
    made = calendar.run(calendar.engine.backups.make("personal"))
    calendar.run(calendar.engine.backups.remove("personal", made.path))
    assert list(calendar.engine.data.backups.iterdir()) == []


def test_what_a_restore_would_change_is_told_memory_by_memory(calendar: Calendar) -> None:
    stays, marked, gone = (calendar.save(text) for text in ("stays", "will be marked", "will be trashed"))
    made = calendar.run(calendar.engine.backups.make("personal"))
    assert calendar.run(calendar.engine.backups.compare("personal", Path(made.path))).nothing
    calendar.save("came later")
    calendar.run(calendar.engine.memory.set_importance("personal", [marked], Importance.CRITICAL))
    calendar.run(calendar.engine.memory.trash("personal", [gone]))
    found = calendar.run(calendar.engine.backups.compare("personal", Path(made.path)))
    assert (found.lost, found.lost_texts) == (1, ("came later",))
    assert (found.changed, set(found.changed_texts)) == (2, {"will be marked", "will be trashed"})
    calendar.run(calendar.engine.trash.delete("personal", [gone]))
    found = calendar.run(calendar.engine.backups.compare("personal", Path(made.path)))
    assert (found.back, found.back_texts) == (1, ("will be trashed",))
    calendar.run(calendar.engine.safety.restore("personal", Path(made.path)))
    assert calendar.run(calendar.engine.backups.compare("personal", Path(made.path))).nothing
    assert stays


def test_scheduled_backups_come_when_they_are_due_and_few_are_kept(calendar: Calendar) -> None:
    save_settings(calendar.engine.data.settings_file, Settings(backup_every="daily", backup_keep=2))
    assert calendar.tidy() == Tidied(), "an empty mind needs none"
    calendar.save("The ferry leaves at noon")
    by_hand = calendar.run(calendar.engine.backups.make("personal"))
    first = calendar.tidy()
    assert first is not None
    assert first.backup
    assert calendar.tidy() == Tidied(), "the next one is due tomorrow"
    made = [first.backup]
    for _ in range(3):
        calendar.now += timedelta(days=1)
        done = calendar.tidy()
        assert done is not None
        made.append(done.backup)
    kept = [each.path for each in calendar.backups()]
    assert set(kept) == {made[-1], made[-2], by_hand.path}, "what was made by hand stays"
    save_settings(calendar.engine.data.settings_file, Settings(backup_every="weekly"))
    calendar.now += timedelta(days=6)
    assert calendar.tidy() == Tidied()
    calendar.now += timedelta(days=1)
    assert calendar.tidy() != Tidied()
    save_settings(calendar.engine.data.settings_file, Settings(backup_every="off"))
    calendar.now += timedelta(days=400)
    assert calendar.tidy() == Tidied()


def test_the_last_sound_backup_is_never_pruned() -> None:
    def one(day: int, problem: str = "", checked: bool = True) -> BackupFile:
        at = f"2026-11-0{day}T09:00:00.000Z"
        return BackupFile(f"{day}", "personal", BackupKind.SCHEDULED, at, 9, checked_at=at if checked else None,
                          problem=problem)  # fmt: skip

    damaged = [one(5, "damaged"), one(4, checked=False), one(3), one(2), one(1)]
    assert [each.path for each in backup_files.too_many(damaged, 1)] == ["2", "1"]
    assert backup_files.too_many([one(5, "damaged"), one(4, "damaged")], 1) == []
    assert [each.path for each in backup_files.too_many(damaged, 0)] == ["2", "1"]


def test_another_process_at_it_is_left_alone(calendar: Calendar) -> None:
    calendar.save("The ferry leaves at noon")
    other = json.dumps(json.loads(housekeeping_service.OWNER) | {"work": "of another"})
    calendar.write(lambda tx: JobStore(tx.connection, tx.now).create(housekeeping_service.KIND, {}, other))
    assert calendar.tidy() is None
    assert calendar.backups() == []
    calendar.now += timedelta(minutes=2)
    done = calendar.tidy()
    assert done is not None, "a lease without a heartbeat belongs to nobody"
    assert done.backup
    assert calendar.write(lambda tx: JobStore(tx.connection, tx.now).list_open(housekeeping_service.KIND)) == []


def test_housekeeping_runs_by_itself_and_says_what_went_wrong(
    calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping_service, "FIRST", 0.0)
    monkeypatch.setattr(housekeeping_service, "PAUSE", 0.05)
    calendar.save("The ferry leaves at noon")
    folder = calendar.engine.data.backups
    folder.rmdir()
    folder.write_text("in the way")
    calendar.run(calendar.engine.housekeeping.close())

    async def start() -> None:
        calendar.engine.housekeeping.start()

    async def until(true: Any) -> None:
        while not true():
            await asyncio.sleep(0.01)

    calendar.run(start())
    calendar.run(until(lambda: calendar.engine.housekeeping.faults))
    assert "cannot be written" in calendar.engine.housekeeping.faults["personal"]
    folder.unlink()
    calendar.run(until(lambda: not calendar.engine.housekeeping.faults))
    assert [each.kind for each in calendar.backups()] == [BackupKind.SCHEDULED]


def test_a_mistake_of_ours_in_one_mind_does_not_end_the_housekeeping(
    calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping_service, "FIRST", 0.0)
    monkeypatch.setattr(housekeeping_service, "PAUSE", 0.01)
    calendar.save("The ferry leaves at noon")
    housekeeping = calendar.engine.housekeeping
    looks: list[str] = []

    async def mistaken(workspace: str) -> Tidied | None:
        looks.append(workspace)
        raise ZeroDivisionError

    async def look_twice() -> None:
        await housekeeping.close()
        housekeeping.start()
        while len(looks) < 2:
            await asyncio.sleep(0.01)

    monkeypatch.setattr(housekeeping, "tidy", mistaken)
    calendar.run(look_twice())
    assert "Hive-Mind made a mistake" in housekeeping.faults["personal"]


def test_a_backup_that_goes_away_while_the_folder_is_read_is_left_out(
    calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    calendar.save("The ferry leaves at noon")
    first = calendar.run(calendar.engine.backups.make("personal"))
    calendar.now += timedelta(days=1)
    second = calendar.run(calendar.engine.backups.make("personal"))
    read = backup_files.read

    def meanwhile(path: Path, workspace: str, kind: BackupKind) -> BackupFile:
        if str(path) == first.path:
            path.unlink()
        return read(path, workspace, kind)

    monkeypatch.setattr(backup_files, "read", meanwhile)
    assert [each.path for each in calendar.backups()] == [second.path]
