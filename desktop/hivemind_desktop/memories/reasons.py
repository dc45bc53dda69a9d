"""The explanation of a hit in words: lanes, signals and parts of the score, ready for the Why panel."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from hivemind.domain.search import Explanation, Hit, LaneRank, Profile, Recipe, SearchResult
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.why_panel import Lane, Reasons, Weight
from hivemind_desktop.widgets.words import fill, one_line


def _decimal(value: float, digits: int = 2) -> str:
    return QLocale().toString(value, "f", digits)


def reasons_of(hit: Hit, result: SearchResult) -> Reasons:
    """Everything the panel shows about one hit of a result."""
    told = hit.explanation
    translate = QCoreApplication.translate
    place = fill(translate("Reasons", "%1 of %2"), number(hit.rank), number(result.total))
    lanes = tuple(_lane(rank, told) for rank in told.lanes) + _absent(told, result)
    weights = tuple(
        Weight(_signal_name(each.name), each.value, _decimal(each.value), each.reason)
        for each in told.signals
        if each.weight
    )
    recipe = f"{_profile_word(told.profile)} · {_recipe_word(told.recipe)}"
    score = _decimal(told.score, 3)
    return Reasons(score, place, lanes, weights, recipe, as_text(told, place, score))


def _lane(rank: LaneRank, told: Explanation) -> Lane:
    translate = QCoreApplication.translate
    facts = ", ".join(one_line(word, 40) for word in told.matched[:8])
    best = rank.rank == 1
    place = fill(translate("Reasons", "no. %1"), number(rank.rank))
    if rank.lane == "vector":
        similarity = fill(translate("Reasons", "similarity %1"), _decimal(rank.raw))
        return Lane("brain", translate("Reasons", "By meaning"), place, similarity, best)
    if rank.lane == "cjk":
        return Lane("quote", translate("Reasons", "By text without spaces"), place, facts, best)
    return Lane("quote", translate("Reasons", "By words"), place, facts, best)


def _absent(told: Explanation, result: SearchResult) -> tuple[Lane, ...]:
    """The meaning lane is named also when it did not answer, with the reason."""
    if any(rank.lane == "vector" for rank in told.lanes):
        return ()
    translate = QCoreApplication.translate
    reason = result.degraded or translate("Reasons", "not found by meaning")
    return (Lane("brain", translate("Reasons", "By meaning"), "", reason),)


def _signal_name(name: str) -> str:
    translate = QCoreApplication.translate
    return {
        "temporal": translate("Reasons", "Recent"),
        "popularity": translate("Reasons", "Used"),
        "contextual": translate("Reasons", "Connected"),
        "importance": translate("Reasons", "Important"),
    }.get(name, name)


def _part_name(name: str) -> str:
    if name == "summary":
        return QCoreApplication.translate("Reasons", "Summary below its own messages")
    return _signal_name(name)


def _profile_word(profile: Profile) -> str:
    translate = QCoreApplication.translate
    return {
        Profile.BALANCED: translate("Reasons", "balanced"),
        Profile.RECENT: translate("Reasons", "recent first"),
        Profile.IMPORTANT: translate("Reasons", "important first"),
        Profile.CONNECTED: translate("Reasons", "connected first"),
    }[profile]


def _recipe_word(recipe: Recipe) -> str:
    return fill(QCoreApplication.translate("Reasons", "recipe %1"), str(recipe))


def as_text(told: Explanation, place: str, score: str) -> str:
    """The same for the clipboard, one fact per line; the parts add up to the score."""
    translate = QCoreApplication.translate
    lines = [fill(translate("Reasons", "Score %1, %2"), score, place)]
    for rank in told.lanes:
        lines.append(fill(translate("Reasons", "Lane %1: no. %2, raw %3"), rank.lane, rank.rank, _decimal(rank.raw, 4)))
    for part in told.parts:
        lines.append(
            fill(translate("Reasons", "Part of the score, %1: %2"), _part_name(part.name), _decimal(part.value, 6))
        )
    for signal in told.signals:
        words = translate("Reasons", "Signal %1: %2, weight %3, %4")
        lines.append(
            fill(words, _signal_name(signal.name), _decimal(signal.value), _decimal(signal.weight), signal.reason)
        )
    lines.append(fill(translate("Reasons", "Matched: %1"), ", ".join(told.matched)))
    lines.append(f"{_profile_word(told.profile)} · {_recipe_word(told.recipe)}")
    return "\n".join(lines)
