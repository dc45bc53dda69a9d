"""Bytes a frame takes in a mind with everything that search needs, the archive of verbatim messages apart.

LoCoMo's turns, each conversation several times over until there are enough frames, with the bundled model's vectors:
copies share their text's vectors, which changes what is stored by nothing, but are sessions and frames of their own.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hivemind.domain.frames import FrameDraft, Origin, Provenance
from hivemind.domain.indexed_text import embedded_text
from hivemind.domain.sessions import SessionKind
from hivemind.domain.vectors import Encoded, ModelIdentity
from hivemind.embeddings import Embedder, UsageRecorder
from hivemind.embeddings.vocabulary import Vocabulary
from hivemind.gateway import genesis
from hivemind.mind import Mind, MindTransaction
from hivemind.mind import models as stored_models
from hivemind.mind.vector_codec import pack
from locomo import Conversation, Turn, load
from measuring import arguments, tell
from models import bundled

#: By token bits: what is to be reached beside four times the text.
GOALS = {8: 6_600, 4: 5_800}
BATCH = 200
_PARTS = ("vec", "bits", "frame_tokens", "fts", "frame_feed")


def draft(turn: Turn, session: str, position: int) -> FrameDraft:
    return FrameDraft(
        turn.text,
        session,
        source=Provenance.IMPORT,
        origin=Origin.IMPORT,
        event_at=turn.at,
        speaker=turn.speaker,
        role="user",
        position=position,
        captions=turn.caption,
    )


def spoken(conversations: list[Conversation]) -> list[tuple[str, list[Turn]]]:
    """(title, turns) of every session of every conversation."""
    found: dict[tuple[str, int], list[Turn]] = {}
    for conversation in conversations:
        for turn in conversation.turns:
            if turn.text.strip():
                found.setdefault((conversation.name, turn.session), []).append(turn)
    return [(f"{name}, session {number}", turns) for (name, number), turns in found.items()]


def text_of(turn: Turn) -> str:
    return embedded_text(turn.at, turn.speaker, turn.text, turn.caption)


async def encoded(texts: list[str]) -> tuple[ModelIdentity, dict[str, Encoded], Vocabulary]:
    folder = bundled()
    embedder = Embedder(folder, UsageRecorder())
    try:
        identity = await embedder.start()
        vectors = await embedder.encode_documents(texts)
    finally:
        await embedder.aclose()
    return identity, dict(zip(texts, vectors, strict=True)), Vocabulary.read(folder.path)


def fill(
    mind: Mind,
    sessions: list[tuple[str, list[Turn]]],
    frames: int,
    model: tuple[ModelIdentity, dict[str, Encoded], Any],
) -> tuple[int, int]:
    """Returns the frames written and the bytes of their texts."""
    identity, vectors, content = model
    written = size = 0

    def write(tx: MindTransaction, title: str, turns: list[Turn]) -> None:
        model_id = tx.vectors.register(identity)
        bits = tx.vectors.models.get(model_id).token_bits
        session = tx.sessions.create(SessionKind.CONVERSATION, title, source="chatgpt").id
        drafts = [draft(turn, session, at) for at, turn in enumerate(turns, 1)]
        base = tx.frames.create_i_frame(drafts[0]).id
        ids = [base, *tx.frames.add_imported(drafts[1:], base)]
        packed = [
            pack(frame_id, vectors[text_of(turn)], content, bits) for frame_id, turn in zip(ids, turns, strict=True)
        ]
        for start in range(0, len(packed), BATCH):
            tx.vectors.put_packed(model_id, packed[start : start + BATCH])

    while written < frames:
        for title, turns in sessions:
            mind.submit_write(lambda tx, title=title, turns=turns: write(tx, title, turns)).result()
            written += len(turns)
            size += sum(len(turn.text.encode()) for turn in turns)
    return written, size


def measure(folder: Path, frames: int, bits: int) -> dict[str, Any]:
    sessions = spoken(load(folder))
    texts = list(dict.fromkeys(text_of(turn) for _, turns in sessions for turn in turns))
    identity, vectors, vocabulary = asyncio.run(encoded(texts))
    stored_models.TOKEN_BITS = bits
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "bench.mind")
        mind = Mind.open(path, "bench", create=True, seeders=(genesis(),))
        empty = path.stat().st_size
        written, size = fill(mind, sessions, frames, (identity, vectors, vocabulary.content_pieces()))
        tables = mind.submit_read(_by_table).result()
        mind.close()
        whole = path.stat().st_size - empty
    text = size / written
    per_frame, allowed = whole / written, GOALS[bits] + 4 * text
    return {
        "bytes_per_frame": per_frame,
        "goal": allowed,
        "met": per_frame <= allowed,
        "frames": written,
        "text_bytes_per_frame": text,
        "token_bits": bits,
        **{f"of_which_{name}": used / written for name, used in tables.items()},
    }


def _by_table(tx: MindTransaction) -> dict[str, int]:
    """Bytes of the largest parts; empty where SQLite was built without `dbstat`."""
    try:
        rows = list(tx.connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC"))
    except Exception:
        return {}
    parts: dict[str, int] = {}
    for name, used in rows:
        group = next((one for one in _PARTS if one in name), "rows_and_rest")
        parts[group] = parts.get(group, 0) + int(used)
    return parts


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--data", type=Path, help="a folder of LoCoMo conversations as JSON")
    parser.add_argument("--frames", type=int, default=20_000)
    parser.add_argument("--bits", type=int, choices=sorted(GOALS), default=8)
    options = parser.parse_args()
    document: dict[str, Any] = {"benchmark": "bytes per frame", "archive": "apart"}
    if options.data is None:
        tell(document | {"skipped": "name the folder of conversations with --data"}, options.json)
        return
    tell(document | measure(options.data, options.frames, options.bits), options.json)


if __name__ == "__main__":
    main()
