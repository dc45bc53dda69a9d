"""LoCoMo conversations as a folder of JSON files: turns with their dates, questions with the turns that answer them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hivemind.clock import stamp

#: Category 5 asks for what was never said, so no turn answers it.
CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop"}


@dataclass(frozen=True, slots=True)
class Turn:
    """`id` as the data has it: D3:11 is the eleventh turn of the third session. `session` counts from 1."""

    id: str
    session: int
    at: str | None
    speaker: str
    text: str
    caption: str | None


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in reading order; questions of categories 1 to 4 whose evidence can be read."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def load(folder: Path) -> list[Conversation]:
    """Every *.json of the folder, by name."""
    return [_conversation(file.stem, json.loads(file.read_text("utf-8"))) for file in sorted(folder.glob("*.json"))]


def _conversation(name: str, data: dict[str, Any]) -> Conversation:
    body = data.get("conversation", data)
    numbers = sorted(int(key[8:]) for key, value in body.items() if re.fullmatch(r"session_\d+", key) and value)
    turns = tuple(turn for number in numbers for turn in _turns(body, number))
    known = {turn.id for turn in turns}
    asked = [
        Question(entry["question"], entry["category"], _evidence(entry.get("evidence"), known))
        for entry in data["qa"]
        if entry["category"] in CATEGORIES
    ]
    return Conversation(name, turns, tuple(question for question in asked if question.evidence))


def _turns(body: dict[str, Any], number: int) -> list[Turn]:
    at = _moment(body.get(f"session_{number}_date_time", ""))
    return [
        Turn(turn["dia_id"], number, at, turn["speaker"], turn.get("text") or "", turn.get("blip_caption") or None)
        for turn in body[f"session_{number}"]
    ]


def _moment(text: str) -> str | None:
    """`1:56 pm on 8 May, 2023` as a stamp; None when it is no such text."""
    try:
        return stamp(datetime.strptime(" ".join(text.upper().split()), "%I:%M %p ON %d %B, %Y").replace(tzinfo=UTC))
    except ValueError:
        return None


def _evidence(raw: object, known: set[str]) -> frozenset[str]:
    """Ids as written by hand (`D8:6; D9:17`, `D30:05`, `D:11:26`), those that name a turn."""
    written = re.findall(r"D:?(\d+):(\d+)", " ".join(map(str, raw if isinstance(raw, list) else [])))
    return frozenset(f"D{int(session)}:{int(turn)}" for session, turn in written) & known
