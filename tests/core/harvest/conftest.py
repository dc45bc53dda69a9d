"""A mind to import into, and imports run to their end on a loop of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.samples.chatgpt import write_json

from hivemind.domain.harvest import ImportReport, UndoReport
from hivemind.gateway import genesis
from hivemind.harvest.importer import Importer, begin_run
from hivemind.harvest.undo import undo_run
from hivemind.mind import Mind, MindTransaction
from hivemind.storage.integrity import check

T = TypeVar("T")
COUNTED = (
    "memory_frames", "memory_frames_fts", "memory_frames_cjk", "messages", "archive_blocks", "sessions",
    "frame_messages", "import_claims", "outbox",
)  # fmt: skip


class Harvest:
    """One mind and the folder its imports may use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spool = folder / "spool"
        self.spool.mkdir()
        self.mind = Mind.open(folder / "test.mind", "test", create=True, seeders=(genesis(),))

    def run(self, *paths: Path, **options: Any) -> ImportReport:
        """Import to the end."""
        return asyncio.run(self._run(paths, options))

    async def _run(self, paths: tuple[Path, ...], options: dict[str, Any]) -> ImportReport:
        run_id = await begin_run(self.mind, paths)
        return await Importer(self.mind, run_id, spool=self.spool, **options).run()

    def again(self, run_id: int) -> ImportReport:
        """Go on with a run."""

        async def go_on() -> ImportReport:
            return await Importer(self.mind, run_id, spool=self.spool).run()

        return asyncio.run(go_on())

    def give(self, value: object, name: str = "conversations.json") -> Path:
        return write_json(self.folder / name, value)

    def undo(self, run_id: int) -> UndoReport:
        return asyncio.run(undo_run(self.mind, run_id))

    def write(self, work: Callable[[MindTransaction], T]) -> T:
        return self.mind.submit_write(work).result(30)

    def read(self, work: Callable[[MindTransaction], T]) -> T:
        return self.mind.submit_read(work).result(30)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.read(lambda tx: [tuple(row) for row in tx.connection.execute(sql, values)])

    def counts(self) -> dict[str, int]:
        return {table: self.rows(f"SELECT count(*) FROM {table}")[0][0] for table in COUNTED}

    def problems(self) -> list[str]:
        return self.read(lambda tx: check(tx.connection))


@pytest.fixture
def harvest(tmp_path: Path) -> Iterator[Harvest]:
    made = Harvest(tmp_path)
    yield made
    made.mind.close()
    assert list(made.spool.iterdir()) == []
