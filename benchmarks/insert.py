"""Insert frames as an import does, in batches, against one transaction per frame; word index and outbox included."""

from __future__ import annotations

import random
import tempfile
import uuid
from pathlib import Path

from exports import sentences
from hivemind.domain.frames import Frame, FrameDraft, Origin, Provenance
from hivemind.domain.sessions import SessionKind
from hivemind.gateway import genesis
from hivemind.mind import Mind, MindTransaction
from measuring import alternate, arguments, median, median_ratio, seconds, tell

GOAL = 3.5


def drafts(number: int, seed: int) -> list[FrameDraft]:
    """Texts of up to 600 characters, as the import cuts them."""
    chance = random.Random(seed)
    pool = sentences(chance)
    return [
        FrameDraft(
            content=" ".join(chance.choices(pool, k=chance.randint(1, 5)))[:600],
            source=Provenance.IMPORT,
            origin=Origin.IMPORT,
            event_at="2025-06-30T12:00:00.000Z",
            speaker="user" if at % 2 else "assistant",
            role="user" if at % 2 else "assistant",
            position=at,
        )
        for at in range(number)
    ]


def base_frame(mind: Mind) -> Frame:
    """A fresh session with its I-frame, so that every round writes into the same mind under the same conditions."""

    def make(tx: MindTransaction) -> Frame:
        session = tx.sessions.create(SessionKind.CONVERSATION, session_id=f"bench:{uuid.uuid4().hex}")
        return tx.frames.create_i_frame(FrameDraft(content="A conversation", session_id=session.id))

    return mind.submit_write(make).result()


def in_batches(mind: Mind, frames: list[FrameDraft], size: int) -> None:
    base = base_frame(mind).id
    for at in range(0, len(frames), size):
        part = frames[at : at + size]
        mind.submit_write(lambda tx, part=part: tx.frames.add_imported(part, base)).result()


def one_by_one(mind: Mind, frames: list[FrameDraft]) -> None:
    base = base_frame(mind).id
    for draft in frames:
        mind.submit_write(lambda tx, draft=draft: tx.frames.create_p_frame(draft, base)).result()


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--frames", type=int, default=2_000)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    frames = drafts(options.frames, seed=7)
    with tempfile.TemporaryDirectory() as folder:
        mind = Mind.open(Path(folder, "bench.mind"), "bench", create=True, seeders=(genesis(),))
        try:
            in_batches(mind, frames[:200], 100)
            taken = alternate(
                options.rounds,
                {
                    "batches": lambda: seconds(lambda: in_batches(mind, frames, options.batch)),
                    "one by one": lambda: seconds(lambda: one_by_one(mind, frames)),
                },
            )
            vectors = mind.database.vector.loaded
            owed = mind.submit_read(lambda tx: tx.outbox.pending("embedding")).result()
        finally:
            mind.close()
    ratio = median_ratio(taken["one by one"], taken["batches"])
    document = {
        "benchmark": "insert",
        "ratio": ratio,
        "goal": GOAL,
        "met": ratio >= GOAL,
        "against": "one transaction per frame, same mind, same thread",
        "frames": options.frames,
        "batch": options.batch,
        "frames_per_second": options.frames / median(taken["batches"]),
        "frames_per_second_one_by_one": options.frames / median(taken["one by one"]),
        "rounds": options.rounds,
        "vector_table": vectors,
        "owed_to_the_embedder": owed,
    }
    tell(document, options.json)


if __name__ == "__main__":
    main()
