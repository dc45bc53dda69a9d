"""What a normal connection may not do, whatever SQL reaches it: SQLite asks here before it prepares a statement."""

from __future__ import annotations

import apsw

_ALWAYS_DENIED = frozenset(
    {
        apsw.SQLITE_ATTACH,
        apsw.SQLITE_DETACH,
        apsw.SQLITE_ALTER_TABLE,
        apsw.SQLITE_CREATE_TRIGGER,
        apsw.SQLITE_CREATE_TEMP_TRIGGER,
        apsw.SQLITE_DROP_TRIGGER,
        apsw.SQLITE_DROP_TEMP_TRIGGER,
    }
)

_DDL = frozenset(
    {
        apsw.SQLITE_CREATE_INDEX,
        apsw.SQLITE_CREATE_TABLE,
        apsw.SQLITE_CREATE_TEMP_INDEX,
        apsw.SQLITE_CREATE_TEMP_TABLE,
        apsw.SQLITE_CREATE_TEMP_VIEW,
        apsw.SQLITE_CREATE_VIEW,
        apsw.SQLITE_CREATE_VTABLE,
        apsw.SQLITE_DROP_INDEX,
        apsw.SQLITE_DROP_TABLE,
        apsw.SQLITE_DROP_TEMP_INDEX,
        apsw.SQLITE_DROP_TEMP_TABLE,
        apsw.SQLITE_DROP_TEMP_VIEW,
        apsw.SQLITE_DROP_VIEW,
        apsw.SQLITE_DROP_VTABLE,
    }
)

#: Pragmas that take a value without weakening anything. Reading any pragma is free, setting another is refused:
#: a list of what is allowed stays right when SQLite learns a new pragma.
_PRAGMAS_WITH_VALUE = frozenset(
    {
        "analysis_limit",
        "data_version",
        "defer_foreign_keys",
        "foreign_key_check",
        "foreign_key_list",
        "incremental_vacuum",
        "index_info",
        "index_list",
        "index_xinfo",
        "integrity_check",
        "optimize",
        "quick_check",
        "table_info",
        "table_list",
        "table_xinfo",
        "wal_checkpoint",
    }
)


def is_audit_object(name: str | None) -> bool:
    """Whether a table, index, trigger or view belongs to the interaction log."""
    lowered = (name or "").lower()
    return lowered.startswith(("ai_interactions", "ai_log_")) or lowered == "interactions"


def authorize(action: int, first: str | None, second: str | None, schema: str | None, trigger: str | None) -> int:
    """SQLite's question, answered for every normal connection (writer and readers).

    Triggers, ALTER, ATTACH and DETACH are refused everywhere, other DDL on the interaction log (temporary tables
    that would hide it included), and pragmas may only be read. Migrations and VACUUM have their own connection.
    """
    del schema, trigger
    if action in _ALWAYS_DENIED:
        return apsw.SQLITE_DENY
    if action in _DDL and (is_audit_object(first) or is_audit_object(second)):
        return apsw.SQLITE_DENY
    if action == apsw.SQLITE_PRAGMA and second is not None and (first or "").lower() not in _PRAGMAS_WITH_VALUE:
        return apsw.SQLITE_DENY
    return apsw.SQLITE_OK
