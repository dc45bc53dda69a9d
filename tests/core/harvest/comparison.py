"""A mind's imported content as plain rows, so that two minds can be compared without their random ids."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hivemind.gateway import genesis
from hivemind.mind import Mind
from hivemind.mind.transaction import MindTransaction
from hivemind.storage.integrity import check

#: uuids and session ids are drawn at random; everything else must be the same in both.
_QUERIES = {
    "sessions": "SELECT source, item_id, title, kind, started_at, ended_at FROM sessions ORDER BY id",
    "messages": (
        "SELECT s.source, s.item_id, m.id, m.ext_id, m.parent_ext_id, m.occurrence, m.branch, m.position, m.hash,"
        " m.kind, m.role, m.time, m.block_id, m.offset, m.length FROM messages AS m"
        " JOIN sessions AS s ON s.gop_id = m.session ORDER BY m.id"
    ),
    "frames": (
        "SELECT s.item_id, f.id, f.frame_type, f.t, f.base_frame_id, f.content, f.event_at, f.position, f.part,"
        " f.branch, f.content_hash FROM memory_frames AS f JOIN sessions AS s ON s.gop_id = f.gop_id ORDER BY f.id"
    ),
    "words": "SELECT rowid, content FROM memory_frames_fts ORDER BY rowid",
    "characters": "SELECT rowid, content FROM memory_frames_cjk ORDER BY rowid",
    "links": "SELECT * FROM frame_messages ORDER BY frame_id, message_id",
    "archive": "SELECT id, bytes FROM archive_blocks ORDER BY id",
    "claims": "SELECT run_id, message_id FROM import_claims ORDER BY run_id, message_id",
    "items": "SELECT run_id, ordinal, item_id, title, state, reason, hash, messages FROM import_items ORDER BY 1, 2",
    "owed": "SELECT kind, frame_id FROM outbox ORDER BY id",
    "feed": "SELECT frame_id, op FROM frame_feed ORDER BY seq",
    "integrity": "PRAGMA integrity_check",
}


def content_of(tx: MindTransaction) -> dict[str, Any]:
    """Digests by table, and what the full check has to say (nothing, when all is well)."""
    found: dict[str, Any] = {}
    for name, sql in _QUERIES.items():
        rows = [tuple(row) for row in tx.connection.execute(sql)]
        found[name] = (len(rows), hashlib.sha256(repr(rows).encode()).hexdigest())
    found["problems"] = check(tx.connection)
    return found


def import_into(mind_file: Path, source: Path, spool: Path) -> None:
    """Begin an import, or go on with the one that was interrupted; ends when it is finished."""
    import asyncio

    from hivemind.harvest.importer import Importer, begin_run
    from hivemind.harvest.runs import RunStore

    async def work() -> None:
        mind = Mind.open(mind_file, "test", create=not mind_file.exists(), seeders=(genesis(),))
        open_runs = await mind.write(lambda tx: RunStore(tx.connection, tx.now).interrupt_abandoned())
        started = await mind.read(lambda tx: RunStore(tx.connection, tx.now).list_top())
        if not started:
            open_runs = [await begin_run(mind, [source])]
        for run_id in open_runs:
            report = await Importer(mind, run_id, spool=spool).run()
            print(report.state, report.new, flush=True)  # noqa: T201 - read by the test
        await mind.aclose()

    asyncio.run(work())


def main(arguments: Sequence[str]) -> None:
    mind_file, source, spool = (Path(argument) for argument in arguments)
    import_into(mind_file, source, spool)


if __name__ == "__main__":
    main(sys.argv[1:])
