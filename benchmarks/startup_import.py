"""From the drop to the first conversation that search finds, and to the end of the import; no window, a fresh process
and a fresh mind each time."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from exports import write_export
from hivemind.engine import Engine
from hivemind.paths import PERSONAL
from measuring import arguments, child, median, tell

FIRST_GOAL = 3.0
_POLL = 0.02


async def dropped(folder: Path, export: Path, whole: bool) -> dict[str, Any]:
    """Drop the export on an engine that is already open, as the window's is. Seconds from the drop."""
    engine = Engine(folder)
    await engine.open()
    try:
        began = time.perf_counter()
        run_id = await engine.harvest.start([export])
        while not await first_is_found(engine):
            await asyncio.sleep(_POLL)
        first = time.perf_counter() - began
        if not whole:
            await engine.harvest.cancel(PERSONAL, run_id, keep=True)
        report = await engine.harvest.wait(PERSONAL, run_id)
        return {"first": first, "whole": time.perf_counter() - began, "messages": report.messages, "new": report.new}
    finally:
        await engine.close()


async def first_is_found(engine: Engine) -> bool:
    """Whether an ordinary search finds a message of the export."""
    from hivemind.domain.search import SearchRequest

    result = await engine.memory.search(SearchRequest("Postgres migration", limit=1))
    return bool(result.hits)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--conversations", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--whole", action="store_true", help="run every import to its end")
    parser.add_argument("--child", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.child is not None:
            print(json.dumps(asyncio.run(dropped(Path(folder), options.child, options.whole))))
            return
        export = Path(folder, "conversations.json")
        write_export(export, seed=5, count=options.conversations)
        whole = ["--whole"] if options.whole else []
        answers = [child(__file__, "--child", str(export), *whole) for _ in range(options.rounds)]
        size = export.stat().st_size
    first = median([one["first"] for one in answers])
    document: dict[str, Any] = {
        "benchmark": "startup_import",
        "first_found_seconds": first,
        "worst_seconds": max(one["first"] for one in answers),
        "goal": f"at most {FIRST_GOAL} s from the drop",
        "met": first <= FIRST_GOAL,
        "conversations": options.conversations,
        "bytes": size,
        "rounds": options.rounds,
    }
    if options.whole:
        document["whole_seconds"] = median([one["whole"] for one in answers])
        document["messages_per_second"] = median([one["messages"] / one["whole"] for one in answers])
    tell(document, options.json)


if __name__ == "__main__":
    main()
