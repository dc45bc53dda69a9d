"""The recorder seam: what is written down before and after every call to a model, tool or other mind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class CallKind(StrEnum):
    """Kinds of chain entries. Open: the chain's column has no CHECK list."""

    GENESIS = "genesis"
    LLM_CALL = "llm_call"
    TOOL_CALL = "tool_call"
    EMBEDDING = "embedding"
    MODEL_LIST = "model_list"
    OVERSIGHT = "oversight"
    CROSS_MIND_READ = "cross_mind_read"
    ERASURE = "erasure"
    IMPORT = "import"
    RESTORE = "restore"
    MIGRATION = "migration"
    EXPORT = "export"
    LOG_GAP = "log_gap"
    KEY_ROTATION = "key_rotation"
    #: A person was shown that an AI answers.
    NOTICE = "notice"


class EntryState(StrEnum):
    """What an entry says of its call. Entries that belong to no call are events."""

    STARTED = "started"
    FINISHED = "finished"
    FAILED = "failed"
    EVENT = "event"


class HumanAction(StrEnum):
    APPROVED = "approved"
    DENIED = "denied"
    MODIFIED = "modified"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Call:
    """A call about to be made. `uuid` joins its rows. `input_text` goes to the erase-only payload table alone.

    Events that call no model (an import, a cross-mind read) have model and provider '-'.
    """

    uuid: str
    kind: CallKind
    model: str = "-"
    provider: str = "-"
    workspace_id: str | None = None
    session_id: str | None = None
    persona: str | None = None
    actor: str = "owner"
    channel: str = "app"
    tools: tuple[str, ...] = ()
    human_action: HumanAction | None = None
    risk_context: str | None = None
    input_text: str | None = None


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """How a call ended. Tokens or cost None = unknown, which is kept apart from 0."""

    uuid: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    model: str | None = None
    output_text: str | None = None
    tools: tuple[str, ...] = ()
    human_action: HumanAction | None = None
    error: str = ""


class CallRecorder(Protocol):
    """Durable evidence of calls. Every provider takes one in its constructor.

    `started` returns only when the row is on disk, else raises RecorderFault and the call must not be made.
    After `finished` or `failed` raises, the answer must be withheld.
    """

    async def started(self, call: Call) -> None: ...

    async def finished(self, outcome: CallOutcome) -> None: ...

    async def failed(self, outcome: CallOutcome) -> None: ...


@dataclass(frozen=True, slots=True)
class Interaction:
    """A call as the view `interactions` counts it: one row however many entries it left."""

    call_uuid: str
    first_id: int
    timestamp: str
    kind: str
    state: str
    model: str
    provider: str
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    human_action: str | None
    workspace_id: str | None


@dataclass(frozen=True, slots=True)
class Outbound:
    """One request leaving this computer, written down before it is sent. No content, no keys."""

    call_uuid: str
    at: str
    feature: str
    method: str
    host: str
    path: str
    bytes_out: int = 0


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Where an entry stands in the interaction log. `row_hash`: 64 hex digits."""

    seq: int
    interaction_id: int
    entry_uuid: str
    row_hash: str


@dataclass(frozen=True, slots=True)
class LogFinding:
    """One thing in the interaction log that does not add up. `seq` None: it belongs to no single entry."""

    place: str
    seq: int | None
    problem: str

    def __str__(self) -> str:
        return f"Entry {self.seq}: {self.problem}" if self.seq is not None else self.problem


class Verdict(StrEnum):
    """What a check of the log says. GAPS: nothing was changed, and something is missing or unsigned that is named."""

    INTACT = "intact"
    GAPS = "intact with gaps"
    TAMPERED = "tampered"


@dataclass(frozen=True, slots=True)
class LogCheck:
    """The log recomputed: its entries, its head (hex, '' when empty), what did not add up, and what is missing.

    `signer`: the public key (hex) that the log names, '' = unsigned. `checkpoints` and `anchors`: how many of each
    were compared. Without anchors, entries cut off at the end are not seen, nor a log written anew from the start.
    """

    entries: int
    head: str
    erased: int
    findings: tuple[LogFinding, ...]
    gaps: tuple[LogFinding, ...] = ()
    signer: str = ""
    checkpoints: int = 0
    anchors: int = 0

    @property
    def intact(self) -> bool:
        return not self.findings

    @property
    def verdict(self) -> Verdict:
        if self.findings:
            return Verdict.TAMPERED
        return Verdict.GAPS if self.gaps else Verdict.INTACT
