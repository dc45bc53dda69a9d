"""Rows of the list: titles, snippets around the hit, words for origin and importance, paging."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from hivemind.domain.frames import Frame, FrameType, Importance, Origin, PatchKind, Provenance
from hivemind.domain.search import Explanation, Hit, Profile, Recipe, Span
from hivemind_desktop.memories.lines import (
    around_first,
    entry_of_frame,
    entry_of_hit,
    importance_word,
    origin_words,
    split_title,
)
from hivemind_desktop.memories.model import PAGE, MemoryModel
from hivemind_desktop.widgets.memory_row import LINE
from hivemind_desktop.widgets.text_paint import MarkedText

NOW = "2026-11-30T12:00:00.000Z"


def frame(**values: Any) -> Frame:
    plain: dict[str, Any] = {
        "id": 7, "uuid": "u", "type": FrameType.P, "session_id": "s", "t": 1, "base_frame_id": 1, "content": "A text",
        "importance": Importance.NORMAL, "source": Provenance.USER_STATED, "access_count": 0, "created_at": NOW,
        "last_accessed": NOW, "event_at": "2025-05-14T14:20:00.000Z", "recorded_at": NOW, "origin": Origin.SAVE,
        "patch_kind": PatchKind.ADD, "patch_target_id": None, "superseded_by": None, "pinned": False,
        "trashed_at": None, "quarantine": None, "client": None, "author": None, "agent_id": None, "speaker": None,
        "role": None,
        "position": None, "part": 0, "branch": 0, "captions": None, "flags": 0,
    }  # fmt: skip
    return Frame(**{**plain, **values})


def hit(text: str, *words: str, **values: Any) -> Hit:
    spans = tuple(Span(text.index(word), text.index(word) + len(word)) for word in words)
    told = Explanation(words, (), (), (), 1.0, 0.5, Recipe.SEED, Profile.BALANCED)
    return Hit("personal", frame(content=text, **values), text, "Postgres plan", "chatgpt", 1, 0.5, spans, told)


def test_a_short_first_line_is_the_title() -> None:
    assert split_title("Plan\nWe chose Postgres") == ("Plan", "We chose Postgres", 5)
    assert split_title("  Plan\n\nbody") == ("Plan", "\nbody", 7)


def test_a_text_of_one_line_is_title_and_body() -> None:
    assert split_title("We chose Postgres") == ("We chose Postgres", "We chose Postgres", 0)
    title, body, offset = split_title("word " * 60)
    assert len(title) <= 80
    assert title.endswith("…")
    assert (body, offset) == ("word " * 60, 0)


@given(st.text(max_size=300))
def test_the_rest_is_the_end_of_the_text(text: str) -> None:
    title, body, offset = split_title(text)
    assert text[offset:] == body
    assert "\n" not in title


@given(st.text(alphabet="abc de\n", min_size=1, max_size=400), st.data())
def test_marks_stay_on_their_words_when_the_beginning_is_cut(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    size = data.draw(st.integers(1, len(text) - start))
    cut = around_first(MarkedText(text, ((start, size),)))
    at, length = cut.hits[0]
    assert cut.text[at : at + length] == text[start : start + size]
    assert at <= 90


def test_a_hit_shows_its_words_marked_and_where_it_is_from() -> None:
    entry = entry_of_hit(hit("Plan\nWe chose Postgres for it", "Postgres"))
    assert entry.line.title == "Plan"
    (at, size), *_ = entry.line.snippet.hits
    assert entry.line.snippet.text[at : at + size] == "Postgres"
    assert entry.line.place == "ChatGPT · Postgres plan"
    assert entry.line.when == "14 May 2025"


def test_a_hit_in_the_title_only_shows_the_whole_text() -> None:
    entry = entry_of_hit(hit("Postgres plan\nWe chose it", "Postgres"))
    (at, size), *_ = entry.line.snippet.hits
    assert entry.line.snippet.text[at : at + size] == "Postgres"


def test_notes_of_trash_and_quarantine() -> None:
    assert entry_of_frame(frame(trashed_at=NOW)).line.note == "In the trash"
    assert entry_of_frame(frame(quarantine="it gives orders")).line.note == "Quarantined"
    assert entry_of_frame(frame(content="")).line.title == "Without text"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "You said this"),
        ({"source": Provenance.AGENT_INFERRED}, "Concluded by an AI"),
        ({"source": Provenance.IMPORT, "speaker": "Ana", "role": "user"}, "Ana"),
        ({"source": Provenance.IMPORT, "speaker": "user", "role": "user"}, "You"),
        ({"source": Provenance.IMPORT, "role": "assistant"}, "The AI"),
        ({"source": Provenance.IMPORT}, "From an import"),
        ({"type": FrameType.B}, "Link between memories"),
    ],
)
def test_origin_in_words(values: dict[str, Any], words: str) -> None:
    assert origin_words(frame(**values)) == words


def test_every_importance_has_a_word() -> None:
    assert len({importance_word(each) for each in Importance}) == len(Importance)


def test_hits_are_paged_once_per_answer(qtbot: QtBot) -> None:
    model = MemoryModel()
    asked: list[int] = []
    model.more_wanted.connect(lambda: asked.append(1))
    model.show_hits([entry_of_frame(frame(id=number)) for number in (9, 8)], more=True)
    root = QModelIndex()
    assert model.canFetchMore(root)
    model.fetchMore(root)
    model.fetchMore(root)
    assert asked == [1]
    model.append_hits([entry_of_frame(frame(id=number)) for number in (8, 3)], more=False)
    assert model.rowCount() == 3, "a hit that is shown already does not come twice"
    assert not model.canFetchMore(root)
    assert model.row_of(3) == 2
    assert model.row_of(99) is None
    index = model.index(0)
    assert model.data(index, LINE).title == "A text"
    assert model.data(index, Qt.ItemDataRole.DisplayRole) == "A text"
    assert "14 May 2025" in model.data(index, Qt.ItemDataRole.AccessibleTextRole)
    assert model.data(root, LINE) is None


def test_a_list_reads_what_is_looked_at(qtbot: QtBot) -> None:
    model = MemoryModel()
    wanted: list[list[int]] = []
    model.rows_wanted.connect(wanted.append)
    ids = array("q", range(10_000, 0, -1))
    model.show_ids(ids)
    assert model.rowCount() == 10_000
    assert model.data(model.index(5_000), LINE).title == "…"
    assert model.data(model.index(5_001), LINE).title == "…"
    qtbot.waitUntil(lambda: len(wanted) == 1)
    assert 5_000 in wanted[0]
    assert len(wanted[0]) == PAGE
    model.fill([entry_of_frame(frame(id=number, content=f"Memory {number}")) for number in wanted[0]])
    assert model.data(model.index(5_000), LINE).title == "Memory 5000"
    assert [model.row_of(number) for number in (10_000, 1, 5_000, 0, 10_001)] == [0, 9_999, 5_000, None, None]
    assert model.ids_at([range(2), range(9_999, 10_000)]) == [10_000, 9_999, 1]


def test_the_same_list_again_is_read_anew_without_flicker(qtbot: QtBot) -> None:
    model = MemoryModel()
    model.show_ids(array("q", [2, 1]))
    model.fill([entry_of_frame(frame(id=2, content="As it was"))])
    wanted: list[list[int]] = []
    model.rows_wanted.connect(wanted.append)
    model.show_ids(array("q", [2, 1]))
    assert model.data(model.index(0), LINE).title == "As it was"
    qtbot.waitUntil(lambda: len(wanted) == 1)
    model.forget_request()
    model.data(model.index(1), LINE)
    qtbot.waitUntil(lambda: len(wanted) == 2)
    model.fill([entry_of_frame(frame(id=2, content="As it is"))])
    assert model.data(model.index(0), LINE).title == "As it is"


def test_a_list_that_does_not_fall_is_found_too(qtbot: QtBot) -> None:
    model = MemoryModel()
    model.show_ids(array("q", [3, 9, 1]), falling=False)
    assert [model.row_of(number) for number in (3, 9, 1, 4)] == [0, 1, 2, None]


def test_hostile_text_stays_on_one_line() -> None:
    entry = entry_of_hit(replace(hit("a\u202eb\nc", "c"), session_title="x\ny"))
    assert "\n" not in entry.line.place
