"""Appending: the first entry, one more each time, everything or nothing, and no way round it on a normal connection."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from tests.core.gateway.plain_log import MIND, NOW, end, event, fill, start

import hivemind
from hivemind.domain.calls import Call, CallKind, CallOutcome, EntryState
from hivemind.errors import AuditProtected, InternalFault, InvalidValue
from hivemind.gateway import boot
from hivemind.gateway.chain import append_entry, genesis, read_counters
from hivemind.gateway.entries import Entry
from hivemind.gateway.known_schemas import KNOWN_SCHEMAS
from hivemind.gateway.log import list_interactions, record_ended, record_started
from hivemind.gateway.verification import verify_log
from hivemind.storage import SCHEMA_VERSION, Database, schema_hash


def test_the_first_entry_binds_mind_and_guards(log: apsw.Connection) -> None:
    query = "SELECT seq, kind, actor, epoch, app_version, detail_json, prev_hash, timestamp FROM ai_log_chain"
    [row] = log.execute(f"{query} JOIN ai_interactions ON id = interaction_id").fetchall()
    assert row[:5] == (1, "genesis", "app", 0, hivemind.__version__)
    assert json.loads(row[5]) == {
        "mind_uuid": MIND,
        "schema_hash": schema_hash(log),
        "key": None,
        "state": "event",
        "channel": "app",
    }
    assert row[6:] == (bytes(32), NOW)


def test_the_fingerprint_of_this_version_is_known(log: apsw.Connection) -> None:
    """When this fails the audit tables changed: that needs a migration, a `migration` entry and a new line."""
    assert KNOWN_SCHEMAS[SCHEMA_VERSION] == schema_hash(log)


def test_there_is_one_first_entry(log: apsw.Connection) -> None:
    with pytest.raises(InternalFault), log:
        genesis()(log)
    empty = apsw.Connection(":memory:")
    for sql in [sql for (sql,) in log.execute("SELECT sql FROM sqlite_schema WHERE name LIKE 'ai_%' AND sql NOT NULL")]:
        empty.execute(sql)
    with pytest.raises(InternalFault), empty:
        append_entry(empty, NOW, Entry(kind=CallKind.IMPORT))
    empty.close()


def test_without_a_transaction_nothing_is_written(log: apsw.Connection) -> None:
    with pytest.raises(InternalFault):
        append_entry(log, NOW, Entry(kind=CallKind.IMPORT))
    assert verify_log(log).entries == 1


def test_each_entry_follows_on_the_last(log: apsw.Connection) -> None:
    written = [start(log, "c1"), end(log, "c1"), event(log)]
    rows = log.execute("SELECT seq, interaction_id, entry_uuid, prev_hash, row_hash FROM ai_log_chain").fetchall()
    assert [(one.seq, one.interaction_id, one.entry_uuid, one.row_hash) for one in written] == [
        (seq, interaction_id, entry_uuid, row_hash.hex()) for seq, interaction_id, entry_uuid, _, row_hash in rows[1:]
    ]
    assert [row[3] for row in rows[1:]] == [row[4] for row in rows[:-1]]
    assert len({uuid.UUID(row[2]) for row in rows}) == len(rows)


def test_a_restore_begins_an_epoch(log: apsw.Connection) -> None:
    for kind in (CallKind.IMPORT, CallKind.RESTORE, CallKind.IMPORT, CallKind.RESTORE, CallKind.EXPORT):
        event(log, kind)
    epochs = [epoch for (epoch,) in log.execute("SELECT epoch FROM ai_log_chain ORDER BY seq")]
    assert epochs == [0, 0, 1, 1, 2, 2]


def test_time_since_start_only_grows(log: apsw.Connection) -> None:
    fill(log)
    rows = log.execute("SELECT boot_id, mono_ns FROM ai_log_chain ORDER BY seq").fetchall()
    assert {row[0] for row in rows} == {boot.boot_id()}
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)


def test_without_the_kernels_id_the_process_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boot, "_LINUX_BOOT_ID", tmp_path / "none")
    boot.boot_id.cache_clear()
    try:
        first = boot.boot_id()
        assert first.startswith("process:")
        assert boot.boot_id() == first
    finally:
        boot.boot_id.cache_clear()


def test_a_machine_that_ran_for_years_is_recorded(log: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hivemind.gateway.chain.monotonic_ns", lambda: 2**62)
    event(log)
    assert verify_log(log).intact


def test_a_rolled_back_entry_leaves_nothing(log: apsw.Connection) -> None:
    before = verify_log(log), read_counters(log)
    with pytest.raises(ZeroDivisionError), log:
        append_entry(log, NOW, Entry(kind=CallKind.IMPORT))
        raise ZeroDivisionError
    assert (verify_log(log), read_counters(log)) == before


def test_a_refused_entry_leaves_nothing_in_an_open_transaction(log: apsw.Connection) -> None:
    with log:
        with pytest.raises(InvalidValue):
            append_entry(log, NOW, Entry(kind=CallKind.LLM_CALL, state=EntryState.STARTED, call_uuid=None))
        with pytest.raises(InvalidValue):
            append_entry(log, NOW, Entry(kind=CallKind.IMPORT, call_uuid="c"))
        append_entry(log, NOW, Entry(kind=CallKind.IMPORT))
    check = verify_log(log)
    assert (check.intact, check.entries) == (True, 2)


FORBIDDEN = [
    "UPDATE ai_interactions SET model = 'x' WHERE id = 2",
    "DELETE FROM ai_interactions",
    "REPLACE INTO ai_interactions (id, model, provider) VALUES (2, 'x', 'y')",
    "INSERT OR REPLACE INTO ai_interactions (id, model, provider) VALUES (2, 'x', 'y')",
    "INSERT INTO ai_interactions (id, model, provider) VALUES (-1, 'x', 'y')",
    "INSERT INTO ai_interactions (id, model, provider) VALUES (0, 'x', 'y')",
    "UPDATE ai_log_chain SET detail_json = '{}'",
    "UPDATE OR REPLACE ai_log_chain SET seq = 1 WHERE seq = 2",
    "DELETE FROM ai_log_chain WHERE seq = 3",
    "REPLACE INTO ai_log_chain SELECT * FROM ai_log_chain WHERE seq = 2",
    "INSERT INTO ai_log_chain SELECT seq + 10, 1, 'u', kind, actor, epoch, boot_id, mono_ns, app_version, detail_json,"
    " commits_json, alg, prev_hash, zeroblob(32) FROM ai_log_chain WHERE seq = 3",
    "UPDATE ai_log_payload SET body = 'x'",
    "UPDATE ai_log_payload SET state = 'erased'",
    "UPDATE ai_log_payload SET state = 'erased', body = NULL, salt = NULL",
    "DELETE FROM ai_log_payload",
    "REPLACE INTO ai_log_payload SELECT * FROM ai_log_payload",
    "UPDATE ai_log_counters SET v = v - 1",
    "DELETE FROM ai_log_counters",
    "REPLACE INTO ai_log_counters VALUES ('rows_written', 0)",
    "DROP TRIGGER ai_interactions_no_update",
    "DROP TABLE ai_log_chain",
    "DROP INDEX ai_log_chain_call",
    "DROP VIEW interactions",
    "ALTER TABLE ai_interactions RENAME TO gone",
    "CREATE TRIGGER t AFTER INSERT ON ai_interactions BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER t AFTER INSERT ON ai_interactions BEGIN SELECT 1; END",
    "CREATE TEMP TABLE ai_interactions (id)",
    "PRAGMA recursive_triggers = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA ignore_check_constraints = ON",
    "ATTACH ':memory:' AS other",
]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("guarded") / "one.mind"
    database = Database.open(path, create=True, seeders=(genesis(),))

    def write(connection: apsw.Connection) -> None:
        record_started(connection, NOW, Call("c", CallKind.LLM_CALL, "m", "p", input_text="asked"))
        record_ended(connection, NOW, CallOutcome("c", output_text="said"), EntryState.FINISHED)

    database.submit_write(write).result()
    yield database
    database.close()


@pytest.mark.parametrize("sql", FORBIDDEN)
def test_a_normal_connection_cannot_touch_the_log(sql: str, guarded: Database) -> None:
    before = guarded.submit_read(dump).result()
    with pytest.raises(AuditProtected):
        guarded.submit_write(lambda connection: connection.execute(sql).fetchall()).result()
    assert guarded.submit_read(dump).result() == before


def test_a_mind_made_by_storage_has_a_log_that_verifies(guarded: Database) -> None:
    check = guarded.submit_read(verify_log).result()
    assert (check.findings, check.entries) == ((), 3)
    [one] = guarded.submit_read(list_interactions).result()
    assert (one.call_uuid, one.state) == ("c", "finished")


def dump(connection: apsw.Connection) -> list[object]:
    tables = ("ai_interactions", "ai_log_chain", "ai_log_payload", "ai_log_counters", "sqlite_schema")
    return [row for table in tables for row in connection.execute(f"SELECT * FROM {table}")]
