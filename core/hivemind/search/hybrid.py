"""The search itself: one request over several minds, merged into one ranked page."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from hivemind.clock import Clock, parse_stamp, stamp
from hivemind.domain.search import Hit, Mode, Recipe, SearchRequest, SearchResult
from hivemind.errors import InvalidDate, InvalidValue
from hivemind.mind import Mind, MindTransaction
from hivemind.search.candidates import Candidate, Ranking, Weighing, order, rank
from hivemind.search.explanation import Matcher
from hivemind.search.filters import Scope, scope_of
from hivemind.search.hydration import dressed
from hivemind.search.lanes import lane_query
from hivemind.search.paging import Page, read_cursor, write_cursor
from hivemind.search.query import ParsedQuery, TypedFilters, parse
from hivemind.search.unspaced import MAX_NEEDLES, needles
from hivemind.search.why_not import Expectation, Expected, settle

MAX_LIMIT = 1_000
#: Without an embedder there are words, and the seed's way to weigh them.
_MODE, _RECIPE = Mode.KEYWORD, Recipe.SEED


@dataclass(frozen=True, slots=True)
class _Search:
    """What every mind needs to know of one search."""

    request: SearchRequest
    parsed: ParsedQuery
    scope: Scope
    page: Page


@dataclass(frozen=True, slots=True)
class _Answer:
    """One mind's part: all candidates, those not shown yet, and the best of these as hits (ranks come with merging)."""

    unseen: list[Candidate]
    ranking: Ranking
    hits: dict[int, Hit]
    expected: Expected | None


async def search(minds: Sequence[Mind], request: SearchRequest, clock: Clock) -> SearchResult:
    """Search the given minds (`request.minds` told the caller which to open) and return one page.

    Each mind answers from one snapshot of its own; scores are comparable across minds, since ranks are. Any query
    text is valid. Raises InvalidDate for a bad `since`, `until` or `now`, InvalidValue for a bad limit or cursor.
    """
    began = time.perf_counter()
    if not 1 <= request.limit <= MAX_LIMIT:
        raise InvalidValue("This is no number of hits", f"Ask for 1 to {MAX_LIMIT:,}.")
    workspaces = tuple(mind.workspace for mind in minds)
    parsed = parse(request.query)
    page = read_cursor(request, workspaces, _now(request, clock))
    plan = _Search(request, parsed, scope_of(request, parsed.filters), page)
    reads = [mind.read(partial(_in_one_mind, plan, at, mind.workspace)) for at, mind in enumerate(minds)]
    answers = await asyncio.gather(*reads)
    return _result(plan, workspaces, answers, began)


def _now(request: SearchRequest, clock: Clock) -> str:
    try:
        return stamp(parse_stamp(request.now)) if request.now is not None else stamp(clock())
    except ValueError as fault:
        raise InvalidDate("This moment was not understood", "Write it as 2025-06-30T12:00:00Z.") from fault


def _in_one_mind(plan: _Search, at: int, workspace: str, tx: MindTransaction) -> _Answer:
    """Runs on the mind's reader thread."""
    query = lane_query(tx.connection, plan.parsed, plan.scope)
    weighing = Weighing.of(plan.request, parse_stamp(plan.page.now), first_mind=at == 0)
    ranking = rank(query, weighing)
    matcher = Matcher(query)
    shown = set(plan.page.shown.get(workspace, ()))
    unseen = [one for one in ranking.candidates if one.frame_id not in shown]
    expected = None
    if plan.request.expect_frame_id is not None:
        expectation = Expectation(tx, query, weighing, matcher, plan.request.profile, _RECIPE)
        expected = expectation.find(plan.request.expect_frame_id, ranking)
    hits = dressed(
        tx, unseen[: plan.request.limit], matcher, weighing.weigher, workspace, plan.request.profile, _RECIPE
    )
    return _Answer(unseen, ranking, hits, expected)


def _result(plan: _Search, workspaces: tuple[str, ...], answers: Sequence[_Answer], began: float) -> SearchResult:
    unseen = _merged([answer.unseen for answer in answers])
    chosen = unseen[: plan.request.limit]
    first = plan.page.count + 1
    hits = tuple(replace(answers[at].hits[frame_id], rank=first + n) for n, (at, frame_id) in enumerate(chosen))
    more = len(unseen) > len(chosen)
    after = plan.page.after([(workspaces[at], frame_id) for at, frame_id in chosen])
    why_not = None
    if plan.request.expect_frame_id is not None:
        everything = _merged([answer.ranking.candidates for answer in answers])
        told = [answer.expected for answer in answers if answer.expected is not None]
        why_not = settle(plan.request.expect_frame_id, told, everything, workspaces)
    return SearchResult(
        hits,
        _MODE,
        _RECIPE,
        total=plan.page.count + len(unseen),
        # Counts what the vector lane cannot see yet; in this answer it took no part.
        pending_vectors=0,
        degraded=_degraded(plan),
        seconds=time.perf_counter() - began,
        query_id=uuid.uuid4().hex,
        cursor=write_cursor(plan.request, workspaces, after) if more else None,
        why_not=why_not,
        more_matched=any(answer.ranking.cut for answer in answers),
    )


def _merged(by_mind: Sequence[Sequence[Candidate]]) -> list[tuple[int, int]]:
    """(mind, frame id), best score first; of equal ones the earlier mind's, then the frame written last."""
    everything = [(*order(one), at) for at, candidates in enumerate(by_mind) for one in candidates]
    everything.sort(key=lambda entry: (entry[0], entry[2], entry[1]))
    return [(at, -negative_id) for _, negative_id, at in everything]


def _degraded(plan: _Search) -> str:
    """In words: what was asked for and could not be done."""
    said = []
    if plan.request.mode is not Mode.KEYWORD:
        said.append("Searched by words only: there is no model for meaning yet.")
    if plan.request.recipe is not _RECIPE:
        said.append("Ranked by the recipe “seed” (words, age, use and importance).")
    said.extend(plan.parsed.notes)
    if needles(plan.parsed)[1]:
        said.append(f"Only the first {MAX_NEEDLES} pieces of text without spaces were looked for.")
    if plan.parsed.empty:
        filtered = plan.parsed.filters != TypedFilters()
        said.append("Filters alone find nothing: add a word." if filtered else "There is no word in it to look for.")
    return " ".join(said)
