"""The canonical form of a log entry, its hash, and the salted commitment to a text.

Format `sha256-jcs-v1`. An entry is one flat object with every column of its row in `ai_interactions` and of its row
in `ai_log_chain`, `row_hash` left out, as RFC 8785 (JCS) bytes. A value keeps its storage class:

    NULL -> null, TEXT -> string, INTEGER -> number (beyond 2**53 - 1: {"typeof": "integer", "value": "digits"})
    REAL -> {"typeof": "real", "value": float.hex()}, BLOB -> {"typeof": "blob", "value": hex}

    row_hash = SHA-256("hivemind/ai-log/row/v1\\n" || JCS(entry))
    commitment = HMAC-SHA256(key = 32 random bytes, field || 0x00 || UTF-8 text)
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping

import rfc8785

from hivemind.errors import InternalFault

ALGORITHM = "sha256-jcs-v1"
ROW_PREFIX = b"hivemind/ai-log/row/v1\n"
SALT_BYTES = 32
#: What the first entry has for a predecessor.
NO_HASH = bytes(32)
SAFE_INTEGER = 2**53 - 1

INTERACTION_COLUMNS = (
    "id",
    "timestamp",
    "workspace_id",
    "session_id",
    "model",
    "provider",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "tools_called",
    "human_action",
    "risk_context",
    "imported_from",
    "persona",
    "input_text",
    "output_text",
)
CHAIN_COLUMNS = (
    "seq",
    "interaction_id",
    "entry_uuid",
    "kind",
    "actor",
    "epoch",
    "boot_id",
    "mono_ns",
    "app_version",
    "detail_json",
    "commits_json",
    "alg",
    "prev_hash",
)

SqlValue = None | int | float | str | bytes
Canonical = None | int | str | dict[str, str]


def canonical_json(value: object) -> str:
    """RFC 8785 text of plain JSON data. Raises ValueError on what JSON cannot hold (NaN, lone surrogates)."""
    return rfc8785.dumps(value).decode("utf-8")  # type: ignore[arg-type]


def canonical_value(value: SqlValue) -> Canonical:
    """A stored value with its storage class. The hash sees 1 and 1.0, '' and NULL, text and bytes apart."""
    if isinstance(value, bool):
        raise InternalFault(details="SQLite stores no booleans")
    if isinstance(value, float):
        return {"typeof": "real", "value": value.hex()}
    if isinstance(value, bytes):
        return {"typeof": "blob", "value": value.hex()}
    if isinstance(value, int) and abs(value) > SAFE_INTEGER:
        return {"typeof": "integer", "value": str(value)}
    return value


def row_hash(interaction: Mapping[str, SqlValue], chain: Mapping[str, SqlValue]) -> bytes:
    """The hash of an entry from its two rows as they are stored (`chain` without `row_hash`).

    Raises ValueError on half a character, InternalFault on other columns than the ones above.
    """
    if tuple(interaction) != INTERACTION_COLUMNS or tuple(chain) != CHAIN_COLUMNS:
        raise InternalFault(details="the log's tables have other columns than those that are hashed")
    entry = {name: canonical_value(value) for name, value in (*interaction.items(), *chain.items())}
    return hashlib.sha256(ROW_PREFIX + _flat_bytes(entry)).digest()


def _flat_bytes(entry: Mapping[str, Canonical]) -> bytes:
    # For an object with ASCII keys and no floats the standard library's C encoder gives RFC 8785's very bytes, ten
    # times as fast (a property test holds the two side by side). Lone surrogates end in UnicodeEncodeError.
    text = json.dumps(entry, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")


def commitment(field: str, text: str, salt: bytes) -> str:
    """Hex digest that binds a text without telling it; with the salt destroyed it says nothing more."""
    return hmac.digest(salt, field.encode("utf-8") + b"\0" + text.encode("utf-8"), "sha256").hex()
