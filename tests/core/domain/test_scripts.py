"""Unspaced scripts: which text needs the CJK table, and bigrams that trigram can match."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.scripts import has_unspaced_script, padded_bigrams, runs

HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=2, max_size=12)


@pytest.mark.parametrize("text", ["用户", "重跑gen-itgc后", "こんにちは", "한국어", "ภาษาไทย"])
def test_unspaced_scripts_are_seen(text):
    assert has_unspaced_script(text)


@pytest.mark.parametrize("text", ["", "Müller", "Београд", "Ελλάδα", "שלום", "emoji 🍸"])
def test_spaced_scripts_are_left_to_words(text):
    assert not has_unspaced_script(text)
    assert padded_bigrams(text) == ""


@given(HAN)
def test_every_pair_of_a_run_is_found_by_match(text):
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(b, tokenize='trigram')")
    connection.execute("INSERT INTO t VALUES (?)", (padded_bigrams(text),))
    for at in range(len(text) - 1):
        assert connection.execute("SELECT count(*) FROM t WHERE t MATCH ?", (f'"{text[at : at + 2]} "',)).get == 1
    assert runs(text) == [text]
