"""The index's own tokeniser, with positions in characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.search.conftest import Searching

from hivemind.search.words import Word, may_be_token, stems, tokeniser


def test_positions_are_characters_and_stems_are_the_indexes(one: Searching) -> None:
    text = "Müller 用户 was running, Београду"
    found = one.read(lambda tx: tokeniser(tx.connection)(text))
    assert [text[word.start : word.end] for word in found] == ["Müller", "用户", "was", "running", "Београду"]
    assert stems(found) == ("muller", "用户", "wa", "run", "београду")
    assert found[0] == Word(0, 6, "muller")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_every_token_is_a_stretch_of_the_text_that_stems_to_itself(lasting: Searching, text: str) -> None:
    def look(tx):  # type: ignore[no-untyped-def]
        tokenise = tokeniser(tx.connection)
        return [(word, stems(tokenise(text[word.start : word.end]))) for word in tokenise(text)]

    last = 0
    for word, again in lasting.read(look):
        assert last <= word.start < word.end <= len(text)
        assert again == (word.stem,)
        last = word.end


@pytest.mark.parametrize("text", ["", "\ud800", "…"])
def test_text_without_words(one: Searching, text: str) -> None:
    assert one.read(lambda tx: tokeniser(tx.connection)(text)) == []


def test_it_is_the_tokeniser_of_the_table(one: Searching) -> None:
    sql = one.read(
        lambda tx: tx.connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'memory_frames_fts'").fetchone()
    )
    assert sql is not None
    assert "tokenize='porter unicode61'" in sql[0]


def test_no_character_that_sqlite_keeps_is_cut_off_a_query(one: Searching) -> None:
    planes = (range(1, 0xD800), range(0xE000, 0x20000), range(0xE0000, 0xE0200))
    points = [chr(n) for plane in planes for n in plane]
    text = " ".join(points)
    kept = {text[word.start : word.end] for word in one.read(lambda tx: tokeniser(tx.connection)(text))}
    assert len(kept) > 50_000
    assert [point for point in kept if not may_be_token(point)] == []
