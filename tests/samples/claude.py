"""Exports of Claude's shape, written for these tests: one message, one conversation."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

BEGAN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def at(minutes: int) -> str:
    """A time as Claude writes it."""
    return (BEGAN + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


def told(uuid: str, sender: str, text: str, minutes: int = 0, **changes: Any) -> dict[str, Any]:
    """A plain message; `changes` replace its fields."""
    return {
        "uuid": uuid,
        "sender": sender,
        "text": text,
        "content": [{"type": "text", "text": text, "citations": []}] if text else [],
        "created_at": at(minutes),
        "updated_at": at(minutes),
        "attachments": [],
        "files": [],
        **changes,
    }


def talk(uuid: str, turns: Iterable[str | dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """A conversation: texts by turns from human and assistant, a minute apart, or whole messages."""
    messages = [
        turn if isinstance(turn, dict) else told(f"{uuid}-{n}", ("human", "assistant")[n % 2], turn, n)
        for n, turn in enumerate(turns)
    ]
    return {
        "uuid": uuid,
        "name": f"Talk {uuid}",
        "summary": "",
        "created_at": at(0),
        "updated_at": at(len(messages)),
        "account": {"uuid": "acc"},
        "chat_messages": messages,
        **changes,
    }
