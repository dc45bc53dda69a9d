"""The fingerprint of the log's tables and guards: a dropped or changed trigger shows.

It covers the audit tables, the view `interactions`, their indexes and every trigger that names one of them,
wherever it hangs. Other tables do not count, so ANALYZE, a new vector table or a rebuilt text index change nothing.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import rfc8785

if TYPE_CHECKING:
    from hivemind.storage import Connection

AUDIT_TABLES = ("ai_interactions", "ai_log_chain", "ai_log_payload", "ai_log_checkpoints", "ai_log_counters")
AUDIT_VIEWS = ("interactions",)
SCHEMA_PREFIX = b"hivemind/ai-log/schema/v1\n"

#: Schema version -> the fingerprint its audit tables must have. A migration that touches them adds a line.
KNOWN_SCHEMAS = {1: "2d32cd78b28cc1164639474930ba3461fe3cbebb5bd89686cbd52551e6bdf679"}

_NAMED = re.compile(rf"\b(?:{'|'.join((*AUDIT_TABLES, *AUDIT_VIEWS))})\b", re.IGNORECASE)


def audit_objects(connection: Connection) -> list[tuple[str, str, str, str | None]]:
    """(type, name, table, SQL) of everything the fingerprint covers, ordered by type and name."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
    return [(kind, name, table, sql) for kind, name, table, sql in rows if _belongs(kind, table, sql)]


def schema_hash(connection: Connection) -> str:
    """64 hex digits over `audit_objects`."""
    rows = [list(row) for row in audit_objects(connection)]
    return hashlib.sha256(SCHEMA_PREFIX + rfc8785.dumps(rows)).hexdigest()


def _belongs(kind: str, table: str, sql: str | None) -> bool:
    # SQLite matches names without regard to case, so a guard could be imitated under another spelling.
    if table.lower() in (*AUDIT_TABLES, *AUDIT_VIEWS):
        return True
    return kind == "trigger" and _NAMED.search(sql or "") is not None
