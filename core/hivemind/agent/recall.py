"""What is recalled for a question over a list of minds: catch-up or search, screened frame by frame."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from hivemind.agent.cards import numbered, screened
from hivemind.agent.catch_up import wants_catch_up
from hivemind.agent.frames_seen import Seen, decisive, preferences, recent, weighty
from hivemind.domain.ask import HeldCard, Recalled, RecalledCard, RecallMode
from hivemind.domain.search import Audience, Hit, Profile, SearchRequest, SearchResult
from hivemind.mind import Mind, MindTransaction
from hivemind.paths import PERSONAL

LIMIT = 10
#: Beside what is important or decided: the newest of each mind, and so many of every further mind.
CATCH_UP_RECENT, CATCH_UP_OTHERS = 3, 2
BACKGROUND_FRAMES, BACKGROUND_PREFERENCES = 5, 5
ASK = Audience("ask")

Find = Callable[[SearchRequest], Awaitable[SearchResult]]


async def recall(question: str, minds: Sequence[Mind], find: Find, limit: int = LIMIT) -> Recalled:
    """Recall for a question. The first mind's memories come first. `find`: the search over the named minds.

    A frame that is quarantined or reads like orders to an AI is left out and named in `held`; the others stay.
    Raises what searching raises.
    """
    if wants_catch_up(question):
        found, degraded = await _catch_up(minds, limit), ""
        mode = RecallMode.CATCH_UP
    else:
        request = SearchRequest(
            question, tuple(mind.workspace for mind in minds), profile=Profile.BALANCED, limit=limit, audience=ASK
        )
        result = await find(request)
        order = {mind.workspace: place for place, mind in enumerate(minds)}
        found = [of_hit(hit) for hit in sorted(result.hits, key=lambda hit: order[hit.workspace])]
        degraded, mode = result.degraded, RecallMode.SEARCH
    kept, held = screened(_once(found))
    return Recalled(mode, numbered(kept), tuple(held), degraded)


async def background(
    minds: Sequence[Mind], known: Sequence[RecalledCard], first: int
) -> tuple[tuple[RecalledCard, ...], tuple[HeldCard, ...]]:
    """What goes along whatever is asked: weighty frames of the first mind, preferences of the personal one.

    `known`: cards that are there already; numbers go on from `first`.
    """
    if not minds:
        return (), ()
    found = await minds[0].read(lambda tx: weighty(tx, minds[0].workspace, BACKGROUND_FRAMES))
    for mind in minds:
        if mind.workspace == PERSONAL:
            found += await mind.read(lambda tx: preferences(tx, PERSONAL, BACKGROUND_PREFERENCES))
    taken = {(card.workspace, card.frame_id) for card in known}
    fresh = [one for one in _once(found) if (one.workspace, one.frame.id) not in taken]
    kept, held = screened(fresh)
    return numbered(kept, first=first, background=True), tuple(held)


async def _catch_up(minds: Sequence[Mind], limit: int) -> list[Seen]:
    found: list[Seen] = []
    for place, mind in enumerate(minds):
        name, most = mind.workspace, limit if place == 0 else CATCH_UP_OTHERS

        def look(tx: MindTransaction, name: str = name, most: int = most, first: bool = place == 0) -> list[Seen]:
            weightiest = decisive(tx, name, most)
            return weightiest + (recent(tx, name, CATCH_UP_RECENT) if first else [])

        found += await mind.read(look)
    return found


def _once(found: Sequence[Seen]) -> list[Seen]:
    """Each frame once, and of frames that say exactly the same only the first. Never by a prefix: a revised decision
    begins like the one it revises."""
    places: set[tuple[str, int]] = set()
    texts: set[str] = set()
    kept = []
    for one in found:
        place = (one.workspace, one.frame.id)
        if place not in places and one.text not in texts:
            kept.append(one)
        places.add(place)
        texts.add(one.text)
    return kept


def of_hit(hit: Hit) -> Seen:
    """A found frame with the passage that matched."""
    span = (hit.spans[0].start, hit.spans[0].end) if hit.spans else (0, 0)
    return Seen(hit.workspace, hit.frame, hit.text, hit.session_title, hit.source_name, span)
