"""Exports of ChatGPT's shape, written for these tests: one message, one conversation, one file."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

START = 1_750_000_000.0


def message(ext_id: str, role: str, text: str, at: float | None = None, **changes: Any) -> dict[str, Any]:
    """A plain spoken message; `changes` replace its fields."""
    return {
        "id": ext_id,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "weight": 1.0,
        "recipient": "all",
        "metadata": {},
        **changes,
    }


def chain(messages: Iterable[dict[str, Any]], root: str = "root") -> dict[str, Any]:
    """A mapping in which each message follows the one before."""
    mapping: dict[str, Any] = {root: {"id": root, "message": None, "parent": None, "children": []}}
    parent = root
    for one in messages:
        mapping[one["id"]] = {"id": one["id"], "message": one, "parent": parent, "children": []}
        mapping[parent]["children"].append(one["id"])
        parent = one["id"]
    return mapping


def conversation(ext_id: str, turns: Iterable[tuple[str, str]], **changes: Any) -> dict[str, Any]:
    """A conversation of (role, text) turns, a minute apart; `changes` replace its fields."""
    turns = list(turns)
    messages = [message(f"{ext_id}-{n}", role, text, START + 60 * n) for n, (role, text) in enumerate(turns)]
    return {
        "id": ext_id,
        "conversation_id": ext_id,
        "title": f"Talk {ext_id}",
        "create_time": START,
        "update_time": START + 60 * len(messages),
        "current_node": messages[-1]["id"] if messages else "root",
        "mapping": chain(messages),
        **changes,
    }


def many(count: int, turns: int = 4, words: str = "the ferry leaves the harbour at noon") -> list[dict[str, Any]]:
    """Conversations whose texts all differ."""
    return [
        conversation(
            f"c{n:04d}",
            [("user" if k % 2 == 0 else "assistant", f"{words}, talk {n}, turn {k}.") for k in range(turns)],
        )
        for n in range(count)
    ]


def write_json(path: Path, value: object, encoding: str = "utf-8") -> Path:
    path.write_bytes(json.dumps(value).encode(encoding))
    return path


def write_zip(path: Path, members: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path
