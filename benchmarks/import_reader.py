"""Read an export of 200 MB item by item against json.load, each in a process of its own: time and peak memory."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from exports import write_export
from measuring import alternate, arguments, child, median, median_ratio, peak_memory, seconds, tell

TIME_GOAL = 1.7
MEMORY_GOAL = 30.0


def load(path: Path) -> int:
    """The named alternative."""
    with path.open(encoding="utf-8") as stream:
        return len(json.load(stream))


def stream(path: Path) -> int:
    """Ours: every item decoded, one at a time."""
    from hivemind.readers.json_stream import WholeItem, json_items
    from hivemind.readers.text import DecodedText

    with path.open("rb") as file:
        return sum(isinstance(item, WholeItem) for item in json_items(DecodedText(file), deep="mapping"))


def adapt(path: Path) -> int:
    """Ours with the adapter on top: every message found, its text taken out and cleaned. Counts the events."""
    from hivemind.domain.protocols import HarvestAdapter
    from hivemind.harvest.adapters import ADAPTERS
    from hivemind.harvest.sources import FilePart

    adapter: HarvestAdapter = ADAPTERS[0]
    return sum(1 for _ in adapter.read(FilePart(path.name, path.stat().st_size, path)))


WAYS = {"load": load, "stream": stream, "adapt": adapt}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--child", choices=WAYS)
    parser.add_argument("--file", type=Path)
    options = parser.parse_args()
    if options.child is not None:
        found: list[int] = []
        taken = seconds(lambda: found.append(WAYS[options.child](options.file)))
        print(json.dumps({"seconds": taken, "found": found[0], "peak": peak_memory()}))
        return
    with tempfile.TemporaryDirectory() as folder:
        file = options.file or Path(folder, "conversations.json")
        if options.file is None:
            write_export(file, seed=3, size=int(options.megabytes * 1_000_000))
        tell(compared(file, options.rounds), options.json)


def compared(file: Path, rounds: int) -> dict[str, Any]:
    answers: dict[str, list[dict[str, Any]]] = {name: [] for name in WAYS}

    def measured(name: str) -> float:
        answers[name].append(child(__file__, "--child", name, "--file", str(file)))
        return float(answers[name][-1]["seconds"])

    taken = alternate(rounds, {name: lambda name=name: measured(name) for name in WAYS})
    peak = {name: median([one["peak"] for one in answers[name]]) for name in WAYS}
    ratio, memory = median_ratio(taken["load"], taken["stream"]), peak["load"] / peak["stream"]
    size = file.stat().st_size
    if answers["load"][0]["found"] != answers["stream"][0]["found"]:
        raise SystemExit("the two ways found different numbers of conversations")
    return {
        "benchmark": "import_reader",
        "ratio": ratio,
        "memory_ratio": memory,
        "goal": f"{TIME_GOAL} in time, {MEMORY_GOAL:.0f} in peak memory",
        "met": ratio >= TIME_GOAL and memory >= MEMORY_GOAL,
        "against": "json.load in a process of its own",
        "bytes": size,
        "conversations": answers["load"][0]["found"],
        "rounds": rounds,
        "load_seconds": median(taken["load"]),
        "stream_seconds": median(taken["stream"]),
        "load_peak_mb": peak["load"] / 1e6,
        "stream_peak_mb": peak["stream"] / 1e6,
        "adapter_ratio": median_ratio(taken["load"], taken["adapt"]),
        "adapter_events_per_second": answers["adapt"][0]["found"] / median(taken["adapt"]),
        "adapter_mb_per_second": size / 1e6 / median(taken["adapt"]),
        "adapter_peak_mb": peak["adapt"] / 1e6,
    }


if __name__ == "__main__":
    main()
