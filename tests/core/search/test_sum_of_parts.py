"""Σ parts = score to 1e-6 for every hit and for why-not: each recipe, over every kind of frame there is.

Covers: default_recipe, fallback_recipe, seed_recipe, late_ranking.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import SearchEncoder, Searching
from tests.core.search.test_default_recipe import chat
from tests.core.search.test_keyword_lane import add

from hivemind.domain.frames import FrameDraft, FrameType, Importance, Origin
from hivemind.domain.search import Explanation, Mode, Profile, Recipe, SearchResult
from hivemind.domain.sessions import SessionKind
from hivemind.mind import MindTransaction

LIMIT = 1e-6
WORDS = [
    "ferry",
    "boat",
    "leaves",
    "noon",
    "doctor",
    "Ana",
    "yesterday",
    "the",
    "zebra",
    "用户身份",
    "部署完成",
    "last week",
]
QUERY = st.lists(st.sampled_from([*WORDS, "when", "who", '"the ferry"']), min_size=1, max_size=5).map(" ".join)
#: How the query is answered, by the name of the case.
WAYS = ("default", "seed", "fallback", "words")


def long_answer(searching: Searching, *parts: str) -> list[int]:
    """One message in several parts between two short ones."""

    def write(tx: MindTransaction) -> list[int]:
        session = tx.sessions.create(SessionKind.CONVERSATION, source="claude").id
        base = tx.frames.create_i_frame(FrameDraft("a talk", session, origin=Origin.IMPORT)).id
        drafts = [FrameDraft("who leaves?", speaker="Ana", position=0, origin=Origin.IMPORT)]
        drafts += [
            FrameDraft(text, speaker="assistant", position=1, part=n, origin=Origin.IMPORT)
            for n, text in enumerate(parts)
        ]
        drafts.append(FrameDraft("the doctor, yesterday", speaker="Ana", position=2, origin=Origin.IMPORT))
        return [base, *tx.frames.add_imported(drafts, base)]

    return searching.write(write)


def document(searching: Searching, *parts: str) -> list[int]:
    """The pieces of a file, which nobody speaks."""

    def write(tx: MindTransaction) -> list[int]:
        session = tx.sessions.create(SessionKind.DOCUMENT, source="files").id
        base = tx.frames.create_i_frame(FrameDraft("a file about a boat", session, origin=Origin.IMPORT)).id
        drafts = [FrameDraft(text, position=n, origin=Origin.IMPORT) for n, text in enumerate(parts)]
        return [base, *tx.frames.add_imported(drafts, base)]

    return searching.write(write)


def everything(searching: Searching) -> set[int]:
    """Every kind of frame, with vectors except for the last one."""
    ids = chat(searching, ("Ana", "the ferry leaves at noon"), ("user", "zebra?"), ("Ana", "a boat"), "用户身份 ferry")
    ids += chat(
        searching, "部署完成 yesterday", ("Ben", "the doctor leaves"), summary="boat ferry noon boat ferry noon"
    )
    ids += long_answer(searching, "The ferry leaves.", "At noon it is a boat.", "Then a doctor.", "用户身份 zebra")
    ids += document(searching, "chapter one: the boat", "部署完成", "the ferry leaves at noon", "a zebra")
    ids += add(searching, "my doctor is a zebra", "用户身份 boat", importance=Importance.CRITICAL)
    replaced = add(searching, "an old boat")[0]
    ids.append(searching.write(lambda tx: tx.frames.amend(replaced, "a new boat at noon").id))
    if searching.encoder is not None:
        searching.embed()
    return {*ids, *add(searching, "a ferry that has no vectors yet")}


@pytest.fixture(scope="module", params=WAYS)
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder: Path = tmp_path_factory.mktemp(request.param)
    searching = Searching(folder)
    if request.param != "words":
        searching.encoder = SearchEncoder(tokens=request.param != "fallback")
    yield request.param, searching, everything(searching)
    searching.close()


def adds_up(why: Explanation) -> None:
    assert abs(math.fsum(one.value for one in why.parts) - why.score) < LIMIT
    assert len({one.name for one in why.parts}) == len(why.parts)
    assert [one.name for one in why.signals] == ["temporal", "popularity", "contextual", "importance"]
    if why.late is not None:
        window = sum(one.value for one in why.parts if one.name == "window")
        assert abs(sum(one.weight * one.similarity for one in why.late.pieces) - window) < LIMIT
        assert abs(why.late.score - window) < LIMIT


def answered(way: str, result: SearchResult) -> None:
    recipe = Recipe.DEFAULT if way in ("default", "fallback") else Recipe.SEED
    assert result.recipe is recipe
    assert (result.mode is Mode.KEYWORD) is (way == "words")
    for hit in result.hits:
        assert hit.explanation.score == hit.score
        assert (hit.explanation.late is not None) is (way == "default")
        adds_up(hit.explanation)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(QUERY, st.sampled_from(list(Profile)), st.booleans(), st.data())
def test_parts_make_the_score_of_every_kind_of_frame(filled, query, profile, graph, data):  # type: ignore[no-untyped-def]
    way, searching, ids = filled
    recipe = Recipe.SEED if way == "seed" else Recipe.DEFAULT
    near = ((data.draw(st.sampled_from(sorted(ids))), 1),) if graph else ()
    expected = data.draw(st.sampled_from(sorted(ids)))
    result = searching.find(
        query, profile=profile, recipe=recipe, limit=1_000, graph_distances=near, expect_frame_id=expected
    )
    answered(way, result)
    assert result.why_not is not None
    if result.why_not.explanation is not None:
        adds_up(result.why_not.explanation)
        same = [hit for hit in result.hits if hit.frame.id == expected]
        assert [hit.explanation for hit in same] in ([], [result.why_not.explanation])
    else:
        # A phrase is a filter, which is then the reason; and words alone cannot weigh what holds none of them.
        assert '"' in query or way in ("seed", "words")
        assert result.why_not.reason


def test_every_kind_is_found_by_meaning_and_stands_in_its_own_session(filled: Any) -> None:
    way, searching, ids = filled
    if way not in ("default", "fallback"):
        assert searching.find("boat ferry zebra doctor 用户身份 部署完成", limit=1_000).hits
        return
    result = searching.find("ship", limit=1_000)
    kinds = {hit.frame.type for hit in result.hits}
    assert kinds == {FrameType.I, FrameType.P}
    assert {hit.frame.id for hit in result.hits} <= ids
    found = {hit.frame.part for hit in result.hits if hit.frame.speaker == "assistant"}
    assert found == {0, 1, 2, 3}
    for hit in result.hits:
        alone = hit.frame.position is None
        of_session = [one.value for one in hit.explanation.parts if one.name == "session"]
        if alone and hit.frame.origin is Origin.SAVE:
            assert of_session == [], "a note's session weighs nothing"
        if hit.explanation.late is not None and alone:
            assert {one.offset for one in hit.explanation.late.pieces} <= {0}
