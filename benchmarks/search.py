"""Keyword search as the window asks it, at two sizes, against a plain FTS5 OR query with LIMIT on the same words.

The plain query is timed inside the reader thread, the search from the caller's side: parsing, lanes, fusion,
relevance, explanations, ten hits with spans, and the way to the thread and back.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import apsw

from hivemind.clock import system_clock
from hivemind.domain.frames import FrameDraft, Origin, Provenance
from hivemind.domain.search import SearchRequest
from hivemind.domain.sessions import SessionKind
from hivemind.gateway import genesis
from hivemind.mind import Mind, MindTransaction
from hivemind.search import parse, search
from measuring import alternate, arguments, median_ratio, percentile, tell

VOCABULARY = 30_000
LETTERS = "etaoinshrdlcumwfgypbvk"
MESSAGES = 24
#: More frames than these are put in by SQL and not through the store.
BY_SQL = 200_000


def vocabulary(chance: random.Random) -> tuple[list[str], list[float]]:
    """Made-up words with Zipf's frequencies, the commonest first."""
    words = list(dict.fromkeys("".join(chance.choices(LETTERS, k=chance.randint(3, 10))) for _ in range(VOCABULARY)))
    total, steps = 0.0, []
    for rank in range(1, len(words) + 1):
        total += 1 / (rank + 2)
        steps.append(total)
    return words, steps


def fill(mind: Mind, frames: int, chance: random.Random, words: list[str], steps: list[float]) -> None:
    """Conversations of 24 messages with 20 to 90 words each, spread over two years."""

    def write(tx: MindTransaction, number: int) -> None:
        session = tx.sessions.create(SessionKind.CONVERSATION, f"Conversation {number}", source="chatgpt").id
        at = f"{2025 + number % 2}-{1 + number % 11:02d}-{1 + number % 28:02d}T12:00:00.000Z"

        def draft(position: int) -> FrameDraft:
            text = " ".join(chance.choices(words, cum_weights=steps, k=chance.randint(20, 90)))
            speaker = ("user", "assistant")[position % 2]
            return FrameDraft(
                text,
                session,
                source=Provenance.IMPORT,
                origin=Origin.IMPORT,
                event_at=at,
                speaker=speaker,
                role=speaker,
            )

        base = tx.frames.create_i_frame(draft(0)).id
        tx.frames.add_imported([draft(position) for position in range(1, MESSAGES)], base)

    def batch(tx: MindTransaction, first: int) -> None:
        for number in range(first, min(first + 20, frames // MESSAGES)):
            write(tx, number)

    for first in range(0, frames // MESSAGES, 20):
        mind.submit_write(lambda tx, first=first: batch(tx, first)).result()


def fill_by_sql(path: Path, frames: int, chance: random.Random, words: list[str], steps: list[float]) -> None:
    """The same texts and times through plain SQL, the word index in one go: for sizes that would take an hour."""
    connection = apsw.Connection(str(path))
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.execute("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
    connection.execute("INSERT INTO speakers (id, name, kind) VALUES (1, 'user', 'role'), (2, 'assistant', 'role')")
    for number in range(frames // MESSAGES):
        if number % 2_000 == 0:
            connection.execute("COMMIT; BEGIN" if number else "BEGIN")
        gop, base = f"bulk{number}", number * MESSAGES + 1
        title = f"Conversation {number}"
        connection.execute("INSERT INTO sessions (gop_id, title, source) VALUES (?, ?, 'chatgpt')", (gop, title))
        at = f"{2025 + number % 2}-{1 + number % 11:02d}-{1 + number % 28:02d}T12:00:00.000Z"
        connection.executemany(
            "INSERT INTO memory_frames (id, frame_type, gop_id, t, base_frame_id, patch_kind, content, source, origin,"
            " event_at, last_accessed, uuid, content_hash, norm_hash, speaker_id, role, position)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 'import', 'import', ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    base + place,
                    "P" if place else "I",
                    gop,
                    place,
                    base if place else None,
                    "add" if place else None,
                    " ".join(chance.choices(words, cum_weights=steps, k=chance.randint(20, 90))),
                    at,
                    at,
                    f"u{base + place}",
                    (base + place).to_bytes(16, "big"),
                    (base + place).to_bytes(8, "big"),
                    1 + place % 2,
                    ("user", "assistant")[place % 2],
                    place,
                )
                for place in range(MESSAGES)
            ),
        )
    connection.execute("COMMIT")
    connection.execute(
        "INSERT INTO memory_frames_fts (rowid, content) SELECT memory_frames.id, name || ': ' || content"
        " FROM memory_frames JOIN speakers ON speakers.id = speaker_id"
    )
    connection.close()


def queries(chance: random.Random, words: list[str], steps: list[float], number: int) -> list[str]:
    """Three to six words as they occur in the texts, but for the sixty commonest, which stand for stop words."""
    made = []
    while len(made) < number:
        chosen = [w for w in chance.choices(words, cum_weights=steps, k=12) if words.index(w) >= 60]
        made.append("what about the " + " ".join(chosen[: chance.randint(3, 6)]))
    return made


def plain(mind: Mind, query: str) -> float:
    match = " OR ".join(f'"{term.text}"' for term in parse(query).terms)

    def run(tx: MindTransaction) -> float:
        began = time.perf_counter()
        list(
            tx.connection.execute(
                "SELECT rowid, rank FROM memory_frames_fts WHERE memory_frames_fts MATCH ? ORDER BY rank LIMIT 10",
                (match,),
            )
        )
        return time.perf_counter() - began

    return mind.submit_read(run).result()


def measure(frames: int, number: int) -> dict[str, Any]:
    chance = random.Random(11)
    words, steps = vocabulary(chance)
    asked = queries(chance, words, steps, number)
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        mind = Mind.open(Path(folder, "bench.mind"), "bench", create=True, seeders=(genesis(),))
        try:
            if frames > BY_SQL:
                fill_by_sql(mind.path, frames, chance, words, steps)
            else:
                fill(mind, frames, chance, words, steps)

            def ours(query: str) -> float:
                began = time.perf_counter()
                runner.run(search([mind], SearchRequest(query), system_clock))
                return time.perf_counter() - began

            for query in asked[:10]:
                ours(query), plain(mind, query)
            turn = {"search": iter(asked), "plain": iter(asked)}
            taken = alternate(
                number,
                {"search": lambda: ours(next(turn["search"])), "plain": lambda: plain(mind, next(turn["plain"]))},
            )
        finally:
            mind.close()
    return {
        "p50_ms": percentile(taken["search"], 0.5) * 1_000,
        "p95_ms": percentile(taken["search"], 0.95) * 1_000,
        "plain_p50_ms": percentile(taken["plain"], 0.5) * 1_000,
        "plain_p95_ms": percentile(taken["plain"], 0.95) * 1_000,
        "ratio": median_ratio(taken["search"], taken["plain"]),
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--frames", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--queries", type=int, default=100)
    options = parser.parse_args()
    document: dict[str, Any] = {
        "benchmark": "search",
        "against": "SELECT … MATCH the same words by OR, ORDER BY rank LIMIT 10, same mind",
        "queries": options.queries,
    }
    for frames in options.frames:
        document |= {f"{name}_{frames}": value for name, value in measure(frames, options.queries).items()}
    tell(document, options.json)


if __name__ == "__main__":
    main()
