"""The guards of the interaction log: triggers, REPLACE, DDL, pragmas, ATTACH. All on the connection the app uses."""

from __future__ import annotations

import pytest

from hivemind.errors import AuditProtected
from hivemind.storage import Connection, Database
from hivemind.storage.authorizer import is_audit_object

AUDIT_TABLES = ("ai_interactions", "ai_log_chain", "ai_log_payload", "ai_log_checkpoints", "ai_log_counters")


def add_entry(connection: Connection) -> None:
    connection.execute("INSERT INTO ai_interactions (model, provider) VALUES ('-', '-')")
    connection.execute(
        "INSERT INTO ai_log_chain SELECT 1, 1, 'uuid', 'genesis', 'app', 0, 'boot', 1, '0', '{}', '{}', 'sha256', "
        "zeroblob(32), randomblob(32)"
    )
    connection.execute("INSERT INTO ai_log_payload VALUES (1, 'input', x'01', 'hello', 'present', NULL)")
    connection.execute("INSERT INTO ai_log_checkpoints VALUES (1, 'note')")
    connection.execute("INSERT INTO ai_log_counters VALUES ('rows_written', 1)")


def log(connection: Connection) -> list[object]:
    return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in AUDIT_TABLES]


REFUSED = [
    *(f"DELETE FROM {table}" for table in AUDIT_TABLES),
    "UPDATE ai_interactions SET model = 'other'",
    "UPDATE ai_log_chain SET actor = 'other'",
    "UPDATE ai_log_payload SET body = 'other'",
    "UPDATE ai_log_payload SET state = 'erased', erased_by_seq = 1",
    "UPDATE ai_log_checkpoints SET note = ''",
    "UPDATE ai_log_counters SET v = 0",
    "UPDATE ai_log_counters SET k = 'other'",
    "REPLACE INTO ai_interactions (id, model, provider) VALUES (1, 'other', '-')",
    "INSERT INTO ai_interactions (id, model, provider) VALUES (-5, 'other', '-')",
    "INSERT INTO ai_interactions (id, model, provider) VALUES (1, 'o', '-') ON CONFLICT DO UPDATE SET model = 'o'",
    "REPLACE INTO ai_log_chain SELECT * FROM ai_log_chain",
    "INSERT INTO ai_log_chain SELECT 5, 1, 'u', kind, actor, 0, 'b', 1, '0', '{}', '{}', 'a', prev_hash, "
    "randomblob(32) FROM ai_log_chain",
    "REPLACE INTO ai_log_payload VALUES (1, 'input', NULL, 'other', 'present', NULL)",
    "REPLACE INTO ai_log_checkpoints VALUES (1, 'other')",
    "REPLACE INTO ai_log_counters VALUES ('rows_written', 0)",
    *(f"DROP TABLE {table}" for table in AUDIT_TABLES),
    *(f"ALTER TABLE {table} ADD COLUMN more" for table in AUDIT_TABLES),
    "DROP VIEW interactions",
    "DROP INDEX ai_log_chain_call",
    "DROP TRIGGER ai_interactions_no_delete",
    "ALTER TABLE ai_log_payload RENAME TO aside",
    "CREATE TRIGGER more AFTER INSERT ON ai_interactions BEGIN DELETE FROM awareness; END",
    "CREATE TEMP TRIGGER more BEFORE INSERT ON ai_interactions BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TEMP TRIGGER more AFTER INSERT ON main.sessions BEGIN SELECT 1; END",
    "CREATE TEMP TABLE AI_Interactions (id)",
    "CREATE TEMP VIEW interactions AS SELECT 1",
    "CREATE INDEX more ON ai_log_chain (kind)",
    "PRAGMA recursive_triggers = 0",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA main.synchronous = 0",
    "PRAGMA trusted_schema(1)",
    "PRAGMA writable_schema = 1",
    "PRAGMA Journal_Mode = DELETE",
    "PRAGMA secure_delete = 0",
    "PRAGMA cell_size_check = 0",
    "PRAGMA query_only = 1",
    "PRAGMA ignore_check_constraints = 1",
    "PRAGMA user_version = 2",
    "ATTACH ':memory:' AS other",
    "DETACH main",
]


@pytest.mark.parametrize("statement", REFUSED)
def test_refused_on_the_writer(statement: str, database: Database) -> None:
    database.submit_write(add_entry).result()
    before = database.submit_read(log).result()
    with pytest.raises(AuditProtected) as caught:
        database.submit_write(lambda connection: connection.execute(statement).fetchall()).result()
    assert caught.value.hint
    assert database.submit_read(log).result() == before
    # The same connection still works, and its guards are still there.
    with pytest.raises(AuditProtected):
        database.submit_write(lambda connection: connection.execute("DELETE FROM ai_interactions")).result()


@pytest.mark.parametrize("statement", ["PRAGMA query_only = 0", "ATTACH ':memory:' AS other"])
def test_refused_on_a_reader(statement: str, database: Database) -> None:
    with pytest.raises(AuditProtected):
        database.submit_read(lambda connection: connection.execute(statement).fetchall()).result()


@pytest.mark.parametrize("statement", ["VACUUM", "VACUUM INTO '/tmp/elsewhere'", "ATTACH ':memory:' AS other"])
def test_refused_outside_a_transaction(statement: str, database: Database) -> None:
    with pytest.raises(AuditProtected):
        database.submit_unwrapped(lambda connection: connection.execute(statement).fetchall()).result()


def test_schema_cannot_be_edited_as_rows(database: Database) -> None:
    with pytest.raises(Exception, match="mistake"):
        database.submit_write(lambda c: c.execute("DELETE FROM sqlite_schema WHERE name LIKE 'ai_%'")).result()
    with pytest.raises(Exception, match="mistake"):
        database.submit_write(lambda c: c.execute("DELETE FROM memory_frames_fts_data")).result()


def test_what_the_engine_needs_is_allowed(database: Database) -> None:
    def work(connection: Connection) -> None:
        add_entry(connection)
        connection.execute("UPDATE ai_log_payload SET state = 'erased', body = NULL, salt = NULL, erased_by_seq = 1")
        connection.execute("UPDATE ai_log_counters SET v = v + 1")
        connection.execute("PRAGMA defer_foreign_keys = 1")
        connection.execute("PRAGMA table_info(ai_log_chain)").fetchall()
        connection.execute("PRAGMA optimize").fetchall()
        connection.execute("CREATE VIRTUAL TABLE next_vec USING vec0(embedding float[4])")
        connection.execute("INSERT INTO next_vec (rowid, embedding) VALUES (1, '[1,2,3,4]')")
        connection.execute("DROP TABLE next_vec")

    database.submit_write(work).result()
    assert database.submit_read(lambda c: c.execute("PRAGMA synchronous").get).result() == 2


def test_every_guard_of_the_log_says_which_table_it_guards(database: Database) -> None:
    """The translation into AuditProtected goes by these words."""
    rows = database.submit_read(
        lambda c: c.execute("SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    ).result()
    guards = [(table, sql) for table, sql in rows if is_audit_object(table)]
    assert len(guards) >= 15
    for table, sql in guards:
        assert f"'{table} " in sql
