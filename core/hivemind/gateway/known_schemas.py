"""Which fingerprints the log's tables and guards may have: a dropped or changed trigger shows.

`storage.schema_hash` covers the audit tables, the view `interactions`, their indexes and every trigger that names one
of them. Other tables do not count, so ANALYZE, a new vector table or a rebuilt text index change nothing.
"""

from __future__ import annotations

AUDIT_TABLES = ("ai_interactions", "ai_log_chain", "ai_log_payload", "ai_log_checkpoints", "ai_log_counters")

#: Schema version -> the fingerprint of its audit objects. A migration that touches them adds a line.
KNOWN_SCHEMAS = {1: "2056cb9d924ae7989ac3ee4d80a0b4dcc76cf76f6d6bfe9fa4d72ead4b3ce974"}
