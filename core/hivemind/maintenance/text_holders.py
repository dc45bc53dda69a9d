"""Every place in a mind that may hold a person's words, with how to erase there and how to look for what is left.

A test fails on a text, blob or untyped column, or a virtual table, that is neither held here nor exempt.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hivemind.domain.calls import CallKind
from hivemind.gateway import record_event
from hivemind.mind import MindTransaction
from hivemind.mind.saved_searches import SavedSearchStore


@dataclass(frozen=True, slots=True)
class Erasure:
    """What has to go: frames by id, and passages of text wherever they stand."""

    frame_ids: tuple[int, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextHolder:
    """`columns` as table.column. `erase` returns how many places changed, `residue` how many still hold a text."""

    name: str
    columns: tuple[str, ...]
    erase: Callable[[MindTransaction, Erasure], int]
    residue: Callable[[MindTransaction, str], int]


def _count(tx: MindTransaction, columns: Iterable[str], text: str) -> int:
    found = 0
    for place in columns:
        table, column = place.split(".")
        # The names are those of this file.
        query = f'SELECT count(*) FROM "{table}" WHERE instr("{column}", ?)'  # noqa: S608
        found += int(tx.connection.execute(query, (text,)).get or 0)
    return found


def _ids(tx: MindTransaction, query: str, words: Iterable[str]) -> list[int]:
    return [int(i) for word in words for (i,) in tx.connection.execute(query, (word,))]


_FRAME_TEXT = (
    "memory_frames.content", "memory_frames.captions", "memory_frames.quarantine", "memory_frames_fts.content",
    "memory_frames_cjk.content", "memory_frames_cjk.bigrams", "frame_notes.summary", "frame_notes.tags",
    "semantic_fts.content", "semantic_fts.summary", "semantic_fts.tags",
)  # fmt: skip
#: Vectors can be turned back into words: they go with their frame.
_FRAME_VECTORS = ("memory_frames_bits.bits", "frame_tokens.pieces", "frame_tokens.t", "memory_frames_vec.embedding")
_FRAMES_WITH = (
    "SELECT f.id FROM memory_frames AS f LEFT JOIN frame_notes AS n ON n.frame_id = f.id WHERE instr(f.content, ?1)"
    " OR instr(coalesce(f.captions, ''), ?1) OR instr(coalesce(f.quarantine, ''), ?1)"
    " OR instr(coalesce(n.summary, ''), ?1) OR instr(coalesce(n.tags, ''), ?1)"
)


def _erase_frames(tx: MindTransaction, erasure: Erasure) -> int:
    return tx.frames.remove(list({*erasure.frame_ids, *_ids(tx, _FRAMES_WITH, erasure.words)}))


def _erase_messages(tx: MindTransaction, erasure: Erasure) -> int:
    doomed = {
        int(message)
        for frame in erasure.frame_ids
        for (message,) in tx.connection.execute("SELECT message_id FROM frame_messages WHERE frame_id = ?", (frame,))
    }
    doomed.update(_messages_with(tx, erasure.words))
    doomed.update(_ids(tx, "SELECT id FROM messages WHERE instr(attachments, ?)", erasure.words))
    tx.archive.remove(sorted(doomed))
    return len(doomed)


def _messages_with(tx: MindTransaction, words: Iterable[str]) -> set[int]:
    needles = [word.encode() for word in words]
    found: set[int] = set()
    for block_id, packed in list(tx.connection.execute("SELECT id, bytes FROM archive_blocks")):
        body = zlib.decompress(packed)
        if any(needle in body for needle in needles):
            rows = tx.connection.execute("SELECT id, offset, length FROM messages WHERE block_id = ?", (block_id,))
            for message_id, offset, length in rows:
                if any(needle in body[offset : offset + length] for needle in needles):
                    found.add(int(message_id))
    return found


def _message_residue(tx: MindTransaction, text: str) -> int:
    return len(_messages_with(tx, (text,))) + _count(tx, ("messages.attachments",), text)


def _erase_changes(tx: MindTransaction, erasure: Erasure) -> int:
    doomed = _ids(tx, "SELECT id FROM changes WHERE instr(inverse, ?1) OR instr(label, ?1)", erasure.words)
    tx.connection.executemany("DELETE FROM changes WHERE id = ?", [(i,) for i in doomed])
    return len(doomed)


def _erase_searches(tx: MindTransaction, erasure: Erasure) -> int:
    """Of `meta` only the saved searches hold words of a person; the other keys are ours."""
    store = SavedSearchStore(tx.connection)
    before = store.list_all()
    kept = [one for one in before if not any(word in one.name or word in one.line for word in erasure.words)]
    if len(kept) < len(before):
        store.replace(kept)
    return len(before) - len(kept)


def _search_residue(tx: MindTransaction, text: str) -> int:
    return sum(text in one.name or text in one.line for one in SavedSearchStore(tx.connection).list_all())


def _erase_payload(tx: MindTransaction, erasure: Erasure) -> int:
    """Texts of the interaction log: the rows stay, their words and salts go, and an entry says so."""
    query = "SELECT interaction_id, field FROM ai_log_payload WHERE state = 'present' AND instr(body, ?)"
    rows = [row for word in erasure.words for row in list(tx.connection.execute(query, (word,)))]
    if rows:
        entry = record_event(tx.connection, tx.now, CallKind.ERASURE, {"payloads": len(rows)})
        tx.connection.executemany(
            "UPDATE ai_log_payload SET state = 'erased', body = NULL, salt = NULL, erased_by_seq = ?"
            " WHERE interaction_id = ? AND field = ? AND state = 'present'",
            [(entry.seq, interaction, field) for interaction, field in rows],
        )
    return len(rows)


def _cells(name: str, columns: tuple[str, ...], blank: str) -> TextHolder:
    """Columns without a frame of their own: a cell that holds the words becomes `blank` (an SQL expression)."""

    def erase(tx: MindTransaction, erasure: Erasure) -> int:
        changed = 0
        for place in columns:
            table, column = place.split(".")
            for word in erasure.words:
                statement = f'UPDATE "{table}" SET "{column}" = {blank} WHERE instr("{column}", ?)'  # noqa: S608
                tx.connection.execute(statement, (word,))
                changed += tx.connection.changes()
        return changed

    return TextHolder(name, columns, erase, lambda tx, text: _count(tx, columns, text))


#: In this order: messages are found through their frames, so they go first.
TEXT_HOLDERS: tuple[TextHolder, ...] = (
    TextHolder("archive", ("archive_blocks.bytes", "messages.attachments"), _erase_messages, _message_residue),
    TextHolder(
        "frames", _FRAME_TEXT + _FRAME_VECTORS, _erase_frames, lambda tx, text: _count(tx, _FRAME_TEXT, text)
    ),
    TextHolder(
        "changes",
        ("changes.label", "changes.inverse"),
        _erase_changes,
        lambda tx, text: _count(tx, ("changes.label", "changes.inverse"), text),
    ),
    TextHolder("saved searches", ("meta.value",), _erase_searches, _search_residue),
    TextHolder(
        "interaction log",
        ("ai_log_payload.body", "ai_log_payload.salt"),
        _erase_payload,
        lambda tx, text: _count(tx, ("ai_log_payload.body",), text),
    ),
    _cells(
        "words without a frame",
        (
            "identity.name", "identity.role", "identity.department", "identity.personality", "identity.capabilities",
            "identity.system_prompt", "awareness.content", "sessions.title", "sessions.summary", "episodes.content",
            "knowledge_entities.name", "procedures.name", "procedures.template", "improvement_signals.detail",
            "install_audit.detail", "harvest_sources.display_name", "harvest_sources.source_path", "import_runs.name",
            "import_runs.path", "import_runs.error", "import_items.title", "import_items.reason", "jobs.error",
            "evolution_runs.baseline_text", "evolution_runs.winner_text", "evolution_runs.winner_schema_json",
            "evolution_runs.artifacts_json", "evolution_runs.user_note", "evolution_runs.failure_reason",
            "evolution_runs.gate_reasons_json",
        ),
        "''",
    ),
    _cells(
        "JSON without a frame",
        (
            "awareness.metadata", "knowledge_entities.properties", "knowledge_relations.properties",
            "improvement_signals.metadata", "execution_traces.trace_json", "agent_sessions.payload",
            "agent_debriefs.payload", "agent_plans.payload", "agent_experiences.payload", "calibration.payload",
            "jobs.payload", "jobs.cursor", "import_runs.options", "import_runs.counts",
        ),
        "'{}'",
    ),
    _cells("speakers", ("speakers.name",), "'erased ' || id"),
    _cells("signal keys", ("improvement_signals.pattern_key",), "'erased ' || id"),
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
        "*.gop_id", "*.uuid", "*.agent_id", "*.client", "*.author", "*.project_id", "*.item_id", "*.query_id",
        "*.ext_id", "*.parent_ext_id", "*.session", "*.session_id", "*.workspace_id", "*.persona_id", "*.persona",
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
