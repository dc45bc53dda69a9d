"""Random logs, honest ones with every sort of history, and one random forgery of such a log."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import apsw
from tests.core.gateway.plain_log import NOW, end, erase, event, plain_log, start, without_guards

from hivemind.domain.calls import CallKind, EntryState
from hivemind.gateway.anchors import Anchor
from hivemind.gateway.checkpoints import make_checkpoint
from hivemind.gateway.known_schemas import AUDIT_TABLES
from hivemind.gateway.signing import SigningKey

#: Steps of an honest history, by how often they come.
_STEPS = ("call",) * 6 + ("open call", "event", "event", "erase", "seal", "seal", "rotate", "housekeeping")


@dataclass(frozen=True, slots=True)
class MadeLog:
    path: Path
    anchors: list[Anchor]
    public: bytes | None


def any_log(path: Path, chance: random.Random, steps: int | None = None, *, wal: bool = False) -> MadeLog:
    """A log with a random honest history. `public`: the key that signs it at the end, if one does."""
    connection = plain_log(str(path))
    if wal:
        connection.execute("PRAGMA journal_mode = WAL")
    key = SigningKey(chance.randbytes(32)) if chance.random() < 0.8 else None
    sealed = False
    called: list[int] = []
    for number in range(chance.randint(0, 14) if steps is None else steps):
        step = chance.choice(_STEPS)
        if step in {"call", "open call"}:
            text = chance.choice(["", "a", "was ist \U0001f6a2?", "x" * 3000])
            called.append(start(connection, f"c{number}", input_text=text).interaction_id)
            if step == "call":
                state = EntryState.FAILED if chance.random() < 0.2 else EntryState.FINISHED
                cost = chance.choice([None, 0.0, 0.1, 1e-9])
                end(connection, f"c{number}", state, output_text="yes", input_tokens=3, cost_usd=cost)
        elif step == "event":
            event(connection, chance.choice([CallKind.IMPORT, CallKind.EXPORT]), count=chance.randint(0, 2**60) % 2**53)
        elif step == "erase" and called:
            erase(connection, called.pop())
        elif step == "seal":
            _seal(connection, key)
            sealed = sealed or key is not None
        elif step == "rotate" and sealed:
            previous, key = key, SigningKey(chance.randbytes(32))
            _seal(connection, key, previous)
        elif step == "housekeeping":
            connection.execute(chance.choice(["ANALYZE", "VACUUM", "REINDEX"]))
    rows = connection.execute("SELECT seq, row_hash FROM ai_log_chain ORDER BY seq").fetchall()
    anchors = [Anchor(seq, head.hex(), NOW) for seq, head in rows if seq == len(rows) or chance.random() < 0.7]
    connection.close()
    return MadeLog(path, anchors, key.public if key is not None and sealed else None)


def _seal(connection: apsw.Connection, key: SigningKey | None, previous: SigningKey | None = None) -> None:
    with connection:
        make_checkpoint(connection, NOW, key, previous_key=previous)


def tampered(path: Path, chance: random.Random) -> str:
    """Change one thing that counts, past the guards, and put the guards back. Returns what was done."""
    connection = apsw.Connection(str(path))
    try:
        while True:
            done = chance.choice(_FORGERIES)(connection, chance)
            if done:
                return done
    finally:
        connection.close()


def _a_value(connection: apsw.Connection, chance: random.Random) -> str:
    table = chance.choice(AUDIT_TABLES)
    columns = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
    column, key = chance.choice(columns), "k" if table == "ai_log_counters" else "rowid"
    rows = connection.execute(f"SELECT {key}, {column} FROM {table}").fetchall()
    if not rows:
        return ""
    row, value = chance.choice(rows)
    other = _other(value, column)
    try:
        without_guards(
            connection, lambda c: c.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (other, row)) and None
        )
    except apsw.ConstraintError:
        return ""
    return f"{table}.{column} of {row!r}: {value!r} -> {other!r}"


def _a_row_gone(connection: apsw.Connection, chance: random.Random) -> str:
    table = chance.choice(AUDIT_TABLES)
    key = "k" if table == "ai_log_counters" else "rowid"
    rows = connection.execute(f"SELECT {key} FROM {table}").fetchall()
    if not rows or (table == "ai_log_checkpoints" and rows[-1] == rows[0]):
        return ""  # A first checkpoint that never was leaves an honest unsigned log.
    row = chance.choice(rows[:-1] if table == "ai_log_checkpoints" else rows)[0]
    without_guards(connection, lambda c: c.execute(f"DELETE FROM {table} WHERE {key} = ?", (row,)) and None)
    return f"{table} {row!r} deleted"


def _a_guard_gone(connection: apsw.Connection, chance: random.Random) -> str:
    query = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(?))"
    names = [name for (name,) in connection.execute(query, ('["' + '","'.join(AUDIT_TABLES) + '"]',))]
    name = chance.choice(sorted(names))
    connection.execute(f"DROP TRIGGER {name}")
    return f"trigger {name} dropped"


def _an_end_cut_off(connection: apsw.Connection, chance: random.Random) -> str:
    last = int(connection.execute("SELECT max(seq) FROM ai_log_chain").get)
    keep = chance.randint(0, last - 1)

    def cut(c: apsw.Connection) -> None:
        gone = "SELECT interaction_id FROM ai_log_chain WHERE seq > ?"
        c.execute(f"DELETE FROM ai_log_payload WHERE interaction_id IN ({gone})", (keep,))
        c.execute(f"DELETE FROM ai_interactions WHERE id IN ({gone})", (keep,))
        c.execute("DELETE FROM ai_log_checkpoints WHERE size > ?", (keep,))
        c.execute("DELETE FROM ai_log_chain WHERE seq > ?", (keep,))

    without_guards(connection, cut)
    return f"cut after {keep}"


_FORGERIES: tuple[Callable[[apsw.Connection, random.Random], str], ...] = (
    _a_value,
    _a_value,
    _a_value,
    _a_row_gone,
    _a_guard_gone,
    _an_end_cut_off,
)


def _other(value: object, column: str) -> object:
    if column.endswith("_json"):  # The indexes on expressions let nothing in that is no JSON.
        return f"{value} "
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    if isinstance(value, int | float):
        return value + 1000
    if isinstance(value, str):
        return value + " "
    return 7 if column.endswith("seq") else "x"
