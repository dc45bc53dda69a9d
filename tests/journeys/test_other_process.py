"""The open window and another process on the same mind: what it saves is found at once, by its words and by meaning;
what it deletes is never found again.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.search import Mode, SearchRequest

#: Seconds from the commit of another process to the row in the open window.
AT_ONCE = 1.0
SAVED = "The kingfisher nests in the clay bank behind the {}"
QUERY = "kingfisher"
PLACES = ("mill", "weir", "bridge")
PARAPHRASE = "a bird breeding at the river"
#: Deletes for good, as nothing but the window does, in a process of its own.
DELETE = """
import asyncio, sys
from pathlib import Path
from hivemind.engine import Engine

async def delete(data, frame_id):
    engine = Engine(Path(data))
    await engine.open()
    await engine.memory.trash("personal", [frame_id])
    await engine.trash.delete("personal", [frame_id])
    await engine.close()

asyncio.run(delete(sys.argv[1], int(sys.argv[2])))
"""


@pytest.fixture(autouse=True)
def _bundled_model(search_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIVE_MIND_EMBEDDER_DIR", str(search_model))


async def in_another_process(*command: str) -> str:
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, *command], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


async def sidecar(data: Path, *words: str) -> Any:
    return json.loads(await in_another_process("-m", "hivemind.sidecar", "--data-dir", str(data), "--json", *words))


def shown(driver: WindowDriver) -> list[int]:
    model = driver.memories.model
    return [model.entry(row).frame_id for row in range(model.rowCount())]


def row_of(driver: WindowDriver, text: str) -> int | None:
    """Id of the row that says this."""
    found = (driver.memories.model.entry(row).hit for row in range(driver.memories.model.rowCount()))
    return next((hit.frame.id for hit in found if hit is not None and hit.text == text), None)


async def delay_of(driver: WindowDriver, data: Path, place: str) -> tuple[int, float]:
    """Save beside the open window; the new frame and seconds from its own time to its row in sight."""
    text = SAVED.format(place)
    assert row_of(driver, text) is None
    saving = asyncio.ensure_future(sidecar(data, "save", text))
    await driver.until(lambda: row_of(driver, text) is not None, "the row")
    seen = datetime.now(UTC)
    frame_id: int = (await saving)["frame_id"]
    assert row_of(driver, text) == frame_id
    detail = await driver.app.client.call(lambda engine: engine.memory.detail("personal", frame_id))
    return frame_id, (seen - datetime.fromisoformat(detail.frame.recorded_at)).total_seconds()


async def hits(driver: WindowDriver, query: str, mode: Mode) -> list[int]:
    request = SearchRequest(query, minds=("personal",), mode=mode)
    return [hit.frame.id for hit in (await driver.app.client.call(lambda engine: engine.memory.search(request))).hits]


@pytest.mark.timeout(180)
def test_saved_found_deleted_gone(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.memory.save("Bread needs a night to rest", "personal"))
        await driver.search(QUERY)
        saved: list[tuple[int, float]] = []
        for place in PLACES:  # a busy computer may be late once, and once again
            saved.append(await delay_of(driver, tmp_path, place))
            if saved[-1][1] <= AT_ONCE:
                break
        assert saved[-1][1] <= AT_ONCE, saved
        first = saved[0][0]

        async def by_meaning() -> bool:
            return first in await hits(driver, PARAPHRASE, Mode.VECTOR)

        while not await by_meaning():
            await asyncio.sleep(0.1)
        await driver.search(PARAPHRASE)
        await driver.until(lambda: first in shown(driver), "the memory by meaning in the window")
        await in_another_process("-c", DELETE, str(tmp_path), str(first))
        await driver.until(lambda: first not in shown(driver), "the row gone")
        await driver.search(QUERY)
        assert set(shown(driver)) >= {frame_id for frame_id, _ in saved[1:]}
        for query, mode in ((QUERY, Mode.KEYWORD), (PARAPHRASE, Mode.VECTOR), (SAVED.format(PLACES[0]), Mode.HYBRID)):
            assert first not in await hits(driver, query, mode)
            await driver.search(query)
            assert first not in shown(driver)

    drive(tmp_path, walk)
