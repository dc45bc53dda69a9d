"""Milliseconds from a query to its vectors, with the child and its pipe included; against sentence-transformers with
the same weights when an environment that has it is named, and else against the same graph in full precision.

    query_embedding.py --other VENV/bin/python --weights FOLDER     a folder as sentence-transformers reads it
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from pathlib import Path

from hivemind.embeddings import Embedder, UsageRecorder
from hivemind.embeddings.encoding import TextEncoder
from measuring import alternate, arguments, median, median_ratio, percentile, tell
from models import bundled, lines, unquantised

GOAL, REACH, P50_GOAL_MS = 3.5, 5.0, 5.0
_OTHER = """
import json, sys, time
import torch
from sentence_transformers import SentenceTransformer
torch.set_num_threads(1)
model = SentenceTransformer(sys.argv[1], device="cpu")
for line in sys.stdin:
    began = time.perf_counter()
    model.encode([json.loads(line)], normalize_embeddings=True)
    print(time.perf_counter() - began, flush=True)
"""


class Other:
    """sentence-transformers in an environment of its own, asked one query at a time."""

    def __init__(self, python: Path, weights: Path) -> None:
        environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [python, "-c", _OTHER, weights], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def seconds(self, query: str) -> float:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(query) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--other", type=Path, help="a Python that has sentence-transformers")
    parser.add_argument("--weights", type=Path, help="the model's folder for it")
    options = parser.parse_args()
    queries = lines(options.queries + 20, 12, seed=9)
    eight, full = TextEncoder(bundled(), 1), TextEncoder(unquantised(), 1)
    embedder, loop = Embedder(bundled(), UsageRecorder()), asyncio.new_event_loop()
    other = Other(options.other, options.weights) if options.other and options.weights else None
    loop.run_until_complete(embedder.start())
    number = 0

    def timed(work: object) -> float:
        began = time.perf_counter()
        assert callable(work)
        work(queries[number])
        return time.perf_counter() - began

    ways = {
        "child": lambda: timed(lambda query: loop.run_until_complete(embedder.encode_query(query))),
        "inside": lambda: timed(eight.query),
        "float": lambda: timed(full.query),
    }
    if other is not None:
        ways["other"] = lambda: other.seconds(queries[number])
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(len(queries)):  # noqa: B007 - the ways above read it
        for name, values in alternate(1, ways).items():
            taken[name] += values
    taken = {name: values[20:] for name, values in taken.items()}  # the first ones warm up
    against = "other" if other is not None else "float"
    ratio, p50 = median_ratio(taken[against], taken["child"]), median(taken["inside"]) * 1_000
    tell(
        {
            "benchmark": "query_embedding",
            "p50_ms": median(taken["child"]) * 1_000,
            "p95_ms": percentile(taken["child"], 0.95) * 1_000,
            "p50_inside_ms": p50,
            "ratio_inside": median_ratio(taken[against], taken["inside"]),
            "goal": f"inside at most {P50_GOAL_MS} ms; {GOAL} times as fast as sentence-transformers (reach {REACH})",
            "met": p50 <= P50_GOAL_MS and (other is None or ratio >= GOAL),
            "against": "sentence-transformers" if other is not None else "the same graph in full precision, in process",
            "ratio": ratio,
            "against_p50_ms": median(taken[against]) * 1_000,
            "load_seconds": embedder.load_seconds,
            "queries": options.queries,
        },
        options.json,
    )
    loop.run_until_complete(embedder.aclose())
    loop.close()
    if other is not None:
        other.close()


if __name__ == "__main__":
    main()
