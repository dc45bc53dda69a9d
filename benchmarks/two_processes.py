"""Two processes write into one mind through their writer threads: nothing is lost, and how long a write waits."""

from __future__ import annotations

import json
import tempfile
import threading
from pathlib import Path
from typing import Any

from hivemind.domain.frames import FrameDraft
from hivemind.domain.sessions import SessionKind
from hivemind.gateway import genesis
from hivemind.mind import Mind, MindTransaction
from measuring import arguments, child, percentile, seconds, tell

P99_GOAL_MS = 250.0


def write_all(path: Path, name: str, number: int) -> dict[str, Any]:
    """The child's part: one frame per write, each awaited, into a session of its own."""
    mind = Mind.open(path, "bench")
    try:

        def begin(tx: MindTransaction) -> int:
            session = tx.sessions.create(SessionKind.AGENT, session_id=name)
            return tx.frames.create_i_frame(FrameDraft(content=f"{name} begins", session_id=session.id)).id

        base = mind.submit_write(begin).result()
        waits = [
            seconds(
                mind.submit_write(
                    lambda tx, at=at: tx.frames.create_p_frame(FrameDraft(content=f"{name} writes note {at}"), base)
                ).result
            )
            for at in range(number)
        ]
    finally:
        mind.close()
    return {"waits_ms": [wait * 1_000 for wait in waits]}


def both(path: Path, number: int) -> list[float]:
    """Run both writers at once; all their waits in milliseconds."""
    waits: list[float] = []

    def one(name: str) -> None:
        waits.extend(child(__file__, "--child", str(path), "--name", name, "--writes", str(number))["waits_ms"])

    threads = [threading.Thread(target=one, args=(f"writer:{letter}",)) for letter in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return waits


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--writes", type=int, default=10_000, help="per process")
    parser.add_argument("--child", type=Path)
    parser.add_argument("--name", default="")
    options = parser.parse_args()
    if options.child is not None:
        print(json.dumps(write_all(options.child, options.name, options.writes)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.mind")
        Mind.open(path, "bench", create=True, seeders=(genesis(),)).close()
        waits: list[float] = []
        taken = seconds(lambda: waits.extend(both(path, options.writes)))
        mind = Mind.open(path, "bench")
        try:
            stored = mind.submit_read(lambda tx: tx.frames.count_current()).result() - 2
        finally:
            mind.close()
    lost = 2 * options.writes - stored
    p99 = percentile(waits, 0.99) if waits else float("inf")
    document = {
        "benchmark": "two_processes",
        "writes": 2 * options.writes,
        "lost": lost,
        "p50_ms": percentile(waits, 0.5) if waits else float("inf"),
        "p99_ms": p99,
        "max_ms": max(waits, default=float("inf")),
        "goal": f"0 lost, p99 < {P99_GOAL_MS:.0f} ms",
        "met": lost == 0 and p99 < P99_GOAL_MS,
        "writes_per_second": 2 * options.writes / taken,
    }
    tell(document, options.json)


if __name__ == "__main__":
    main()
