"""The two schemas as files: which script makes them, how a file is stamped, whether a file still has its shape."""

from __future__ import annotations

import hashlib
from enum import Enum
from functools import cache
from pathlib import Path

import apsw

from hivemind.errors import MindCorrupt, MindNewer
from hivemind.storage.authorizer import is_audit_object

#: The number in `meta.schema_version` and in the file header of a fresh file.
SCHEMA_VERSION = 1

_FOLDER = Path(__file__).resolve().parent
_VEC_TABLE = "memory_frames_vec"

#: One row of sqlite_schema: type, name, tbl_name, sql.
SchemaObject = tuple[str, str, str, str | None]


class SchemaKind(Enum):
    """A mind, or the one file per installation beside the minds."""

    MIND = "mind"
    INSTALL = "install"

    @property
    def application_id(self) -> int:
        """What the file header says: 'HMND' or 'HMIN'. A file with another number is not ours."""
        return 0x484D4E44 if self is SchemaKind.MIND else 0x484D494E

    @property
    def uuid_key(self) -> str:
        return f"{self.value}_uuid"

    @property
    def script(self) -> str:
        """The whole schema as SQL, without the vector table."""
        name = "schema.sql" if self is SchemaKind.MIND else "schema_install.sql"
        return (_FOLDER / name).read_text(encoding="utf-8")


def create_vector_table(connection: apsw.Connection, name: str = _VEC_TABLE) -> None:
    """Make the vec0 table, or a twin of it, if it is not there. The connection must have sqlite-vec."""
    if not has_object(connection, name):
        script = (_FOLDER / "schema_vec.sql").read_text(encoding="utf-8")
        connection.execute(script.replace(f"TABLE {_VEC_TABLE} ", f"TABLE {name} "))


def has_object(connection: apsw.Connection, name: str) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).get is not None


def objects(connection: apsw.Connection) -> frozenset[SchemaObject]:
    """Every row of sqlite_schema, shadow tables included."""
    return frozenset(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


def schema_hash(connection: apsw.Connection) -> str:
    """SHA-256 (hex) of the audit tables, their view and indexes, and every trigger that names one of them."""
    named = sorted(
        (kind, name, table, sql or "") for kind, name, table, sql in objects(connection) if _is_audit(name, table, sql)
    )
    digest = hashlib.sha256()
    for row in named:
        for field in row:
            data = field.encode("utf-8")
            digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def require_known_version(connection: apsw.Connection) -> int:
    """The schema's number in a file of ours. Raises MindNewer; MindCorrupt when it is gone."""
    if not has_object(connection, "meta"):
        raise MindCorrupt(details="the table meta is gone")
    stored = str(connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").get or "")
    if not (stored.isascii() and stored.isdigit()):
        raise MindCorrupt(details="the schema's number is gone")
    version = max(int(stored), int(connection.pragma("user_version")))
    if version > SCHEMA_VERSION:
        raise MindNewer(details=f"schema {version}")
    return version


def require_shape(connection: apsw.Connection, kind: SchemaKind) -> None:
    """Compare the file's structure with this version's, and read the first page of every table.

    Fast on files of any size: nothing but the schema and the tables' roots is read. Raises MindCorrupt when an
    object is missing or changed, or when a trigger was planted; tables that we do not know are left alone.
    """
    expected, actual = expected_objects(kind), objects(connection)
    planted = {row for row in actual - expected if row[0] == "trigger"}
    wrong = sorted({row[1] for row in (expected - actual) | planted})
    if wrong:
        raise MindCorrupt(
            "The structure of this file was changed by another program",
            details="missing, changed or added: " + ", ".join(wrong[:8]),
        )
    for type_, name, _, sql in actual:
        if type_ == "table" and not (sql or "").upper().startswith("CREATE VIRTUAL"):
            quoted = name.replace('"', '""')
            connection.execute(f'SELECT 1 FROM "{quoted}" LIMIT 1').get  # noqa: B018, S608


@cache
def expected_objects(kind: SchemaKind) -> frozenset[SchemaObject]:
    """What a fresh file of this version holds (without the vector table, which may come later)."""
    connection = apsw.Connection(":memory:")
    try:
        connection.execute(kind.script)
        return objects(connection)
    finally:
        connection.close()


def _is_audit(name: str, table: str, sql: str | None) -> bool:
    if is_audit_object(name) or is_audit_object(table):
        return True
    text = (sql or "").lower()
    return text.startswith("create trigger") and ("ai_interactions" in text or "ai_log_" in text)
