"""Every place in a mind that may hold a person's words, with how to erase there and how to look for what is left.

A test fails on a text, blob or untyped column, or a virtual table, that is neither held here nor exempt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from hivemind.domain.calls import CallKind
from hivemind.gateway import record_event
from hivemind.maintenance import erasure_places as places
from hivemind.maintenance.erasure_needles import Needles
from hivemind.maintenance.erasure_places import Cells, Place, Sought, Taking
from hivemind.mind import MindTransaction


@dataclass(frozen=True, slots=True)
class Erasure:
    """What has to go: frames by id, and passages of text wherever they stand."""

    frame_ids: tuple[int, ...] = ()
    words: tuple[str, ...] = ()

    def sought(self) -> Sought:
        return Sought(Needles(self.words), "", set(self.frame_ids))


@dataclass(frozen=True, slots=True)
class TextHolder:
    """`columns` as table.column. `find` names the places, `take_out` erases them and can be repeated; `left` counts
    what still holds the words beyond what `find` sees (copies that an index keeps)."""

    name: str
    columns: tuple[str, ...]
    find: Callable[[MindTransaction, Sought], list[Place]]
    take_out: Callable[[MindTransaction, Sequence[Place], Taking], int]
    left: Callable[[MindTransaction, Needles], int] = lambda _tx, _needles: 0

    def erase(self, tx: MindTransaction, erasure: Erasure) -> int:
        """In one go, with a log entry of its own when log texts are among it. Returns how many places changed."""

        @cache
        def seq() -> int:
            return record_event(tx.connection, tx.now, CallKind.ERASURE, {"holder": self.name.replace(" ", "_")}).seq

        return self.take_out(tx, self.find(tx, erasure.sought()), Taking("", seq))

    def residue(self, tx: MindTransaction, text: str) -> int:
        """How many places still hold the text."""
        needles = Needles((text,))
        return len(self.find(tx, Sought(needles, ""))) + self.left(tx, needles)


_FRAME_TEXT = ("memory_frames.content", "memory_frames.captions", "memory_frames.quarantine")
_NOTES = ("frame_notes.summary", "frame_notes.tags")
_INDEXES = (
    "memory_frames_fts.content", "memory_frames_cjk.content", "memory_frames_cjk.bigrams", "semantic_fts.content",
    "semantic_fts.summary", "semantic_fts.tags",
)  # fmt: skip
#: Vectors can be turned back into words: they go with their frame.
_FRAME_VECTORS = ("memory_frames_bits.bits", "frame_tokens.pieces", "frame_tokens.t", "memory_frames_vec.embedding")


def _left_in_indexes(tx: MindTransaction, needles: Needles) -> int:
    found = 0
    for place in _INDEXES:
        table, column = place.split(".")
        rows = tx.connection.execute(f"SELECT {column} FROM {table}")  # noqa: S608
        found += sum(text is not None and needles.spoken(str(text)) for (text,) in rows)
    return found


def _cells(name: str, cells: Cells) -> TextHolder:
    return TextHolder(name, cells.columns, cells.find, cells.take_out)


#: Rows that go with their session or import, whatever they say.
_OWNERS = {
    "sessions": "gop_id", "episodes": "gop_id", "import_items": "session", "execution_traces": "session_id",
    "import_runs": "id", "agent_sessions": "gop_id", "agent_debriefs": "gop_id", "agent_plans": "gop_id",
    "agent_experiences": "gop_id", "calibration": "gop_id",
}  # fmt: skip

#: An import's counts stay readable: they are numbers.
_OWNERS_OF_JSON = {table: column for table, column in _OWNERS.items() if table != "import_runs"}

#: In this order: frames first, because messages and changes are found through them.
TEXT_HOLDERS: tuple[TextHolder, ...] = (
    TextHolder(
        "frames",
        _FRAME_TEXT + _NOTES + _INDEXES + _FRAME_VECTORS,
        places.find_frames,
        places.take_frames,
        _left_in_indexes,
    ),
    TextHolder("archive", ("archive_blocks.bytes", "messages.attachments"), places.find_messages, places.take_messages),
    TextHolder("changes", ("changes.label", "changes.inverse"), places.find_changes, places.take_changes),
    TextHolder("saved searches", ("meta.value",), places.find_searches, places.take_searches),
    TextHolder(
        "interaction log",
        ("ai_log_payload.body", "ai_log_payload.salt"),
        places.find_payload,
        places.take_payload,
    ),
    _cells(
        "words without a frame",
        Cells((
            "identity.name", "identity.role", "identity.department", "identity.personality", "identity.capabilities",
            "identity.system_prompt", "awareness.content", "sessions.title", "sessions.summary", "episodes.content",
            "knowledge_entities.name", "procedures.name", "procedures.template", "improvement_signals.detail",
            "install_audit.detail", "harvest_sources.display_name", "harvest_sources.source_path", "import_runs.name",
            "import_runs.path", "import_runs.error", "import_items.title", "import_items.reason", "jobs.error",
            "evolution_runs.baseline_text", "evolution_runs.winner_text", "evolution_runs.winner_schema_json",
            "evolution_runs.artifacts_json", "evolution_runs.user_note", "evolution_runs.failure_reason",
            "evolution_runs.gate_reasons_json",
        ), "''", _OWNERS.items()),
    ),
    _cells(
        "JSON without a frame",
        Cells((
            "awareness.metadata", "knowledge_entities.properties", "knowledge_relations.properties",
            "improvement_signals.metadata", "execution_traces.trace_json", "agent_sessions.payload",
            "agent_debriefs.payload", "agent_plans.payload", "agent_experiences.payload", "calibration.payload",
            "jobs.payload", "jobs.cursor", "import_runs.options", "import_runs.counts",
        ), "'{}'", _OWNERS_OF_JSON.items()),
    ),
    # An item of a folder is named by its path. The former name is suppressed, so it does not come back under it.
    _cells("names of items", Cells(("import_items.item_id", "sessions.item_id"), "'erased ' || id", _OWNERS.items())),
    _cells("names of messages", Cells(("messages.ext_id", "messages.parent_ext_id"), "'erased ' || id")),
    TextHolder("speakers", ("speakers.name",), places.find_speakers, places.take_speakers),
    _cells("signal keys", Cells(("improvement_signals.pattern_key",), "'erased ' || id")),
)  # fmt: skip

#: Columns that hold no words of a person, by kind. `*` stands for every table.
EXEMPT: dict[str, tuple[str, ...]] = {
    "a moment": (
        "*.created_at", "*.updated_at", "*.recorded_at", "*.event_at", "*.event_at_original", "*.last_accessed",
        "*.trashed_at", "*.started_at", "*.ended_at", "*.finished_at", "*.expires_at", "*.valid_from", "*.valid_to",
        "*.superseded_at", "*.first_at", "*.last_at", "*.first_seen", "*.last_seen", "*.surfaced_at", "*.at",
        "*.undone_at", "*.time", "*.timestamp", "*.heartbeat", "*.finalized_at", "*.decided_at", "*.deployed_at",
        "*.strength_at", "*.last_synced_at", "episodes.day", "embedding_usage.year_month",
    ),
    "an id or a name of ours or of a vendor": (
        "*.gop_id", "*.uuid", "*.agent_id", "*.client", "*.author", "*.project_id", "*.query_id",
        "*.session", "*.session_id", "*.workspace_id", "*.persona_id", "*.persona",
        "*.run_uuid", "*.target_name", "*.user_id", "*.owner", "*.model", "*.provider", "*.tools_called",
        "*.imported_from", "*.source", "*.source_type", "*.capability_name", "*.initiator", "*.trust_source",
        "models.name", "models.revision", "ai_log_chain.entry_uuid", "ai_log_chain.actor", "ai_log_chain.boot_id",
        "ai_log_chain.app_version", "ai_log_counters.k", "ai_log_payload.field", "meta.key",
    ),
    "one of a few fixed words": (
        "*.kind", "*.state", "*.status", "*.category", "*.importance", "*.importance_before", "*.frame_type",
        "*.origin", "*.patch_kind", "*.role", "*.lang", "*.op", "*.outcome", "*.target_kind", "*.gate_verdict",
        "*.entity_type", "*.relation_type", "*.relation", "*.task_shape", "*.capability_type", "*.risk",
        "*.approval_class", "*.action", "*.human_action", "*.risk_context", "duplicate_groups.reason",
    ),
    "a number or progress": ("jobs.progress",),
    "a digest": (
        "*.content_hash", "*.norm_hash", "*.hash", "*.key_hash", "*.sha", "*.basis_sha", "*.fingerprint",
        "*.last_content_hash", "ai_log_chain.prev_hash", "ai_log_chain.row_hash", "ai_log_chain.alg",
    ),
    "part of the append-only log: its texts stand in ai_log_payload alone": (
        "ai_interactions.input_text", "ai_interactions.output_text", "ai_log_chain.detail_json",
        "ai_log_chain.commits_json", "ai_log_checkpoints.note",
    ),
}  # fmt: skip
