"""Evidence recall on LoCoMo through the engine's search, against plain RRF60 of the same lanes in the same run.

Retrieval only: recall@k is the share of the turns that answer a question among the first k that are found. It is not
comparable with published answer-accuracy figures. Each session is a conversation with its summary, turns are cut into
frames as an import cuts them; once with one mind per conversation, once with all of them in one mind; with the clock
at the data's last day and today.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from hivemind.clock import stamp, system_clock
from hivemind.domain.frames import FrameDraft, Origin, Provenance
from hivemind.domain.indexed_text import embedded_text
from hivemind.domain.search import Profile, Recipe, SearchRequest
from hivemind.domain.sessions import SessionKind
from hivemind.embeddings import Embedder, find_model
from hivemind.embeddings.usage import UsageRecorder
from hivemind.embeddings.vocabulary import Vocabulary
from hivemind.engine.encoder_access import ReadyEncoder
from hivemind.gateway import genesis
from hivemind.harvest.frames import cut, summary
from hivemind.mind import Mind, MindTransaction
from hivemind.mind.vector_codec import pack
from hivemind.search import search
from hivemind.search.filters import Scope
from hivemind.search.fusion import fuse, rrf
from hivemind.search.keyword_lane import keyword_lane
from hivemind.search.lanes import lane_query
from hivemind.search.meaning import Meaning
from hivemind.search.query import parse
from hivemind.search.vector_index import VectorIndex
from hivemind.search.vector_lane import vector_lane
from locomo import CATEGORIES, Conversation, Question, Turn, load
from measuring import arguments, percentile, tell

DEPTHS = (5, 10, 20)
#: Frames asked for: more than the deepest recall, since parts of one turn count once.
ASKED = 50
#: Deeper lanes make plain RRF worse on this data (56 at 200).
RRF_LANE = 20


class Filled:
    """A mind with conversations in it, and which turn each of its frames is of."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.turn_of: dict[int, tuple[str, str]] = {}
        self.texts: dict[int, str] = {}

    def add(self, conversation: Conversation) -> None:
        for _, turns in groupby(conversation.turns, key=lambda turn: turn.session):
            said = tuple(turns)
            self.mind.submit_write(lambda tx, said=said: self._session(tx, conversation.name, said)).result()

    def _session(self, tx: MindTransaction, name: str, turns: Sequence[Turn]) -> None:
        at = turns[0].at
        people = list(dict.fromkeys(turn.speaker for turn in turns))
        title = f"{' and '.join(people)}, session {turns[0].session}"
        session = tx.sessions.create(SessionKind.CONVERSATION, title, source="locomo").id
        text = summary(title, "LoCoMo", (at, at), people, turns[0].text, turns[-1].text)
        imported: dict[str, Any] = {"origin": Origin.IMPORT, "source": Provenance.IMPORT, "event_at": at}
        base = tx.frames.create_i_frame(FrameDraft(text, session, **imported)).id
        self.texts[base] = embedded_text(at, None, text, None)
        drafts = []
        for position, turn in enumerate(turns):
            for part, (start, end) in enumerate(cut(turn.text)):
                place: dict[str, Any] = {"position": position, "part": part, "speaker": turn.speaker}
                caption = turn.caption if part == 0 else None
                drafts.append(FrameDraft(turn.text[start:end], captions=caption, **place, **imported))
                self.turn_of[-len(drafts)] = (name, turn.id)
        for number, frame_id in enumerate(tx.frames.add_imported(drafts, base), start=1):
            draft = drafts[number - 1]
            self.turn_of[frame_id] = self.turn_of.pop(-number)
            self.texts[frame_id] = embedded_text(at, draft.speaker, draft.content, draft.captions)

    def turns(self, name: str, frame_ids: Sequence[int]) -> list[str]:
        """The turns of frames in their order, each once; those of other conversations take a place and never count."""
        found = [self.turn_of[frame_id] for frame_id in frame_ids if frame_id in self.turn_of]
        return [turn if of == name else f"{of} {turn}" for of, turn in dict.fromkeys(found)]


async def embed(filled: Filled, embedder: Any) -> None:
    ids = list(filled.texts)
    encoded = await embedder.encode_documents([filled.texts[frame_id] for frame_id in ids])
    content = embedder.content_pieces
    packed = [pack(frame_id, one, content) for frame_id, one in zip(ids, encoded, strict=True)]

    def write(tx: MindTransaction) -> None:
        tx.vectors.put_packed(tx.vectors.register(embedder.identity), packed)

    await filled.mind.write(write)


async def plain_rrf(filled: Filled, query: str, embedder: Any) -> list[int]:
    """RRF with K = 60 of the two lanes, nothing else."""
    encoded = await embedder.encode_query(query)

    def run(tx: MindTransaction) -> list[int]:
        serving = tx.vectors.serving()
        assert serving is not None
        meaning = Meaning(tx, encoded, embedder, VectorIndex.of(filled.mind), serving.model_id)
        lanes = lane_query(tx.connection, parse(query), Scope(()), RRF_LANE, meaning=meaning)
        places = fuse([keyword_lane(lanes), vector_lane(lanes)])
        return sorted(places, key=lambda frame_id: (-rrf(places[frame_id]), -frame_id))

    return await filled.mind.read(run)


def score(ranked: Sequence[str], question: Question) -> dict[str, float]:
    return {f"recall@{k}": len(question.evidence & set(ranked[:k])) / len(question.evidence) for k in DEPTHS}


class Tally:
    """Recalls of one system over all questions."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, dict[str, float]]] = []
        self._seconds: list[float] = []

    def add(self, question: Question, ranked: Sequence[str], seconds: float) -> None:
        self._rows.append((question.category, score(ranked, question)))
        self._seconds.append(seconds)

    def told(self) -> dict[str, Any]:
        document: dict[str, Any] = {f"recall@{k}": self._mean(f"recall@{k}", None) for k in DEPTHS}
        for category, name in CATEGORIES.items():
            document[name] = {f"recall@{k}": self._mean(f"recall@{k}", category) for k in DEPTHS}
        return document | {"p50_ms": percentile(self._seconds, 0.5) * 1_000, "questions": len(self._rows)}

    def _mean(self, name: str, category: int | None) -> float:
        values = [row[name] for of, row in self._rows if category in {None, of}]
        return round(100 * sum(values) / max(1, len(values)), 2)


#: What is compared: our default recipe by each profile, the seed's recipe, and plain RRF of the same lanes.
SYSTEMS: dict[str, SearchRequest | None] = {
    "default": SearchRequest(""),
    "seed": SearchRequest("", recipe=Recipe.SEED),
    "rrf60": None,
}
PROFILES = {str(profile): SearchRequest("", profile=profile) for profile in Profile if profile is not Profile.BALANCED}


async def ask(
    filled: Filled,
    conversation: Conversation,
    embedder: Any,
    systems: dict[str, SearchRequest | None],
    tallies: dict[str, Tally],
    now: str,
) -> None:
    """Put every question of a conversation to every system, in turning order."""
    for number, question in enumerate(conversation.questions):
        names = list(systems)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            request, began = systems[name], time.perf_counter()
            if request is None:
                ids = await plain_rrf(filled, question.text, embedder)
            else:
                asked = replace(request, query=question.text, minds=(filled.mind.workspace,), limit=ASKED, now=now)
                ids = [hit.frame.id for hit in (await search([filled.mind], asked, system_clock, embedder)).hits]
            tallies[name].add(question, filled.turns(conversation.name, ids), time.perf_counter() - began)


async def measure(data: Path, embedder: Any, *, profiles: bool) -> dict[str, Any]:
    """Every system over every question, in both arrangements and at both times."""
    conversations = load(data)
    last = max(turn.at for conversation in conversations for turn in conversation.turns if turn.at)
    clocks = {"last_day": last, "today": stamp(system_clock())}
    systems = SYSTEMS | (PROFILES if profiles else {})
    document: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for arrangement, groups in {"apart": [[one] for one in conversations], "one_mind": [conversations]}.items():
            tallies = {clock: {name: Tally() for name in systems} for clock in clocks}
            for number, group in enumerate(groups):
                path = Path(folder, f"{arrangement}-{number}.mind")
                mind = await asyncio.to_thread(Mind.open, path, "bench", create=True, seeders=(genesis(),))
                filled = Filled(mind)
                for conversation in group:
                    filled.add(conversation)
                await embed(filled, embedder)
                for conversation in group:
                    for clock, now in clocks.items():
                        await ask(filled, conversation, embedder, systems, tallies[clock], now)
                await mind.aclose()
            for clock, by_system in tallies.items():
                document[f"{arrangement}, clock {clock}"] = {name: one.told() for name, one in by_system.items()}
    return document


async def ready_encoder() -> ReadyEncoder:
    """The model that the program would use, loaded."""
    folder = find_model()
    embedder = Embedder(folder, UsageRecorder())
    return ReadyEncoder(embedder, Vocabulary.read(folder.path), await embedder.start())


async def run(data: Path, *, profiles: bool) -> dict[str, Any]:
    encoder = await ready_encoder()
    try:
        return await measure(data, encoder, profiles=profiles)
    finally:
        await encoder.encoder.aclose()


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with LoCoMo's JSON files")
    parser.add_argument("--profiles", action="store_true", help="the other profiles too")
    options = parser.parse_args()
    document: dict[str, Any] = {
        "benchmark": "retrieval",
        "against": "RRF with K = 60 of the same two lanes, 20 frames each",
        "says": "evidence recall on LoCoMo, retrieval only; not comparable with published answer-accuracy figures",
        "goals": {"recall@10": 82, "recall@5": 74, "one mind, recall@10": 80},
    }
    tell(document | asyncio.run(run(options.data, profiles=options.profiles)), options.json)


if __name__ == "__main__":
    main()
