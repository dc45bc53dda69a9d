"""Conversation trees as hypothesis draws them, and an independent reader of the whole file to compare with."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from tests.samples.chatgpt import START, message

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=80)
HOSTILE = st.text(
    st.one_of(st.characters(exclude_categories=()), st.sampled_from("\x00\x07\ud83d\udc00\ue200\ue202\ue201【†】\n")),
    max_size=40,
)


@st.composite
def conversations(draw: st.DrawFn, max_messages: int = 400, texts: st.SearchStrategy[str] = TEXTS) -> dict[str, Any]:
    """0 to `max_messages` messages: regenerated branches, shuffled nodes, missing children, odd current nodes."""
    size = draw(st.one_of(st.integers(0, 12), st.integers(0, max_messages)))
    lines = draw(st.lists(texts, min_size=1, max_size=6))
    rng = random.Random(draw(st.integers(0, 2**32)))
    branching = draw(st.sampled_from([0.0, 0.1, 0.6]))
    timeless = draw(st.sampled_from([0.0, 0.3, 1.0]))
    nodes: list[dict[str, Any]] = [{"id": "root", "message": None, "parent": None, "children": []}]
    for n in range(size):
        parent = rng.choice(nodes) if rng.random() < branching else nodes[-1]
        at = None if rng.random() < timeless else START + 10 * n
        body = message(f"m{n}", rng.choice(["user", "assistant"]), f"{n} {rng.choice(lines)}", at)
        parent["children"].append(f"m{n}")
        nodes.append({"id": f"m{n}", "message": body, "parent": parent["id"], "children": []})
    if draw(st.booleans()):
        for node in nodes:
            del node["children"]
    leaf = nodes[-1]["id"]
    current = draw(st.sampled_from([leaf, None, "nowhere", rng.choice(nodes)["id"]]))
    if draw(st.booleans()):
        rng.shuffle(nodes)
    return {
        "id": draw(st.sampled_from(["c1", "c-ü", "../../etc/passwd"])),
        "title": draw(st.one_of(st.none(), texts)),
        "create_time": draw(st.sampled_from([None, START, "1750000000.5", "2025-06-15T15:06:40Z"])),
        "current_node": current,
        "mapping": {node["id"]: node for node in nodes},
    }


@dataclass(frozen=True)
class Told:
    """A message as the oracle reads it."""

    ext_id: str
    role: str
    text: str


def visible_thread(conversation: dict[str, Any]) -> list[Told]:
    """The thread a person sees, from a conversation loaded whole."""
    mapping = conversation["mapping"]
    end = conversation["current_node"]
    if end not in mapping or not _upwards(mapping, end):
        parents = {node["parent"] for node in mapping.values()}
        leaves = [key for key in mapping if key not in parents]
        dated = [key for key in leaves if _time(mapping[key]) is not None]
        latest = max((_time(mapping[key]) for key in dated), default=None)
        end = [key for key in leaves if _time(mapping[key]) == latest][-1]
    return list(reversed(_upwards(mapping, end)))


def everything(conversation: dict[str, Any]) -> list[Told]:
    return [_told(node["message"]) for node in conversation["mapping"].values() if node["message"]]


def _time(node: dict[str, Any]) -> float | None:
    found = node["message"] and node["message"]["create_time"]
    return found if isinstance(found, float) else None


def _upwards(mapping: dict[str, Any], key: str | None) -> list[Told]:
    found = []
    while key is not None and key in mapping:
        if mapping[key]["message"]:
            found.append(_told(mapping[key]["message"]))
        key = mapping[key]["parent"]
    return found


def _told(body: dict[str, Any]) -> Told:
    return Told(body["id"], body["author"]["role"], clean("\n".join(p for p in body["content"]["parts"] if p)))


def clean(text: str) -> str:
    """What may be stored of a text: the rule in the issue, written once more."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = [c for c in text if c in "\t\n" or not (ord(c) < 32 or ord(c) == 127)]
    return re.sub("[\ud800-\udfff\ufdd0]", "\ufffd", "".join(kept))
