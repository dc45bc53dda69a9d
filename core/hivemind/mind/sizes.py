"""How large a mind is and of what: bytes per kind as SQLite counts its pages, and a quick estimate of its vectors."""

from __future__ import annotations

from hivemind.mind.models import ModelRecord
from hivemind.storage import Connection

#: Rows of token vectors that are weighed for the estimate.
_SAMPLE = 200
#: Kinds in the order they are told, and the tables of each by the beginning of their names.
KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("word index", ("memory_frames_fts", "memory_frames_cjk")),
    ("vectors", ("memory_frames_vec", "memory_frames_bits", "frame_tokens", "piece_df", "models")),
    ("conversations", ("archive_blocks", "messages", "frame_messages")),
    ("memories", ("memory_frames", "frame_refs", "frame_feed", "accesses", "sessions", "speakers")),
    ("interaction log", ("ai_", "install_audit")),
)
OTHER = "everything else"


def vector_bytes(connection: Connection, model: ModelRecord) -> int:
    """About so many bytes are a model's vectors: counted documents times the weight of some of them."""
    row = connection.execute(
        "SELECT avg(length(t) + length(pieces)) FROM"
        " (SELECT t, pieces FROM frame_tokens WHERE model_id = ? ORDER BY frame_id DESC LIMIT ?)",
        (model.model_id, _SAMPLE),
    ).fetchone()
    tokens = float(row[0] or 0.0) if row else 0.0
    return round(model.docs * (model.dim * 4 + model.dim / 8 + tokens))


def bytes_per_kind(connection: Connection) -> dict[str, int]:
    """Bytes of the pages of each kind, every page once; indexes count with their table. Reads the whole file.

    What a kind does not name is `OTHER`, free pages are "free". Empty where SQLite cannot tell.
    """
    owners = dict(connection.execute("SELECT name, tbl_name FROM sqlite_schema"))
    sums: dict[str, int] = {}
    for name, size in connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
        kind = kind_of(str(owners.get(name, name)))
        sums[kind] = sums.get(kind, 0) + int(size)
    free, page = (int(connection.execute(f"PRAGMA {name}").get) for name in ("freelist_count", "page_size"))
    return {**sums, "free": free * page} if free else sums


def kind_of(table: str) -> str:
    """The kind that a table's bytes belong to."""
    return next((kind for kind, begins in KINDS if table.startswith(begins)), OTHER)
