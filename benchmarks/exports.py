"""Synthetic ChatGPT exports, seeded: the same seed and size give the same file. Used by the other benchmarks."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_VOCABULARY = (
    "the a of to and in that is for with as on by it from this we you can will plan model data query index memory "
    "project meeting budget vendor contract migration Postgres server backup release review deadline customer invoice "
    "garden recipe travel hotel flight Lisbon Müller Београд straße résumé naïve function class return import value "
    "error because therefore however maybe please explain compare summarise draft rewrite translate table column row"
)
_WORDS = _VOCABULARY.split()
_UNSPACED = ("用户身份验证需要更新", "会議は来週の火曜日です", "데이터베이스 마이그레이션 계획", "การประชุมครั้งถัดไป")
_EPOCH = 1_700_000_000
_SENTENCES = 4_000


def sentences(chance: random.Random) -> list[str]:
    """A pool of sentences: mostly words of Latin script, some others, some lines of code."""
    pool = []
    for _ in range(_SENTENCES):
        words = chance.choices(_WORDS, k=chance.randint(5, 22))
        pool.append(" ".join(words).capitalize() + chance.choice([".", ".", ".", "?", ":"]))
    pool += [f"{text}。" for text in _UNSPACED for _ in range(20)]
    pool += [f"```python\nresult_{n} = query(limit={n})\n```" for n in range(100)]
    return pool


def conversation(number: int, chance: random.Random, pool: list[str], messages: int) -> dict[str, Any]:
    """One conversation as the export writes it: a tree with a bare root, some answers given twice."""
    name = f"{chance.getrandbits(64):016x}-{number:08d}"
    created = _EPOCH + number * 3_600
    root = f"{name}-root"
    mapping: dict[str, Any] = {root: {"id": root, "message": None, "parent": None, "children": []}}
    parent = root
    for at in range(messages):
        role = "user" if at % 2 == 0 else "assistant"
        for again in range(2 if role == "assistant" and chance.random() < 0.04 else 1):
            node = f"{name}-{at:04d}-{again}"
            mapping[node] = _node(node, parent, role, created + at * 40 + again, chance, pool)
            mapping[parent]["children"].append(node)
        parent = node
    return {
        "title": " ".join(chance.choices(_WORDS, k=4)).capitalize(),
        "create_time": created + 0.25,
        "update_time": created + messages * 40 + 0.5,
        "mapping": mapping,
        "moderation_results": [],
        "current_node": parent,
        "conversation_id": name,
        "id": name,
        "default_model_slug": "gpt-4o",
        "is_archived": False,
        "safe_urls": [],
    }


def _node(node: str, parent: str, role: str, at: int, chance: random.Random, pool: list[str]) -> dict[str, Any]:
    length = chance.randint(1, 3) if role == "user" else chance.randint(2, 14)
    message = {
        "id": node,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at + 0.125,
        "update_time": None,
        "content": {"content_type": "text", "parts": [" ".join(chance.choices(pool, k=length))]},
        "status": "finished_successfully",
        "end_turn": True if role == "assistant" else None,
        "weight": 1.0,
        "metadata": {"model_slug": "gpt-4o", "request_id": node, "timestamp_": "absolute", "citations": []},
        "recipient": "all",
        "channel": None,
    }
    return {"id": node, "message": message, "parent": parent, "children": []}


def conversations(seed: int, shortest: int = 2, longest: int = 24) -> Iterator[dict[str, Any]]:
    """Without end; lengths in messages are drawn evenly."""
    chance = random.Random(seed)
    pool = sentences(chance)
    number = 0
    while True:
        yield conversation(number, chance, pool, chance.randint(shortest, longest))
        number += 1


def write_export(
    path: Path, *, seed: int = 1, count: int = 0, size: int = 0, shortest: int = 2, longest: int = 24
) -> int:
    """Write `count` conversations, or as many as reach `size` bytes. Returns how many were written."""
    written = bytes_out = 0
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write("[")
        for one in conversations(seed, shortest, longest):
            if written == count > 0 or bytes_out >= size > 0:
                break
            text = json.dumps(one)
            stream.write((", " if written else "") + text)
            bytes_out += len(text) + 2
            written += 1
        stream.write("]")
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--conversations", type=int, default=0)
    parser.add_argument("--megabytes", type=float, default=0)
    parser.add_argument("--longest", type=int, default=24, help="messages of the longest conversation")
    options = parser.parse_args()
    if bool(options.conversations) == bool(options.megabytes):
        parser.error("give --conversations or --megabytes")
    size = int(options.megabytes * 1_000_000)
    count = write_export(
        options.path, seed=options.seed, count=options.conversations, size=size, longest=options.longest
    )
    print(json.dumps({"path": str(options.path), "conversations": count, "bytes": options.path.stat().st_size}))


if __name__ == "__main__":
    main()
