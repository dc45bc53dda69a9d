"""Small ChatGPT exports for tests: as many conversations as wanted, with known words in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

BEGAN = 1_715_696_000.0


def conversation(number: int, texts: list[str], title: str = "") -> dict[str, Any]:
    """A conversation whose messages alternate between user and assistant."""
    mapping: dict[str, Any] = {"root": {"id": "root", "parent": None, "children": ["0"], "message": None}}
    for place, text in enumerate(texts):
        mapping[str(place)] = {
            "id": str(place),
            "parent": "root" if place == 0 else str(place - 1),
            "children": [str(place + 1)] if place + 1 < len(texts) else [],
            "message": {
                "id": str(place),
                "author": {"role": "user" if place % 2 == 0 else "assistant"},
                "create_time": BEGAN + number * 86_400 + place * 60,
                "content": {"content_type": "text", "parts": [text]},
            },
        }
    key = f"conversation-{number}"
    return {
        "id": key,
        "conversation_id": key,
        "title": title or f"Talk number {number}",
        "create_time": BEGAN + number * 86_400,
        "update_time": BEGAN + number * 86_400 + len(texts) * 60,
        "current_node": str(len(texts) - 1),
        "mapping": mapping,
    }


def write_export(file: Path, conversations: int = 3, messages: int = 4, length: int = 1) -> Path:
    """Message texts name their place, so that each can be searched for: `zebra3` is in conversation 3 only."""
    made = [
        conversation(
            number,
            [
                f"We speak of zebra{number}, part {place}. " + "Some more words follow here. " * length
                for place in range(messages)
            ],
        )
        for number in range(conversations)
    ]
    file.write_text(json.dumps(made), encoding="utf-8")
    return file
