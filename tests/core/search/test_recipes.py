"""Which recipe answers, and what is said of it."""

from __future__ import annotations

import pytest
from tests.core.search.conftest import SearchEncoder, Searching
from tests.core.search.test_keyword_lane import add
from tests.samples.encoders import encoded

from hivemind.domain.search import Mode, Recipe, SearchRequest
from hivemind.domain.vectors import Encoded
from hivemind.errors import EmbedderUnavailable
from hivemind.search.recipes import Choice, Standing, choose

ENCODED = encoded("ferry")
POOLED_ONLY = Encoded(ENCODED.pooled, ENCODED.tokens[:0], ENCODED.pieces)
HERE, NOWHERE = Standing(1, 0), Standing(None, 3, "no memory has been embedded yet")


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("recipe", list(Recipe))
def test_with_vectors_what_was_asked_is_what_answers(mode: Mode, recipe: Recipe) -> None:
    choice = choose(SearchRequest("x", mode=mode, recipe=recipe), ENCODED, "", [("a", HERE)])
    if mode is Mode.KEYWORD:
        assert (choice.mode, choice.recipe) == (Mode.KEYWORD, Recipe.SEED)
        assert len(choice.notes) == (recipe is not Recipe.SEED)
    else:
        assert choice == Choice(mode, recipe)


def test_one_mind_without_vectors_is_named_and_all_without_mean_words_only() -> None:
    request = SearchRequest("x")
    some = choose(request, ENCODED, "", [("a", HERE), ("b", NOWHERE)])
    assert (some.mode, some.recipe) == (Mode.HYBRID, Recipe.DEFAULT)
    assert some.notes == ("In the mind “b” only words were looked for: no memory has been embedded yet.",)
    none = choose(request, ENCODED, "", [("a", NOWHERE), ("b", NOWHERE)])
    assert (none.mode, none.recipe) == (Mode.KEYWORD, Recipe.SEED)
    assert none.notes[0] == "Searched by words only: no memory has been embedded yet."
    assert choose(request, ENCODED, "", []).mode is Mode.KEYWORD


def test_a_model_without_token_vectors_says_what_that_means() -> None:
    choice = choose(SearchRequest("x"), POOLED_ONLY, "", [("a", HERE)])
    assert choice.recipe is Recipe.DEFAULT
    assert "one vector for a whole text" in choice.notes[0]
    assert choose(SearchRequest("x", recipe=Recipe.SEED), POOLED_ONLY, "", [("a", HERE)]).notes == ()


def test_another_models_vectors_are_never_compared(meant: Searching) -> None:
    add(meant, "the ferry", "the boat")
    meant.embed()
    assert meant.find("ferry").mode is Mode.HYBRID
    first = meant.encoder
    meant.encoder = SearchEncoder("another")
    result = meant.find("ferry")
    assert (result.mode, result.recipe, result.pending_vectors) == (Mode.KEYWORD, Recipe.SEED, 0)
    assert "embedded by another model" in result.degraded
    assert [hit.text for hit in result.hits] == ["the ferry"]
    meant.encoder = first
    assert len(meant.find("ferry").hits) == 2


def test_a_model_that_fails_leaves_the_words(meant: Searching) -> None:
    class Failing(SearchEncoder):
        async def encode_query(self, text: str) -> Encoded:
            raise EmbedderUnavailable("The search model stopped twice", "Restart.")

    add(meant, "the ferry", "the boat")
    meant.embed()
    meant.encoder = Failing()
    result = meant.find("ferry")
    assert [hit.text for hit in result.hits] == ["the ferry"]
    assert "Searched by words only: the search model stopped twice." in result.degraded


def test_the_seeds_recipe_is_rrf_of_both_lanes_times_relevance(meant: Searching) -> None:
    add(meant, "the ferry", "the boat", "a ferry and a boat", "zebra")
    meant.embed()
    result = meant.find("ferry", recipe=Recipe.SEED)
    assert (result.mode, result.recipe, result.degraded) == (Mode.HYBRID, Recipe.SEED, "")
    assert len(result.hits) == 4
    for hit in result.hits:
        why = hit.explanation
        assert hit.score == pytest.approx(why.relevance * sum(1 / (60 + lane.rank) for lane in why.lanes), abs=1e-12)
        assert sum(part.value for part in why.parts) == pytest.approx(hit.score, abs=1e-12)
        assert why.late is None
    assert {lane.lane for lane in result.hits[0].explanation.lanes} == {"keyword", "vector"}


def test_an_empty_query_is_not_encoded(meant: Searching) -> None:
    add(meant, "the ferry")
    meant.embed()
    result = meant.find("***")
    assert (result.hits, result.degraded) == ((), "There is no word in it to look for.")
    assert meant.encoder is not None
    assert meant.encoder.asked == []
