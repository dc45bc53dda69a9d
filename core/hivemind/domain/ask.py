"""Asking a model about what is remembered: personas, what would be sent, and what comes back while it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Autonomy(StrEnum):
    """What a model's tools may do without asking. Reading never asks; every write can be undone.

    NORMAL asks before each write. TRUSTED adds without asking and asks before it changes what is there. FREE never
    asks.
    """

    NORMAL = "normal"
    TRUSTED = "trusted"
    FREE = "free"


class ToolEffect(StrEnum):
    READS = "reads"
    ADDS = "adds"
    CHANGES = "changes"


class RecallMode(StrEnum):
    """CATCH_UP: what matters and what was decided, not what is nearest to the words. SEARCH: what was looked for."""

    CATCH_UP = "catch_up"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Persona:
    """A way of answering, from a data file. `denied` beats `tools`. `failure_patterns`: what it tends to get wrong."""

    id: str
    name: str
    tagline: str
    prompt: str
    tools: tuple[str, ...]
    denied: tuple[str, ...]
    failure_patterns: tuple[str, ...]
    needs_sources: bool

    def may_use(self, tool: str) -> bool:
        return tool in self.tools and tool not in self.denied


@dataclass(frozen=True, slots=True)
class RecalledCard:
    """One memory that would be sent. `text` is what would be sent of it, `number` what the answer cites it by.

    `day` is `YYYY-MM-DD`. `background`: not found by the question, but sent as what is generally known.
    """

    number: int
    workspace: str
    frame_id: int
    title: str
    text: str
    day: str
    importance: str
    source_name: str
    background: bool = False


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A memory that was found and is not offered, because it reads like orders to an AI."""

    workspace: str
    frame_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was recalled for a question. `degraded` says in words why less than usual was possible."""

    mode: RecallMode
    cards: tuple[RecalledCard, ...]
    held: tuple[HeldCard, ...] = ()
    degraded: str = ""


@dataclass(frozen=True, slots=True)
class PreparedQuestion:
    """A question with everything that would be sent with it, before anything is.

    `minds`: the first is the one the turn is recorded in and writes go to. `instructions` is the system prompt,
    without the memories. `tokens` is an estimate with every card chosen. `earlier`: turns of
    the conversation that go along.
    """

    turn: str
    conversation: str
    question: str
    persona: Persona
    minds: tuple[str, ...]
    provider: str
    provider_label: str
    model: str
    local: bool
    recalled: Recalled
    instructions: str
    tokens: int
    autonomy: Autonomy = Autonomy.NORMAL
    earlier: int = 0

    def chosen(self, numbers: frozenset[int] | None) -> tuple[RecalledCard, ...]:
        """The cards that go along; None = all of them."""
        return tuple(one for one in self.recalled.cards if numbers is None or one.number in numbers)


@dataclass(frozen=True, slots=True)
class Citation:
    """A number in the answer and the memory behind it."""

    number: int
    workspace: str
    frame_id: int


@dataclass(frozen=True, slots=True)
class RecallSent:
    """These memories are being sent."""

    cards: tuple[RecalledCard, ...]


@dataclass(frozen=True, slots=True)
class AnswerText:
    text: str


@dataclass(frozen=True, slots=True)
class AnswerWaiting:
    """The service asked to wait `seconds`; the question is sent again by itself."""

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class ToolUsed:
    """A tool was used, or refused (`done` False). `summary` says in words what came of it."""

    name: str
    done: bool
    summary: str


@dataclass(frozen=True, slots=True)
class ApprovalWanted:
    """The model wants to write. Answer with `decide`; after `seconds` it counts as not answered, and is not done."""

    id: str
    tool: str
    effect: ToolEffect
    words: str
    seconds: float


@dataclass(frozen=True, slots=True)
class CorrectionSeen:
    """The question reads like a correction of the answer before it. Noted as a signal until it is dismissed."""

    workspace: str
    signal_id: int
    trace_id: int
    key: str
    detail: str
    confidence: float
    durable: bool


@dataclass(frozen=True, slots=True)
class AnswerWithheld:
    """The end of the turn could not be recorded, so its answer is not shown: write again, or discard it."""

    turn: str
    title: str
    hint: str


@dataclass(frozen=True, slots=True)
class AnswerEnd:
    """The answer is complete and recorded. Tokens and cost None = unknown. `uncited`: numbers that name no memory.

    `nothing`: nothing was recalled and the persona answers from memories only, so nobody was asked.
    """

    turn: str
    text: str
    model: str
    provider: str
    citations: tuple[Citation, ...] = ()
    uncited: tuple[int, ...] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float = 0.0
    nothing: bool = False
    tools: tuple[str, ...] = field(default=())


AskEvent = (
    RecallSent | AnswerText | AnswerWaiting | ToolUsed | ApprovalWanted | CorrectionSeen | AnswerWithheld | AnswerEnd
)


@dataclass(frozen=True, slots=True)
class PromptPart:
    """A titled part of what an AI would be told."""

    title: str
    text: str
