"""The explanation of a hit in words: lanes, late interaction, cues, signals and parts, ready for the Why panel."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from hivemind.domain.search import (
    Explanation,
    Hit,
    LaneRank,
    LateMatch,
    PieceMatch,
    Profile,
    Recipe,
    SearchResult,
    Signal,
    WhyNot,
)
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.why_panel import Lane, Match, Part, Reasons, Weight
from hivemind_desktop.widgets.words import fill, one_line

#: Pieces of the query shown with what answered them, the most telling ones.
_PIECES = 6
#: Where the bars of use and importance are full: some ten thousand uses add .4, "critical" doubles.
_MOST_USED, _MOST_IMPORTANT = 0.4, 2.0


def _decimal(value: float, digits: int = 2) -> str:
    return QLocale().toString(value, "f", digits)


def _signed(value: float, digits: int = 3) -> str:
    shown = _decimal(abs(value), digits)
    return f"\u2212{shown}" if value < 0 else f"+{shown}"


def reasons_of(hit: Hit, result: SearchResult) -> Reasons:
    """Everything the panel shows about one hit of a result."""
    place = fill(QCoreApplication.translate("Reasons", "%1 of %2"), number(hit.rank), number(result.total))
    return _reasons(hit.explanation, place, result, hit.frame.id)


def reasons_why_not(told: WhyNot, result: SearchResult) -> Reasons:
    """Where a memory stands that was not found, and why not; the parts of its score when it was weighed."""
    translate = QCoreApplication.translate
    place = (
        translate("Reasons", "not found")
        if told.rank is None
        else fill(translate("Reasons", "would be no. %1"), number(told.rank))
    )
    if told.explanation is None:
        return Reasons("–", place, (), (), "", f"{place}\n{told.reason}", sentence=told.reason)
    return _reasons(told.explanation, place, result, told.frame_id, told.reason)


def _reasons(told: Explanation, place: str, result: SearchResult, frame_id: int, sentence: str = "") -> Reasons:
    lanes = tuple(_lane(rank, told) for rank in told.lanes) + _absent(told, result)
    weights = tuple(
        Weight(_signal_name(each.name), _bar_share(each), _signal_number(each), each.reason)
        for each in told.signals
        if each.weight
    )
    late = told.late
    score = _decimal(told.score, 3)
    copied = as_text(told, place, score)
    return Reasons(
        score,
        place,
        lanes,
        weights,
        _ranking_words(told),
        f"{sentence}\n{copied}".strip(),
        matched=", ".join(one_line(word, 40) for word in told.matched[:12]),
        late=_decimal(late.score, 3) if late is not None else "",
        late_note=_late_note(late) if late is not None else "",
        matches=tuple(_match(piece, frame_id) for piece in late.pieces[:_PIECES]) if late is not None else (),
        cues=told.cues,
        parts=tuple(Part(_part_name(part.name), _signed(part.value)) for part in told.parts),
        sentence=sentence,
    )


def _match(piece: PieceMatch, frame_id: int) -> Match:
    """Which word of the query was answered by which stored one, and whose it is."""
    translate = QCoreApplication.translate
    found = piece.found or translate("Reasons", "as written")
    where = "" if piece.frame_id == frame_id else neighbour_words(piece.offset)
    return Match(piece.query, found, _decimal(piece.similarity), where)


def neighbour_words(offset: int) -> str:
    """Which memory of the session carried a word: the one before, two after."""
    translate = QCoreApplication.translate
    if offset == 0:
        return ""
    if offset == -1:
        return translate("Reasons", "in the one before")
    if offset == 1:
        return translate("Reasons", "in the one after")
    words = translate("Reasons", "%1 before") if offset < 0 else translate("Reasons", "%1 after")
    return fill(words, number(abs(offset)))


def _late_note(late: LateMatch) -> str:
    translate = QCoreApplication.translate
    if late.estimated:
        return translate("Reasons", "not read for its meaning yet: compared as written")
    return fill(translate("Reasons", "its own words alone: %1"), _decimal(late.own, 3))


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


def _bar_share(signal: Signal) -> float:
    """How full the bar is, 0 to 1. Use and importance are factors: 1 is neither more nor less than usual."""
    if signal.name == "popularity":
        return min(1.0, max(0.0, (signal.value - 1.0) / _MOST_USED))
    return signal.value / _MOST_IMPORTANT if signal.name == "importance" else signal.value


def _signal_number(signal: Signal) -> str:
    number = _decimal(signal.value)
    return f"\u00d7{number}" if signal.name in ("popularity", "importance") else number


def _signal_name(name: str) -> str:
    translate = QCoreApplication.translate
    return {
        "temporal": translate("Reasons", "Recent"),
        "popularity": translate("Reasons", "Used"),
        "contextual": translate("Reasons", "Connected"),
        "importance": translate("Reasons", "Important"),
    }.get(name, name)


def _part_name(name: str) -> str:
    translate = QCoreApplication.translate
    return {
        "summary": translate("Reasons", "Summary below its own messages"),
        "window": translate("Reasons", "Words, here and around"),
        "own": translate("Reasons", "Words, here"),
        "exact": translate("Reasons", "As written"),
        "meaning": translate("Reasons", "Meaning"),
        "session": translate("Reasons", "Its session"),
        "speaker": translate("Reasons", "Who spoke"),
        "when": translate("Reasons", "Asked when"),
        "time": translate("Reasons", "A word of time"),
        "name": translate("Reasons", "A name"),
        "reply": translate("Reasons", "Answers a question"),
        "date": translate("Reasons", "The date asked for"),
    }.get(name) or _signal_name(name)


def profile_word(profile: Profile) -> str:
    translate = QCoreApplication.translate
    return {
        Profile.BALANCED: translate("Reasons", "balanced"),
        Profile.RECENT: translate("Reasons", "recent first"),
        Profile.IMPORTANT: translate("Reasons", "important first"),
        Profile.CONNECTED: translate("Reasons", "connected first"),
    }[profile]


def _ranking_words(told: Explanation) -> str:
    """The profile and the way of ranking, in words: the names of recipes are for the command line."""
    translate = QCoreApplication.translate
    way = translate("Reasons", "word by word") if told.recipe is Recipe.DEFAULT else translate("Reasons", "by place")
    return f"{profile_word(told.profile)} · {way}"


def as_text(told: Explanation, place: str, score: str) -> str:
    """The same for the clipboard, one fact per line; the parts add up to the score."""
    translate = QCoreApplication.translate
    lines = [fill(translate("Reasons", "Score %1, %2"), score, place)]
    for rank in told.lanes:
        lines.append(fill(translate("Reasons", "Lane %1: no. %2, raw %3"), rank.lane, rank.rank, _decimal(rank.raw, 4)))
    if told.late is not None:
        lines.append(fill(translate("Reasons", "Late interaction: %1"), _decimal(told.late.score, 6)))
        words = translate("Reasons", "Word %1: %2, weight %3, similarity %4, offset %5")
        lines += [
            fill(words, each.query, each.found, _decimal(each.weight, 4), _decimal(each.similarity, 4), each.offset)
            for each in told.late.pieces
        ]
    for part in told.parts:
        lines.append(
            fill(translate("Reasons", "Part of the score, %1: %2"), _part_name(part.name), _decimal(part.value, 6))
        )
    lines += [fill(translate("Reasons", "Cue: %1"), cue) for cue in told.cues]
    for signal in told.signals:
        words = translate("Reasons", "Signal %1: %2, weight %3, %4")
        lines.append(
            fill(words, _signal_name(signal.name), _decimal(signal.value), _decimal(signal.weight), signal.reason)
        )
    lines.append(fill(translate("Reasons", "Matched: %1"), ", ".join(told.matched)))
    lines.append(_ranking_words(told))
    return "\n".join(lines)
