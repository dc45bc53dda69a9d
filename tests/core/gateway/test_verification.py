"""Every change of every column of the log's tables is seen, and nothing harmless is."""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import pytest
from tests.core.gateway.plain_log import NOW, end, erase, fill, plain_log, start, without_guards

from hivemind.gateway.checkpoints import make_checkpoint
from hivemind.gateway.known_schemas import AUDIT_TABLES
from hivemind.gateway.signing import SigningKey
from hivemind.gateway.verification import verify_log

CHAIN_LENGTH = 10
KEY = SigningKey(bytes(range(32)))
#: Rows of these tables belong to no single entry.
WITHOUT_SEQ = {"ai_log_counters"}


def checkpoint(connection: apsw.Connection) -> None:
    with connection:
        make_checkpoint(connection, NOW, KEY)


def columns() -> list[tuple[str, str]]:
    connection = plain_log(":memory:")
    found = [
        (table, name)
        for table in AUDIT_TABLES
        for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    ]
    connection.close()
    return found


def other_value(column: str, value: object, kind: str) -> list[object]:
    """Values that are near and are not the stored one."""
    if column == "note":
        lines = str(value).split("\n")
        return ["\n".join([*lines[:number], "x", *lines[number + 1 :]]) for number in range(len(lines))]
    if column.endswith("_json"):  # the indexes on expressions let nothing in that is no JSON
        return [f"{value} ", f'{str(value)[:-1]},"more":1}}' if value != "{}" else '{"more":1}']
    if isinstance(value, bytes):
        return [value[:-1] + bytes([value[-1] ^ 1])]
    if isinstance(value, int):
        return [value + 1000]
    if isinstance(value, float):
        return [value + 2.0**-40, 1e300]
    if isinstance(value, str):
        return [value + " ", "x" + value[1:]] if value else ["x"]
    return {"INTEGER": [7], "BLOB": [bytes(32)], "REAL": [1.0]}.get(kind, ["x", ""])


def seq_of(connection: apsw.Connection, table: str, rowid: int) -> int | None:
    if table == "ai_log_chain":
        return rowid
    if table == "ai_log_checkpoints":
        return rowid
    if table == "ai_interactions":
        return int(connection.execute("SELECT seq FROM ai_log_chain WHERE interaction_id = ?", (rowid,)).get)
    if table == "ai_log_payload":
        query = "SELECT seq FROM ai_log_chain JOIN ai_log_payload USING (interaction_id) WHERE ai_log_payload.rowid = ?"
        return int(connection.execute(query, (rowid,)).get)
    return None


def rows_of(connection: apsw.Connection, table: str, column: str) -> list[tuple[int | str, object, str]]:
    key = "k" if table in WITHOUT_SEQ else "rowid"
    kind = connection.execute("SELECT type FROM pragma_table_info(?) WHERE name = ?", (table, column)).get
    return [(row, value, str(kind)) for row, value in connection.execute(f"SELECT {key}, {column} FROM {table}")]


@pytest.mark.parametrize(("table", "column"), columns())
def test_a_changed_value_names_its_entry(table: str, column: str, log: apsw.Connection) -> None:
    fill(log)
    checkpoint(log)
    assert verify_log(log).intact
    key = "k" if table in WITHOUT_SEQ else "rowid"
    tried = 0
    for row, value, kind in rows_of(log, table, column):
        seq = seq_of(log, table, int(row)) if key == "rowid" else None
        for other in other_value(column, value, kind):
            log.execute("SAVEPOINT tamper")
            query = f"UPDATE {table} SET {column} = ? WHERE {key} = ?"
            without_guards(log, lambda c, q=query, v=(other, row): c.execute(q, v))  # type: ignore[misc]
            check = verify_log(log)
            assert not check.intact, (row, value, other)
            if key == "rowid":
                named = {found.seq for found in check.findings}
                assert named & ({seq, other} if column == "size" else {seq}), (row, value, other, check.findings)
            else:
                assert {found.place for found in check.findings} == {"counters"}
            log.execute("ROLLBACK TO tamper; RELEASE tamper")
            tried += 1
    assert tried
    assert verify_log(log).intact


def test_storage_classes_are_told_apart(log: apsw.Connection) -> None:
    fill(log)
    for column, other in (("cost_usd", "abc"), ("model", b"test-model-1"), ("input_tokens", 9.5), ("input_text", "")):
        log.execute("SAVEPOINT tamper")
        query = f"UPDATE ai_interactions SET {column} = ? WHERE id = 3"
        without_guards(log, lambda c, q=query, v=(other,): c.execute(q, v))  # type: ignore[misc]
        assert 3 in {found.seq for found in verify_log(log).findings}, column
        log.execute("ROLLBACK TO tamper; RELEASE tamper")


def test_values_nobody_can_read_are_findings_and_no_errors(log: apsw.Connection) -> None:
    fill(log)
    for table, column in (("ai_interactions", "model"), ("ai_log_chain", "detail_json"), ("ai_log_payload", "body")):
        log.execute("SAVEPOINT tamper")
        query = f"UPDATE {table} SET {column} = CAST(x'ff41' AS TEXT) WHERE interaction_id = 2"
        if table == "ai_log_chain":  # the index on an expression would refuse it as bad JSON
            log.execute("DROP INDEX ai_log_chain_call; DROP INDEX ai_log_chain_state")
        query = query.replace("interaction_id = 2", "id = 2") if table == "ai_interactions" else query
        without_guards(log, lambda c, q=query: c.execute(q))  # type: ignore[misc]
        assert 2 in {found.seq for found in verify_log(log).findings}, table
        log.execute("ROLLBACK TO tamper; RELEASE tamper")


def test_an_entry_taken_out_moved_or_slipped_in_is_seen(log: apsw.Connection) -> None:
    fill(log)
    acts = {
        "taken out": "DELETE FROM ai_log_chain WHERE seq = 5",
        "taken out with its row": "DELETE FROM ai_log_chain WHERE seq = 5; DELETE FROM ai_interactions WHERE id = 5",
        "closed up": "DELETE FROM ai_log_chain WHERE seq = 5; UPDATE ai_log_chain SET seq = seq - 1 WHERE seq > 5",
        "swapped": (
            "UPDATE ai_log_chain SET seq = 100 WHERE seq = 5; UPDATE ai_log_chain SET seq = 5 WHERE seq = 6;"
            "UPDATE ai_log_chain SET seq = 6 WHERE seq = 100"
        ),
        "slipped in": "INSERT INTO ai_interactions (model, provider) VALUES ('m', 'p')",
        "text added": ("INSERT INTO ai_log_payload VALUES (1, 'input', x'00', 'never said', 'present', NULL)"),
        "text of no row": "INSERT INTO ai_log_payload VALUES (999, 'input', x'00', 'never said', 'present', NULL)",
        "text taken": "DELETE FROM ai_log_payload WHERE interaction_id = 2",
        "text erased without an entry": (
            "UPDATE ai_log_payload SET state = 'erased', salt = NULL, body = NULL, erased_by_seq = 4"
            " WHERE interaction_id = 2"
        ),
        "genesis taken": "DELETE FROM ai_log_chain WHERE seq = 1",
        "everything taken": "DELETE FROM ai_log_chain; DELETE FROM ai_interactions; DELETE FROM ai_log_payload",
        "tail cut, counters left": "DELETE FROM ai_log_chain WHERE seq = 10; DELETE FROM ai_interactions WHERE id = 10",
        "another mind": "UPDATE meta SET value = 'other' WHERE key = 'mind_uuid'",
    }
    for name, script in acts.items():
        log.execute("SAVEPOINT tamper")
        without_guards(log, lambda c, s=script: c.execute(s))  # type: ignore[misc]
        assert not verify_log(log).intact, name
        log.execute("ROLLBACK TO tamper; RELEASE tamper")
    assert verify_log(log).intact


@pytest.mark.parametrize(
    "script",
    [
        "DROP TRIGGER ai_interactions_no_update",
        "DROP TRIGGER ai_log_payload_erase_only",
        "DROP INDEX ai_log_chain_call",
        "DROP VIEW interactions",
        "CREATE TRIGGER quiet AFTER INSERT ON awareness BEGIN DELETE FROM AI_LOG_PAYLOAD; END",
        "CREATE TRIGGER quiet INSTEAD OF INSERT ON interactions BEGIN SELECT 1; END",
        "ALTER TABLE ai_interactions ADD COLUMN extra TEXT",
        "ALTER TABLE ai_log_chain RENAME TO ai_log_old",
    ],
)
def test_a_changed_guard_is_seen(script: str, log: apsw.Connection) -> None:
    fill(log)
    log.execute(script)
    assert "schema" in {found.place for found in verify_log(log).findings}


def test_a_forged_hash_with_a_recomputed_entry_breaks_at_the_next(log: apsw.Connection) -> None:
    from hivemind.gateway.canonical import row_hash
    from hivemind.gateway.chain import read_row

    fill(log)

    def forge(connection: apsw.Connection) -> None:
        connection.execute("UPDATE ai_interactions SET human_action = 'denied' WHERE id = 4")
        chain = read_row(connection, "ai_log_chain", "seq", 4) or {}
        del chain["row_hash"]
        forged = row_hash(read_row(connection, "ai_interactions", "id", 4) or {}, chain)
        connection.execute("UPDATE ai_log_chain SET row_hash = ? WHERE seq = 4", (forged,))

    without_guards(log, forge)
    assert {found.seq for found in verify_log(log).findings} == {5}


def test_erased_text_is_no_finding_and_is_counted(log: apsw.Connection) -> None:
    entry = start(log, "c1", input_text="my secret")
    end(log, "c1", output_text="understood")
    erase(log, entry.interaction_id)
    check = verify_log(log)
    assert (check.intact, check.erased) == (True, 1)
    assert log.execute("SELECT count(*) FROM ai_log_payload WHERE body = 'my secret'").get == 0


def test_housekeeping_does_not_alarm(tmp_path: Path) -> None:
    connection = plain_log(str(tmp_path / "log.mind"))
    fill(connection)
    before = verify_log(connection)
    connection.execute("INSERT INTO sessions (gop_id) VALUES ('g')")
    connection.execute("INSERT INTO memory_frames_fts (rowid, content) VALUES (1, 'boats')")
    for script in (
        "ANALYZE",
        "INSERT INTO memory_frames_fts (memory_frames_fts) VALUES ('rebuild')",
        "INSERT INTO memory_frames_fts (memory_frames_fts) VALUES ('optimize')",
        "CREATE TABLE memory_frames_vec_2 (a)",
        "CREATE INDEX awareness_2 ON awareness (category)",
        "DROP TABLE memory_frames_cjk",
        "VACUUM",
        "REINDEX",
        "PRAGMA journal_mode = WAL",
    ):
        connection.execute(script)
        assert verify_log(connection) == before, script
    assert before.intact
    assert before.entries == CHAIN_LENGTH
    copy = apsw.Connection(str(tmp_path / "copy.mind"))
    with copy.backup("main", connection, "main") as job:
        job.step()
    assert verify_log(copy) == before
    copy.close()
    connection.close()


def test_random_damage_to_values_is_always_seen(log: apsw.Connection) -> None:
    """200 random changes of one value, none of which may pass unseen (seeded)."""
    fill(log)
    chance = random.Random(7)
    places = columns()
    for number in range(200):
        table, column = chance.choice(places)
        if table == "ai_log_checkpoints":
            continue
        key = "k" if table in WITHOUT_SEQ else "rowid"
        row, value, _ = chance.choice(rows_of(log, table, column))
        other = chance.choice([None, chance.randrange(-5, 10**12), chance.random(), chance.randbytes(32), str(number)])
        log.execute("SAVEPOINT tamper")
        try:
            query = f"UPDATE {table} SET {column} = ? WHERE {key} = ?"
            without_guards(log, lambda c, q=query, v=(other, row): c.execute(q, v))  # type: ignore[misc]
        except apsw.Error:
            pass  # a STRICT type or a key that exists: nothing was changed
        else:
            now = log.execute(f"SELECT {column} FROM {table} WHERE {key} = ?", (row,)).get
            if (type(now), now) != (type(value), value):
                assert not verify_log(log).intact, (table, column, row, value, other)
        log.execute("ROLLBACK TO tamper; RELEASE tamper")


def test_a_row_changed_past_its_index_is_seen(tmp_path: Path) -> None:
    """A flipped byte in the table alone: the index still says what the row said before."""
    path = tmp_path / "log.mind"
    connection = plain_log(str(path))
    fill(connection)
    connection.close()
    content, seen = path.read_bytes(), 0
    for at in (at for at in range(len(content)) if content.startswith(b"output", at)):
        path.write_bytes(content[:at] + b"0" + content[at + 1 :])
        changed = apsw.Connection(str(path))
        try:
            names = [name for (name,) in changed.execute("SELECT field FROM ai_log_payload NOT INDEXED")]
            if "0utput" in names:
                seen += 1
                assert not verify_log(changed).intact
        except apsw.CorruptError:
            pass  # The same word elsewhere: in the schema, or in the index alone.
        finally:
            changed.close()
    assert seen
