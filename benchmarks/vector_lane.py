"""The vector lane at 100,000 frames against plain vec0 floats of the wheel: time, recall@10, memory, physical limit.

The vectors are made up: each is a mix of two of 4,000 random directions in a space of 384 dimensions, turned into 1,024
as the bundled model does, so that a vector has neighbours as texts have. `--vectors FILE.npy` takes real ones instead
(float32[n, 1024]) and mixes those. For comparison, recall is also told for directions that have nothing to do with each
other, where one bit a number cannot tell the nearest from the rest.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

from hivemind.domain.frames import FrameDraft, Origin, Provenance
from hivemind.domain.sessions import SessionKind
from hivemind.domain.vectors import Encoded, ModelIdentity
from hivemind.gateway import genesis
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.vector_codec import pack
from hivemind.search.resident_bits import ResidentBits
from hivemind.search.vector_index import WEIGHED, VectorIndex
from measuring import alternate, arguments, median, median_ratio, percentile, tell

Floats = NDArray[np.float32]
GOAL, RECALL_GOAL, BYTES_GOAL = 6.0, 0.98, 130
DIRECTIONS, INNER, DIM = 4_000, 384, 1_024
BATCH = 500


def unit(vectors: NDArray[Any]) -> Floats:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def directions(chance: np.random.Generator, file: Path | None) -> Floats:
    if file is not None:
        return unit(np.load(file))
    turned, _ = np.linalg.qr(chance.standard_normal((DIM, INNER)))
    return unit(chance.standard_normal((DIRECTIONS, INNER)) @ turned.T)


def mixed(chance: np.random.Generator, known: Floats, count: int) -> Floats:
    one, other = chance.integers(0, len(known), (2, count))
    return unit(known[one] + known[other] * chance.uniform(0.2, 1.0, (count, 1)))


def fill(mind: Mind, vectors: Floats) -> int:
    """Frames with these vectors; returns the id of the first."""
    nothing = np.empty((0, 64), np.float32)
    identity = ModelIdentity("made up", "1", "0" * 64, token_dim=0)

    def begin(tx: MindTransaction) -> tuple[str, int, int]:
        session = tx.sessions.create(SessionKind.CONVERSATION).id
        model = tx.vectors.register(identity)
        return session, tx.frames.create_i_frame(FrameDraft("A conversation", session_id=session)).id, model

    session, base, model = mind.submit_write(begin).result()

    def write(tx: MindTransaction, start: int) -> int:
        part = vectors[start : start + BATCH]
        drafts = [
            FrameDraft(f"Message {start + n}", session, source=Provenance.IMPORT, origin=Origin.IMPORT)
            for n in range(len(part))
        ]
        ids = tx.frames.add_imported(drafts, base)
        packed = [
            pack(frame_id, Encoded(vector, nothing, ()), None) for frame_id, vector in zip(ids, part, strict=True)
        ]
        tx.vectors.put_packed(model, packed)
        return ids[0]

    firsts = [
        mind.submit_write(lambda tx, start=start: write(tx, start)).result() for start in range(0, len(vectors), BATCH)
    ]
    return firsts[0]


def plain_table(file: Path, vectors: Floats) -> apsw.Connection:
    """vec0 as its documentation shows it, with the cache of our readers."""
    connection = apsw.Connection(str(file))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.pragma("cache_size", -8_192)
    connection.execute("CREATE VIRTUAL TABLE plain USING vec0(embedding float[1024])")
    with connection:
        connection.executemany(
            "INSERT INTO plain (rowid, embedding) VALUES (?, ?)",
            ((number, vector.tobytes()) for number, vector in enumerate(vectors)),
        )
    return connection


def bandwidth(vectors: Floats) -> float:
    """Bytes a second of one thread that only reads, the best of five."""
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        vectors.sum()
        taken.append(time.perf_counter() - began)
    return vectors.nbytes / min(taken)


def recall(found: list[set[int]], exact: list[set[int]]) -> float:
    return float(np.mean([len(a & b) / len(b) for a, b in zip(found, exact, strict=True)]))


def exact_ten(vectors: Floats, queries: Floats) -> list[set[int]]:
    return [set(np.argpartition(-(vectors @ query), 10)[:10].tolist()) for query in queries]


def recall_without_neighbours(chance: np.random.Generator, count: int) -> float:
    """Of the bits alone, over directions that have nothing to do with each other."""
    vectors, queries = unit(chance.standard_normal((count, DIM))), unit(chance.standard_normal((30, DIM)))
    bits = ResidentBits()
    bits.put(range(count), np.packbits(vectors > 0, axis=1, bitorder="little").tobytes())
    found = [set(bits.closest(query, WEIGHED)[:64].tolist()) for query in queries]
    return recall(found, exact_ten(vectors, queries))


def measure(frames: int, number: int, file: Path | None) -> dict[str, Any]:
    chance = np.random.default_rng(11)
    known = directions(chance, file)
    vectors, queries = mixed(chance, known, frames), mixed(chance, known, number)
    speed = bandwidth(vectors)
    exact = exact_ten(vectors, queries)
    with tempfile.TemporaryDirectory() as folder:
        mind = Mind.open(Path(folder, "bench.mind"), "bench", create=True, seeders=(genesis(),))
        plain = plain_table(Path(folder, "plain.db"), vectors)
        try:
            first = fill(mind, vectors)
            index = VectorIndex.of(mind)
            began = time.perf_counter()
            mind.submit_read(index.refresh).result()
            loading = time.perf_counter() - began
            found: dict[int, set[int]] = {}

            def ours(at: int, limit: int) -> float:
                began = time.perf_counter()
                hits = mind.submit_read(lambda tx: index.nearest(tx, queries[at], limit)).result()
                taken = time.perf_counter() - began
                if limit == 10:
                    found[at] = {frame_id - first for frame_id, _ in hits}
                return taken

            def theirs(at: int) -> float:
                began = time.perf_counter()
                plain.execute(
                    "SELECT rowid, distance FROM plain WHERE embedding MATCH ? AND k = 10", (queries[at].tobytes(),)
                ).fetchall()
                return time.perf_counter() - began

            for at in range(3):
                ours(at, 10), theirs(at)
            turn = {name: iter(range(number)) for name in ("ten", "lane", "plain")}
            taken = alternate(
                number,
                {
                    "ten": lambda: ours(next(turn["ten"]), 10),
                    "lane": lambda: ours(next(turn["lane"]), 100),
                    "plain": lambda: theirs(next(turn["plain"])),
                },
            )
        finally:
            plain.close()
            mind.close()
    ratio = median_ratio(taken["plain"], taken["ten"])
    hit, size = recall([found[at] for at in range(number)], exact), index.nbytes / frames
    return {
        "ratio": ratio,
        "goal": GOAL,
        "recall_at_10": hit,
        "recall_goal": RECALL_GOAL,
        "bytes_per_frame": size,
        "bytes_goal": BYTES_GOAL,
        "met": ratio >= GOAL and hit >= RECALL_GOAL and size <= BYTES_GOAL * 1.01,
        "p50_ms": median(taken["ten"]) * 1_000,
        "p95_ms": percentile(taken["ten"], 0.95) * 1_000,
        "lane_of_100_p50_ms": median(taken["lane"]) * 1_000,
        "plain_p50_ms": median(taken["plain"]) * 1_000,
        "plain_p95_ms": percentile(taken["plain"], 0.95) * 1_000,
        "loading_ms": loading * 1_000,
        "read_gb_per_s": speed / 1e9,
        "limit_of_exact_scan_ms": vectors.nbytes / speed * 1_000,
        "limit_of_bit_scan_ms": frames * 128 / speed * 1_000,
        "recall_without_neighbours": recall_without_neighbours(chance, frames),
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=30)
    parser.add_argument("--vectors", type=Path, help="float32[n, 1024] to mix instead of random directions")
    options = parser.parse_args()
    document = {
        "benchmark": "vector lane",
        "against": f"vec0 float[1024] of sqlite-vec {sqlite_vec.__version__} from PyPI, k = 10, same vectors, same run",
        "vectors": f"mixes of {options.vectors.name}" if options.vectors else "mixes of random directions, not texts",
        "frames": options.frames,
        **measure(options.frames, options.queries, options.vectors),
    }
    tell(document, options.json)


if __name__ == "__main__":
    main()
