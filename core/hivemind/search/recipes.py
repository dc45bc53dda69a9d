"""Which recipe answers: what was asked for, as far as there are vectors, and in words what that leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hivemind.domain.search import Mode, Recipe, SearchRequest
from hivemind.domain.vectors import Encoded, ModelIdentity
from hivemind.mind import MindTransaction
from hivemind.search.lanes import LaneQuery
from hivemind.search.ranking import Ranking, Weighing
from hivemind.search.seed_recipe import rank_seed

NO_MODEL = "there is no model for meaning yet"


@dataclass(frozen=True, slots=True)
class Standing:
    """One mind's vectors as a query's model finds them. `model_id` None: none that it may be compared with, for the
    `reason`. `pending`: frames that have no vectors of it yet."""

    model_id: int | None
    pending: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What really answers, and what is said of it."""

    mode: Mode
    recipe: Recipe
    notes: tuple[str, ...] = ()


def standing(tx: MindTransaction, identity: ModelIdentity) -> Standing:
    """Whether the mind holds vectors of this model."""
    serving, pending = tx.vectors.serving(), tx.outbox.pending("embedding")
    if serving is None or not serving.docs:
        return Standing(None, pending, "no memory has been embedded yet")
    if not serving.is_of(identity):
        return Standing(None, pending, "the memories were embedded by another model")
    return Standing(serving.model_id, pending)


def choose(
    request: SearchRequest, encoded: Encoded | None, reason: str, standings: Sequence[tuple[str, Standing]]
) -> Choice:
    """`reason`: why there is no `encoded` query, in words. `standings`: of each mind, by its name.

    All minds answer by one recipe, or their scores could not be compared; one without vectors is weighed by its words.
    """
    if request.mode is Mode.KEYWORD:
        return _by_words(request)
    if encoded is None:
        return _by_words(request, f"Searched by words only: {reason}.")
    lacking = [(name, one.reason) for name, one in standings if one.model_id is None]
    if len(lacking) == len(standings):
        told = lacking[0][1] if lacking else NO_MODEL
        return _by_words(request, f"Searched by words only: {told}.")
    notes = [f"In the mind “{name}” only words were looked for: {told}." for name, told in lacking]
    if request.recipe is not Recipe.SEED and not len(encoded.tokens):
        notes.append("The model gives one vector for a whole text, so single words were compared as written only.")
    return Choice(request.mode, request.recipe, tuple(notes))


def _by_words(request: SearchRequest, *notes: str) -> Choice:
    seed = () if request.recipe is Recipe.SEED else ("Ranked by the recipe “seed” (words, age, use and importance).",)
    return Choice(Mode.KEYWORD, Recipe.SEED, (*notes, *seed))


def rank(query: LaneQuery, weighing: Weighing, choice: Choice, also: Iterable[int] = ()) -> Ranking:
    """Search one mind within one transaction. `also`: frames to weigh although no lane found them.

    The recipe `seed` weighs what its lanes found and takes no notice of `also`.
    """
    if choice.recipe is Recipe.SEED:
        return rank_seed(query, weighing)
    # numpy takes a tenth of a second to load: only now.
    assert query.meaning is not None
    if query.meaning.by_tokens:
        from hivemind.search.default_recipe import rank_default

        return rank_default(query, weighing, also)
    from hivemind.search.fallback_recipe import rank_fallback

    return rank_fallback(query, weighing, also)
