"""Search: one request, one result, and the explanation every hit carries."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from hivemind.domain.frames import Frame, FrameType, Importance


class Profile(StrEnum):
    BALANCED = "balanced"
    RECENT = "recent"
    IMPORTANT = "important"
    CONNECTED = "connected"


class Recipe(StrEnum):
    DEFAULT = "default"
    SEED = "seed"


class Mode(StrEnum):
    HYBRID = "hybrid"
    KEYWORD = "keyword"
    VECTOR = "vector"


@dataclass(frozen=True, slots=True)
class Audience:
    """Who will see the hits. `owner`: the person at the window. `ask`: our own prompt. `client`: an AI app, by id.

    Everyone but the owner never sees quarantined frames; a client sees no frame another client kept to itself:
    one that the other wrote under an agent's name (`client` and `agent_id` both set).
    """

    kind: str = "owner"
    client: str | None = None


OWNER = Audience()


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """Applied inside each lane. `since`/`until`: stamps or `YYYY-MM-DD`, both inclusive. Empty = no filter."""

    since: str | None = None
    until: str | None = None
    source: str | None = None
    session_id: str | None = None
    importances: tuple[Importance, ...] = ()
    types: tuple[FrameType, ...] = ()
    pinned: bool | None = None


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search a person keeps: `line` as typed, filters included."""

    name: str
    line: str
    profile: Profile = Profile.BALANCED


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to look for. `minds`: workspace ids. `now`: a stamp; None = the clock. `cursor`: from a former result.

    `graph_distances`: (frame id, steps) for frames of the first mind. `recipe` SEED is RRF × relevance and nothing
    else; DEFAULT is windowed late interaction with relevance on top, and it puts a conversation's summary (its
    I-frame) below its own messages.
    `expect_frame_id`: answer in `why_not` where this frame ranked, whether or not it is a hit.
    """

    query: str
    minds: tuple[str, ...] = ("personal",)
    filters: SearchFilters = field(default_factory=SearchFilters)
    profile: Profile = Profile.BALANCED
    recipe: Recipe = Recipe.DEFAULT
    mode: Mode = Mode.HYBRID
    limit: int = 10
    cursor: str | None = None
    now: str | None = None
    audience: Audience = OWNER
    agent_id: str | None = None
    graph_distances: tuple[tuple[int, int], ...] = ()
    explain: bool = False
    expect_frame_id: int | None = None


@dataclass(frozen=True, slots=True)
class LaneRank:
    """Where a lane put the frame: rank from 1; `raw` is the lane's own number (bm25, cosine)."""

    lane: str
    rank: int
    raw: float


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One addend of the score. The sum over a hit's parts is its score.

    Named after a signal; `summary`: what puts a summary below its messages; of the default recipe also `window` (the
    words of the query, here and around), `own` (here), `exact` (as written), `session`, `speaker`, `when`, `time`,
    `name`, `reply` and `date`; of its fallback `exact`, `meaning` and `speaker`.
    """

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Signal:
    """One of the four relevance signals: its value, the profile's weight, and why in words."""

    name: str
    value: float
    weight: float
    reason: str


@dataclass(frozen=True, slots=True)
class PieceMatch:
    """A word piece of the query and the stored piece that answers it best. `##ing` goes on where a word was cut.

    `weight`: its share of the query, all of them make 1. `similarity`: 0 to 1, already less for a neighbour's.
    `frame_id` holds the piece, `offset` frames after this one (-1: just before, 0: this one itself). `found` is empty
    where that frame has no vectors yet and only its words could be compared.
    """

    query: str
    found: str
    weight: float
    similarity: float
    frame_id: int
    offset: int


@dataclass(frozen=True, slots=True)
class LateMatch:
    """Late interaction of one frame. `score` is the sum of weight × similarity over `pieces`, the most telling first.

    `own`: what the frame says by itself, without its neighbours, over the level of unrelated words. `estimated`: it
    has no vectors yet.
    """

    score: float
    own: float
    pieces: tuple[PieceMatch, ...]
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit stands where it stands, made from the arrays that made the score.

    `matched`: the words of the frame itself that matched, as written there. `signals`: temporal, popularity,
    contextual, importance. `late`: the match by meaning, None where no token vectors took part. `cues`: in words,
    what else spoke for it.
    """

    matched: tuple[str, ...]
    lanes: tuple[LaneRank, ...]
    parts: tuple[ScorePart, ...]
    signals: tuple[Signal, ...]
    relevance: float
    score: float
    recipe: Recipe
    profile: Profile
    late: LateMatch | None = None
    cues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A matched passage in `Hit.text`: characters start..end (end exclusive)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One found frame. `text` is its current text; `rank` counts from 1 over all pages.

    `source_name`: the session's source as stored ('chatgpt'), empty when it has none.
    """

    workspace: str
    frame: Frame
    text: str
    session_title: str
    source_name: str
    rank: int
    score: float
    spans: tuple[Span, ...]
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Where an expected frame ranked. `reason` in words when it is not a candidate at all."""

    frame_id: int
    rank: int | None
    reason: str
    explanation: Explanation | None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """`mode` and `recipe` are what really answered; `degraded` says in words why less than asked was possible.

    `total`: hits over all pages (each mind weighs at most 100 per lane). `more_matched`: there were more than that.
    `cursor`: for the next page, None on the last. `pending_vectors`: frames the vector lane could not see yet, 0 when
    it took no part (`mode` keyword).
    """

    hits: tuple[Hit, ...]
    mode: Mode
    recipe: Recipe
    total: int
    pending_vectors: int
    degraded: str
    seconds: float
    query_id: str
    cursor: str | None = None
    why_not: WhyNot | None = None
    more_matched: bool = False
