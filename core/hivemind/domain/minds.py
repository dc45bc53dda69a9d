"""Minds as files: scopes, what doctor says of them, backups and exports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    PERSONAL = "personal"
    WORKSPACE = "workspace"
    TEAM = "team"
    ENTERPRISE = "enterprise"


@dataclass(frozen=True, slots=True)
class MindFacts:
    """One mind in lists and in doctor. Counts are -1 when the file could not be read (then `problem` says why).

    `long_texts`: how many texts were longer than the model reads at once and were encoded in several passes.
    """

    workspace: str
    path: str
    scope: Scope
    frames: int
    sessions: int
    vectors: int
    pending_vectors: int
    schema: int
    size: int
    problem: str = ""
    long_texts: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    title: str
    hint: str


@dataclass(frozen=True, slots=True)
class EmbedderFacts:
    """The embedder in force. `mode`: 'onnx', 'keyword-only', …; `dim` 0 when there is none."""

    id: str
    revision: str
    dim: int
    model_dim: int
    languages: tuple[str, ...]
    mode: str


@dataclass(frozen=True, slots=True)
class EmbedderSelfTest:
    """What the model was found to do here. `golden`: texts whose recorded vectors were compared; `golden_cosine`: the
    least likeness of a text or token vector to the recorded one; `alone_cosine`: the least of a text encoded alone
    and among others. `ok`: both as near to 1 as they must be; without recorded vectors only the second counts.
    """

    ok: bool
    golden: int
    golden_cosine: float
    alone_cosine: float
    seconds: float


class QueueState(StrEnum):
    """What the embedding of a mind is at. ELSEWHERE: another program does it. OTHER_MODEL: waits to be begun anew."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    ELSEWHERE = "elsewhere"
    OTHER_MODEL = "other model"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class EmbeddingFacts:
    """How far one mind is. `stored_model`, `building_model`: names, '' for none. `reason`: why search by meaning does
    not work in it, in words, '' when it does. `done` of `total`: the job at hand. `failed`: could not be embedded.
    `query_seconds`: median of the last `queries` questions that this program embedded. `vector_bytes`: about so large
    are the serving model's vectors.
    """

    workspace: str
    embedder: EmbedderFacts
    stored_model: str
    building_model: str
    frames: int
    embedded: int
    pending: int
    state: QueueState
    reason: str
    done: int
    total: int
    texts_per_second: float
    failed: int
    queries: int = 0
    query_seconds: float = 0.0
    vector_bytes: int = 0


class ModelSource(StrEnum):
    """Who named the model in force."""

    BUNDLED = "bundled"
    SETTINGS = "settings"
    SERVICE = "service"
    ENVIRONMENT = "environment"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """Where the model for search by meaning is looked for. `path` '' when switched off; of a service its address."""

    source: ModelSource
    path: str


@dataclass(frozen=True, slots=True)
class HostedPlan:
    """What a person is asked before a service makes the vectors: which of its models, where it is, how much it gets.

    `address`: the whole base address; `host`: of it, with the port. `memories` in all `minds` together, as of now: each
    is sent, and later ones and questions as well.
    """

    endpoint: str
    label: str
    model: str
    address: str
    host: str
    local: bool
    memories: int
    minds: int


@dataclass(frozen=True, slots=True)
class DoctorReport:
    ok: bool
    version: str
    sqlite: str
    sqlite_vec: str
    sqlite_vec_path: str
    embedder: EmbedderFacts
    data_dir: str
    minds: tuple[MindFacts, ...]
    problems: tuple[Problem, ...]
    selftest: EmbedderSelfTest | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """A finished backup or export: where it is and what it holds."""

    path: str
    bytes: int
    sha256: str
    frames: int
    sessions: int
    messages: int
    schema: int
    made_at: str
    files: int = 1


@dataclass(frozen=True, slots=True)
class RestorePreview:
    """What a restore would bring back, against what is there now."""

    backup: Manifest
    frames_now: int
    sessions_now: int
    newest_in_backup: str | None
    newest_now: str | None
