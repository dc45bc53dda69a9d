"""The explanation in words: lanes with ranks, the absent lane with its reason, parts that add up."""

from __future__ import annotations

from dataclasses import replace

from tests.desktop.memories.test_model import hit

from hivemind.domain.search import Explanation, LaneRank, Mode, Profile, Recipe, ScorePart, SearchResult, Signal
from hivemind_desktop.memories.reasons import as_text, reasons_of

TOLD = Explanation(
    matched=("Postgres",),
    lanes=(LaneRank("keyword", 1, -3.5), LaneRank("cjk", 4, 2.0)),
    parts=(ScorePart("temporal", 0.012), ScorePart("summary", -0.002)),
    signals=(Signal("temporal", 0.41, 0.3, "opened 12 days ago"), Signal("contextual", 0.0, 0.0, "no graph yet")),
    relevance=0.5,
    score=0.01,
    recipe=Recipe.SEED,
    profile=Profile.BALANCED,
)
RESULT = SearchResult((), Mode.KEYWORD, Recipe.SEED, 14, 0, "Searched by words only.", 0.01, "q")


def test_lanes_and_weights() -> None:
    told = reasons_of(replace(hit("Postgres", "Postgres"), explanation=TOLD, rank=2), RESULT)
    assert told.place == "2 of 14"
    assert told.score == "0.010"
    words, unspaced, meaning = told.lanes
    assert (words.name, words.rank, words.facts, words.is_best) == ("By words", "no. 1", "Postgres", True)
    assert unspaced.rank == "no. 4"
    assert (meaning.rank, meaning.facts) == ("", "Searched by words only.")
    assert [(weight.name, weight.number, weight.reason) for weight in told.weights] == [
        ("Recent", "0.41", "opened 12 days ago")
    ]
    assert told.recipe == "balanced · by place"


def test_a_meaning_lane_says_how_similar() -> None:
    told = replace(TOLD, lanes=(LaneRank("vector", 1, 0.78),))
    (meaning,) = reasons_of(replace(hit("Postgres"), explanation=told), RESULT).lanes
    assert meaning.facts == "similarity 0.78"


def test_the_copied_text_holds_every_number() -> None:
    text = as_text(TOLD, "2 of 14", "0.010")
    for number in ("0.012000", "-0.002000", "-3.5000", "0.41", "0.30", "Postgres", "2 of 14"):
        assert number in text


def test_a_factor_of_one_is_no_full_bar() -> None:
    signals = (
        Signal("popularity", 1.0, 0.2, "never opened"),
        Signal("popularity", 1.2, 0.2, "used 99 times"),
        Signal("importance", 1.0, 0.2, "marked normal"),
        Signal("importance", 2.0, 0.2, "marked critical"),
        Signal("temporal", 1.0, 0.4, "within the last 7 days"),
    )
    told = reasons_of(replace(hit("Postgres"), explanation=replace(TOLD, signals=signals)), RESULT)
    assert [round(each.value, 6) for each in told.weights] == [0.0, 0.5, 0.5, 1.0, 1.0]
    assert [each.number for each in told.weights] == ["×1.00", "×1.20", "×1.00", "×2.00", "1.00"]


def test_no_name_of_a_recipe_is_shown() -> None:
    for recipe in Recipe:
        explanation = replace(TOLD, recipe=recipe)
        told = reasons_of(replace(hit("Postgres"), explanation=explanation), RESULT)
        assert "recipe" not in f"{told.recipe} {told.as_text}"
