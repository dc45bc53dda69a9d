"""The child's side: what it sends, from where it goes on, and how little it loads and holds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.samples.chatgpt import conversation, many, write_json, write_zip

from hivemind.errors import SourceUnreadable
from hivemind.harvest.prepared import (
    CHUNK_FRAMES,
    CHUNK_MESSAGES,
    Batch,
    ItemOutcome,
    PreparedChunk,
    SourceEnded,
    SourceOpened,
)
from hivemind.harvest.reading import Reading, preview_source, read_source

ROOT = Path(__file__).parents[3]


def entries(path: Path, first: int = 0, skip: int = 0) -> list[PreparedChunk | ItemOutcome]:
    answers = list(read_source(Reading(str(path), "auto", None, first, skip)))
    assert isinstance(answers[0], SourceOpened) and isinstance(answers[-1], SourceEnded)
    return [entry for answer in answers if isinstance(answer, Batch) for entry in answer.entries]


def test_it_opens_sends_and_ends(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", [*many(5), {"id": "x"}])
    opened, *batches, ended = read_source(Reading(str(path), "auto", None))
    assert isinstance(opened, SourceOpened) and isinstance(ended, SourceEnded)
    assert (opened.source, opened.name, opened.total) == ("chatgpt", "a.json", path.stat().st_size)
    assert ended.found == 6
    assert isinstance(batches[-1], Batch) and batches[-1].done == opened.total


def test_no_transaction_is_larger_than_agreed(tmp_path: Path) -> None:
    turns = [("user", "word " * 300) for _ in range(700)]
    path = write_json(tmp_path / "a.json", [*many(100), conversation("big", turns)])
    for answer in read_source(Reading(str(path), "auto", None)):
        if isinstance(answer, Batch):
            messages = [m for e in answer.entries if isinstance(e, PreparedChunk) for m in e.messages]
            assert len(messages) <= CHUNK_MESSAGES
            assert sum(len(m.pieces) for m in messages) <= CHUNK_FRAMES


@pytest.mark.parametrize(("first", "skip"), [(0, 0), (3, 0), (5, 128), (5, 384), (6, 0), (9, 0)])
def test_it_goes_on_where_it_stopped(tmp_path: Path, first: int, skip: int) -> None:
    turns = [("user", f"turn {n}") for n in range(500)]
    path = write_json(tmp_path / "a.json", [*many(5), conversation("big", turns), *many(2)])
    whole = entries(path)
    expected = [
        entry
        for entry in whole
        if isinstance(entry, PreparedChunk) and (entry.item.ordinal, entry.first) >= (first, skip)
    ]
    assert entries(path, first, skip) == expected


def test_parts_count_on_and_a_broken_part_costs_itself(tmp_path: Path) -> None:
    first, second = many(2)
    members = {
        "conversations-000.json": json.dumps([first]).encode(),
        "conversations-001.json": b'[{"mapping": {"author"',
        "conversations-002.json": json.dumps([second]).encode(),
    }
    found = entries(write_zip(tmp_path / "a.zip", members))
    assert [type(entry) for entry in found] == [PreparedChunk, ItemOutcome, PreparedChunk]
    assert [e.item.ordinal if isinstance(e, PreparedChunk) else e.ordinal for e in found] == [0, 1, 2]


def test_a_preview_is_one_answer(tmp_path: Path) -> None:
    (seen,) = preview_source(str(write_json(tmp_path / "a.json", many(1))))
    assert seen.source == "chatgpt"
    with pytest.raises(SourceUnreadable):
        list(preview_source(str(tmp_path / "nothing")))


def test_a_preview_unpacks_archives_inside_where_it_is_told(tmp_path: Path) -> None:
    inner = write_zip(tmp_path / "inner.zip", {"conversations.json": json.dumps(many(1)).encode()}).read_bytes()
    outer = write_zip(tmp_path / "outer.zip", {"part.zip": inner})
    (seen,) = preview_source(str(outer), str(tmp_path))
    assert seen.source == "chatgpt"
    with pytest.raises(SourceUnreadable):
        list(preview_source(str(outer), str(tmp_path / "nowhere")))


def test_the_child_loads_neither_the_window_nor_the_database() -> None:
    code = (
        "import sys; import hivemind.harvest.reading;"
        "print(sorted(m for m in sys.modules if m.startswith(('PySide6', 'apsw', 'hivemind.mind', 'hivemind.engine'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT / "core")}
    )
    assert done.stdout.strip() == "[]"
