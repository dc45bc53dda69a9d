"""Fresh files and migrated files are the same, and a changed structure is seen."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from hivemind.clock import system_clock
from hivemind.errors import MindCorrupt
from hivemind.storage import Database, SchemaKind, schema, schema_hash
from hivemind.storage.creation import create_file
from hivemind.storage.migrations import MIGRATIONS, Migration, apply
from hivemind.storage.schema import expected_objects, objects, require_shape

FTS = ("memory_frames_fts", "memory_frames_cjk", "semantic_fts")
CONFIG = {name: f"SELECT k, v FROM {name}_config ORDER BY k" for name in FTS}


def structure(connection: apsw.Connection, kind: SchemaKind) -> tuple[object, ...]:
    """sqlite_schema without the vector table, the FTS tables' configuration, and the stamps in the header."""
    rows = frozenset(row for row in objects(connection) if not row[2].startswith("memory_frames_vec"))
    config = (
        [(name, connection.execute(question).fetchall()) for name, question in CONFIG.items()]
        if kind is SchemaKind.MIND
        else []
    )
    return rows, config, connection.pragma("application_id"), connection.pragma("user_version")


def migrated(kind: SchemaKind, extra: str = "") -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    for migration in MIGRATIONS:
        apply(connection, kind, migration, system_clock)
    connection.execute(extra)
    return connection


@pytest.mark.parametrize("kind", SchemaKind)
def test_schema_equals_all_migrations(kind: SchemaKind, tmp_path: Path) -> None:
    create_file(tmp_path / "fresh", kind, (), system_clock)
    fresh = apsw.Connection(str(tmp_path / "fresh"))
    assert structure(fresh, kind) == structure(migrated(kind), kind)
    fresh.close()


@pytest.mark.parametrize(
    "planted",
    [
        "CREATE INDEX planted ON meta (value)",
        "INSERT INTO memory_frames_cjk (memory_frames_cjk, rank) VALUES ('secure-delete', 0)",
        "INSERT INTO semantic_fts (semantic_fts, rank) VALUES ('pgsz', 1000)",
        "DROP TRIGGER memory_frames_t_grows",
        "PRAGMA user_version = 7",
    ],
)
def test_the_comparison_sees_a_difference(planted: str) -> None:
    kind = SchemaKind.MIND
    assert structure(migrated(kind), kind) != structure(migrated(kind, planted), kind)


def test_migrations_are_numbered_without_gaps() -> None:
    assert [one.number for one in MIGRATIONS] == list(range(1, schema.SCHEMA_VERSION + 1))
    assert all(isinstance(one, Migration) for one in MIGRATIONS)


def test_every_index_for_words_forgets_at_once(database: Database) -> None:
    for name in FTS:
        rows = database.submit_read(lambda c, name=name: dict(c.execute(CONFIG[name]))).result()
        assert rows["secure-delete"] == 1, name


def test_a_fresh_file_has_every_seed_table(database: Database) -> None:
    words = """meta identity awareness sessions memory_frames memory_frames_fts memory_frames_vec knowledge_entities
    knowledge_relations procedures improvement_signals install_audit ai_interactions harvest_sources execution_traces
    evolution_runs embedding_usage zettel_links episodes agent_sessions agent_debriefs agent_plans agent_experiences
    calibration frame_notes semantic_fts"""
    there = {row[1] for row in database.submit_read(objects).result()}
    assert set(words.split()) <= there


def test_schema_hash_covers_the_log_and_every_trigger_that_names_it() -> None:
    first = schema_hash(migrated(SchemaKind.MIND))
    assert len(first) == 64
    assert schema_hash(migrated(SchemaKind.MIND, "CREATE INDEX elsewhere ON meta (value)")) == first
    for planted in (
        "DROP TRIGGER ai_interactions_no_update",
        "DROP VIEW interactions",
        "DROP INDEX ai_log_chain_state",
        "CREATE TRIGGER far AFTER INSERT ON meta BEGIN DELETE FROM ai_log_payload; END",
    ):
        assert schema_hash(migrated(SchemaKind.MIND, planted)) != first, planted


@pytest.mark.parametrize(
    "change",
    [
        "DROP TRIGGER ai_log_chain_no_update",
        "DROP TABLE accesses",
        "ALTER TABLE meta ADD COLUMN more TEXT",
        "CREATE TRIGGER planted AFTER INSERT ON memory_frames BEGIN DELETE FROM awareness; END",
    ],
)
def test_a_changed_structure_is_refused(change: str) -> None:
    connection = migrated(SchemaKind.MIND)
    require_shape(connection, SchemaKind.MIND)
    connection.execute(change)
    with pytest.raises(MindCorrupt) as caught:
        require_shape(connection, SchemaKind.MIND)
    assert caught.value.details


def test_tables_we_do_not_know_are_left_alone() -> None:
    connection = migrated(SchemaKind.MIND, "CREATE TABLE memory_frames_vec_next (a); ANALYZE")
    require_shape(connection, SchemaKind.MIND)


def test_kinds_differ() -> None:
    mind, install = expected_objects(SchemaKind.MIND), expected_objects(SchemaKind.INSTALL)
    assert {row[1] for row in install} - {row[1] for row in mind} >= {"outbound_ledger", "grants", "erasure_ledger"}
    assert SchemaKind.MIND.application_id != SchemaKind.INSTALL.application_id
