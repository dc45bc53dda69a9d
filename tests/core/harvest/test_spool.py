"""Bodies of a conversation wait in memory or in a private file, and leave nothing behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.harvest import ItemEnded, ItemStarted, MessageRead
from hivemind.harvest.assembly import Assembly
from hivemind.harvest.prepared import PreparedChunk
from hivemind.harvest.spool import Spool, clear_spool


def said(number: int, text: str) -> MessageRead:
    return MessageRead(0, f"m{number}", None, "user", "user", None, None, "speech", False, text, text)


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=50), max_size=20), st.sampled_from([0, 600, 10**9]))
def test_what_goes_in_comes_out_in_any_order(texts: list[str], memory: int) -> None:
    spool = Spool(None, memory)
    messages = [said(n, text) for n, text in enumerate(texts)]
    for message in messages:
        spool.add(message)
    assert len(spool) == len(texts)
    assert [spool.load(n) for n in reversed(range(len(texts)))] == messages[::-1]
    spool.close()


@pytest.mark.skipif(sys.platform == "win32", reason="files have owners in another way there")
def test_the_file_is_the_owners_alone_and_gone_at_the_end(tmp_path: Path) -> None:
    spool = Spool(str(tmp_path), 0)
    spool.add(said(0, "a secret"))
    assert spool._file is not None
    assert os.fstat(spool._file.fileno()).st_mode & 0o077 == 0
    assert b"a secret" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    spool.close()
    assert list(tmp_path.iterdir()) == []


def test_leftovers_are_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "spool-killed").write_text("x")
    (tmp_path / "other").write_text("x")
    clear_spool(tmp_path)
    clear_spool(tmp_path / "not there")
    assert [file.name for file in tmp_path.iterdir()] == ["other"]


def test_an_assembly_that_is_closed_midway_leaves_nothing(tmp_path: Path) -> None:
    assembly = Assembly("chatgpt", "ChatGPT", str(tmp_path))
    list(assembly.take(ItemStarted(0)))
    for n in range(30):
        list(assembly.take(said(n, "x" * 100_000)))
    assembly.close()
    assert list(tmp_path.iterdir()) == []


def test_a_conversation_larger_than_the_memory_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def assembled() -> list[PreparedChunk]:
        assembly = Assembly("chatgpt", "ChatGPT", str(tmp_path))
        parents: tuple[tuple[str, str | None], ...] = tuple((f"m{n}", f"m{n - 1}" if n else None) for n in range(450))
        events = [ItemStarted(0), *(said(n, f"text {n}") for n in range(450))]
        end = ItemEnded(0, "c", "t", None, None, "m449", parents)
        return [ready for event in [*events, end] for ready in assembly.take(event) if isinstance(ready, PreparedChunk)]

    small = assembled()
    monkeypatch.setattr("hivemind.harvest.assembly.Spool", lambda folder: Spool(folder, 0))
    assert assembled() == small
    assert [(chunk.first, len(chunk.messages), chunk.last) for chunk in small] == [
        (0, 128, False), (128, 128, False), (256, 128, False), (384, 66, True),
    ]  # fmt: skip
