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
from hivemind.domain.vectors import Encoded
from hivemind.errors import EmbedderUnavailable, InvalidDate, InvalidValue
from hivemind.mind import Mind, MindTransaction
from hivemind.search.explanation import Matcher
from hivemind.search.filters import Scope, scope_of
from hivemind.search.hydration import dressed
from hivemind.search.lanes import lane_query
from hivemind.search.meaning import Meaning, QueryEmbedder
from hivemind.search.paging import Page, read_cursor, write_cursor
from hivemind.search.query import ParsedQuery, TypedFilters, parse
from hivemind.search.ranking import Weighing
from hivemind.search.recipes import NO_MODEL, Choice, Standing, choose, rank, standing
from hivemind.search.unspaced import MAX_NEEDLES, needles
from hivemind.search.why_not import Expectation, Expected, settle

MAX_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class _Search:
    """What every mind needs to know of one search. `encoded` and `encoder` are None when only words are looked for."""

    request: SearchRequest
    parsed: ParsedQuery
    scope: Scope
    page: Page
    choice: Choice
    encoded: Encoded | None = None
    encoder: QueryEmbedder | None = None


@dataclass(frozen=True, slots=True)
class _Answer:
    """One mind's part: all candidates, those not shown yet, and the best of these as hits (ranks come with merging)."""

    everything: Sequence[tuple[float, int]]
    unseen: Sequence[tuple[float, int]]
    cut: bool
    hits: dict[int, Hit]
    expected: Expected | None


async def search(
    minds: Sequence[Mind],
    request: SearchRequest,
    clock: Clock,
    encoder: QueryEmbedder | None = None,
    without: str = NO_MODEL,
) -> SearchResult:
    """Search the given minds (`request.minds` told the caller which to open) and return one page.

    `encoder`: whose vectors the minds may hold; without one, or where it fails, words alone are looked for, and
    `without` says why in words. Each mind answers from one snapshot of its own; scores are comparable across minds.
    Any query text is valid. Raises InvalidDate for a bad `since`, `until` or `now`, InvalidValue for a bad limit or
    cursor.
    """
    began = time.perf_counter()
    if not 1 <= request.limit <= MAX_LIMIT:
        raise InvalidValue("This is no number of hits", f"Ask for 1 to {MAX_LIMIT:,}.")
    workspaces = tuple(mind.workspace for mind in minds)
    parsed = parse(request.query)
    page = read_cursor(request, workspaces, _now(request, clock))
    scope = scope_of(request, parsed.filters)
    plan = _Search(request, parsed, scope, page, choose(request, None, without, ()))
    standings: list[Standing] = []
    if parsed.empty:
        plan = replace(plan, choice=Choice(Mode.KEYWORD, Recipe.SEED))
    elif encoder is not None and request.mode is not Mode.KEYWORD:
        encoded, reason = await _encoded(encoder, parsed.text)
        standings = await _standings(minds, encoder) if encoded is not None else []
        choice = choose(request, encoded, reason, list(zip(workspaces, standings, strict=False)))
        plan = replace(plan, choice=choice, encoded=encoded, encoder=encoder)
    asked = [standings[at].model_id if standings else None for at in range(len(minds))]
    reads = [mind.read(partial(_in_one_mind, plan, at, mind, asked[at])) for at, mind in enumerate(minds)]
    answers = await asyncio.gather(*reads)
    return _result(plan, workspaces, answers, sum(one.pending for one in standings), began)


async def _encoded(encoder: QueryEmbedder, text: str) -> tuple[Encoded | None, str]:
    """The query's vectors, or why there are none."""
    try:
        return await encoder.encode_query(text), ""
    except EmbedderUnavailable as fault:
        return None, fault.title[:1].lower() + fault.title[1:]


async def _standings(minds: Sequence[Mind], encoder: QueryEmbedder) -> list[Standing]:
    identity = encoder.identity
    return await asyncio.gather(*(mind.read(lambda tx: standing(tx, identity)) for mind in minds))


def _now(request: SearchRequest, clock: Clock) -> str:
    try:
        return stamp(parse_stamp(request.now)) if request.now is not None else stamp(clock())
    except ValueError as fault:
        raise InvalidDate("This moment was not understood", "Write it as 2025-06-30T12:00:00Z.") from fault


def _in_one_mind(plan: _Search, at: int, mind: Mind, model_id: int | None, tx: MindTransaction) -> _Answer:
    """Runs on the mind's reader thread."""
    request, choice = plan.request, plan.choice
    meaning = _meaning(plan, mind, model_id, tx)
    by_words = choice.mode is not Mode.VECTOR
    query = lane_query(tx.connection, plan.parsed, plan.scope, by_words=by_words, meaning=meaning)
    weighing = Weighing.of(request, parse_stamp(plan.page.now), first_mind=at == 0)
    ranking = rank(query, weighing, choice)
    matcher = Matcher(query)
    shown = set(plan.page.shown.get(mind.workspace, ()))
    unseen = [one for one in ranking.order if one[1] not in shown]
    expected = None
    if request.expect_frame_id is not None:
        expected = Expectation(tx, query, weighing, matcher, choice).find(request.expect_frame_id, ranking)
    accounts = [account for _, frame_id in unseen[: request.limit] if (account := ranking.account(frame_id))]
    hits = dressed(tx, accounts, matcher, weighing, mind.workspace, choice.recipe)
    return _Answer(ranking.order, unseen, ranking.cut, hits, expected)


def _meaning(plan: _Search, mind: Mind, model_id: int | None, tx: MindTransaction) -> Meaning | None:
    if plan.choice.mode is Mode.KEYWORD or plan.encoded is None or plan.encoder is None:
        return None
    # numpy takes a tenth of a second to load: only now, and not on the event loop.
    from hivemind.search.vector_index import VectorIndex

    return Meaning(tx, plan.encoded, plan.encoder, VectorIndex.of(mind), model_id)


def _result(
    plan: _Search, workspaces: tuple[str, ...], answers: Sequence[_Answer], pending: int, began: float
) -> SearchResult:
    unseen = _merged([answer.unseen for answer in answers])
    chosen = unseen[: plan.request.limit]
    first = plan.page.count + 1
    hits = tuple(replace(answers[at].hits[frame_id], rank=first + n) for n, (at, frame_id) in enumerate(chosen))
    after = plan.page.after([(workspaces[at], frame_id) for at, frame_id in chosen])
    why_not = None
    if plan.request.expect_frame_id is not None:
        everything = _merged([answer.everything for answer in answers])
        told = [answer.expected for answer in answers if answer.expected is not None]
        why_not = settle(plan.request.expect_frame_id, told, everything, workspaces)
    return SearchResult(
        hits,
        plan.choice.mode,
        plan.choice.recipe,
        total=plan.page.count + len(unseen),
        pending_vectors=0 if plan.choice.mode is Mode.KEYWORD else pending,
        degraded=_degraded(plan),
        seconds=time.perf_counter() - began,
        query_id=uuid.uuid4().hex,
        cursor=write_cursor(plan.request, workspaces, after) if len(unseen) > len(chosen) else None,
        why_not=why_not,
        more_matched=any(answer.cut for answer in answers),
    )


def _merged(by_mind: Sequence[Sequence[tuple[float, int]]]) -> list[tuple[int, int]]:
    """(mind, frame id), best score first; of equal ones the earlier mind's, then the frame written last."""
    everything = [(-score, at, -frame_id) for at, order in enumerate(by_mind) for score, frame_id in order]
    return [(at, -negative_id) for _, at, negative_id in sorted(everything)]


def _degraded(plan: _Search) -> str:
    """In words: what was asked for and could not be done."""
    said = list(plan.choice.notes)
    said.extend(plan.parsed.notes)
    if needles(plan.parsed)[1]:
        said.append(f"Only the first {MAX_NEEDLES} pieces of text without spaces were looked for.")
    if plan.parsed.empty:
        filtered = plan.parsed.filters != TypedFilters()
        said.append("Filters alone find nothing: add a word." if filtered else "There is no word in it to look for.")
    return " ".join(said)
