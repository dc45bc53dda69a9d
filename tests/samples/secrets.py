"""Random secrets in several scripts, and the places of a mind where each is put."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

from hivemind.changes import ChangeStore
from hivemind.domain.calls import Call, CallKind
from hivemind.domain.frames import FrameDraft
from hivemind.domain.search import Profile, SavedSearch
from hivemind.domain.sessions import AwarenessCategory, Identity, SessionKind
from hivemind.domain.work import Change
from hivemind.gateway import record_started
from hivemind.mind import MindTransaction
from hivemind.mind.archive import NewMessage
from hivemind.mind.saved_searches import SavedSearchStore

_SCRIPTS = (
    string.ascii_letters,
    string.ascii_letters + string.digits + "-_ .",
    "äöüßéèñçøåÄÖÜ" + string.ascii_lowercase,
    "абвгдежзиклмнопрстуфхцчшщэюя",
    "用户数据保密协议项目人工智能研究院",
    string.ascii_letters + "\"\\'/{}",
)


def _frame(tx: MindTransaction, text: str, number: int) -> None:
    day = tx.sessions.notes_of_day("2026-11-30").id
    base = tx.frames.base_of(day)
    draft = FrameDraft(f"Remember {text} 用户", session_id=day, captions=f"photo of {text}")
    frame = tx.frames.create_i_frame(draft) if base is None else tx.frames.create_p_frame(draft, base.id)
    tx.connection.execute("INSERT INTO frame_notes (frame_id, summary, tags) VALUES (?, ?, ?)", (frame.id, text, text))


def _amended(tx: MindTransaction, text: str, number: int) -> None:
    day = tx.sessions.notes_of_day("2026-11-30").id
    base = tx.frames.base_of(day)
    draft = FrameDraft(f"A note numbered {number}", session_id=day)
    frame = tx.frames.create_i_frame(draft) if base is None else tx.frames.create_p_frame(draft, base.id)
    tx.frames.amend(frame.id, f"A note about {text}")


def _talk(tx: MindTransaction, text: str, number: int) -> None:
    session = tx.sessions.create(SessionKind.CONVERSATION, f"On {text}", source="chatgpt", item_id=f"item-{number}")
    tx.sessions.close(session.id, f"We spoke of {text}.")
    said = ["good morning", f"I told you of {text} before", "lemons are yellow " * 30]
    messages = [
        NewMessage(
            f"m{n}", None, 0, None, "user", "speech", None, False, 0, n, body, (f"{text}.png",) if n == 1 else ()
        )
        for n, body in enumerate(said)
    ]
    for message_id, body in zip(tx.archive.append(session.id, messages), said, strict=True):
        base = tx.frames.base_of(session.id)
        draft = FrameDraft(body, session_id=session.id)
        frame = tx.frames.create_i_frame(draft) if base is None else tx.frames.create_p_frame(draft, base.id)
        tx.archive.link(frame.id, message_id, 0, len(body))


def _speaker(tx: MindTransaction, text: str, number: int) -> None:
    day = tx.sessions.notes_of_day("2026-11-30").id
    base = tx.frames.base_of(day)
    draft = FrameDraft(f"I say this as number {number} 你好", session_id=day, speaker=text)
    tx.frames.create_i_frame(draft) if base is None else tx.frames.create_p_frame(draft, base.id)


def _log(tx: MindTransaction, text: str, number: int) -> None:
    record_started(tx.connection, tx.now, Call(f"call-{number}", CallKind.LLM_CALL, "m", "p", input_text=f"of {text}"))


def _self(tx: MindTransaction, text: str, number: int) -> None:
    tx.identity.set(Identity(f"{text} the {number}", role=text))
    tx.awareness.add(AwarenessCategory.TASK, f"buy {text}", metadata=json.dumps({"what": text}))


def _kept(tx: MindTransaction, text: str, number: int) -> None:
    ChangeStore(tx).record(Change(f"Change {number}", (("identity.set", {"to": {"name": text}}),)))
    SavedSearchStore(tx.connection).replace([SavedSearch("Mine", text, Profile.BALANCED)])


def _layers(tx: MindTransaction, text: str, number: int) -> None:
    run = tx.connection.execute
    run("INSERT INTO knowledge_entities (entity_type, name, properties) VALUES ('x', ?, ?)", (text, json.dumps([text])))
    run("INSERT INTO execution_traces (trace_json) VALUES (?)", (json.dumps({"said": text}, ensure_ascii=False),))
    run("INSERT INTO episodes (kind, day, content) VALUES ('daily', '2026-11-30', ?)", (f"Today: {text}",))
    run("INSERT INTO agent_plans (uuid, payload) VALUES (?, ?)", (f"plan-{number}", json.dumps({"do": text})))
    run("INSERT INTO procedures (name, template) VALUES (?, ?)", (f"p{number}", f"say {text}"))


def _import(tx: MindTransaction, text: str, number: int) -> None:
    tx.connection.execute(
        "INSERT INTO import_runs (source, name, path, state, started_at) VALUES ('chatgpt', ?, ?, 'finished', ?)",
        (f"{text}.zip", f"/home/me/{text}.zip", tx.now),
    )
    run = tx.connection.last_insert_rowid()
    tx.connection.execute(
        "INSERT INTO import_items (run_id, ordinal, item_id, title, state) VALUES (?, 0, ?, ?, 'failed')",
        (run, f"notes/{text}.md", text),
    )


PLACES: dict[str, Callable[[MindTransaction, str, int], None]] = {
    "frame": _frame, "amended": _amended, "talk": _talk, "speaker": _speaker, "log": _log, "self": _self,
    "kept": _kept, "layers": _layers, "import": _import,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RandomSecret:
    """`places`: keys of PLACES where it stands."""

    text: str
    places: tuple[str, ...]
    number: int

    def plant(self, tx: MindTransaction) -> None:
        for place in self.places:
            PLACES[place](tx, self.text, self.number)


def random_secret(chance: random.Random, number: int) -> RandomSecret:
    """Eight to thirty characters of one script; no space at its ends, and never two in a row."""
    script = chance.choice(_SCRIPTS)
    text = " ".join("".join(chance.choice(script) for _ in range(chance.randint(8, 30))).split())
    while len(text) < 8:
        text += chance.choice(string.ascii_lowercase)
    return RandomSecret(text, tuple(chance.sample(sorted(PLACES), chance.randint(1, 4))), number)
