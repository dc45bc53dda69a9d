"""The log of a mind's file that is not one of ours, or not open here: a copy of it is read, never the file itself."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import apsw

from hivemind.domain.calls import LogCheck
from hivemind.gateway import Anchor, verify_log
from hivemind.storage import SchemaKind, files
from hivemind.storage.connections import examining
from hivemind.storage.faults import translate


def check_file(path: Path, anchors: Sequence[Anchor], public: bytes | None) -> LogCheck:
    """Copy the file and its -wal, and recompute the copy's log. Blocking.

    Raises MindMissing, NotAMind, MindCorrupt, DiskFull and what reading a file can raise.
    """
    source = files.settled(path)
    try:
        files.require_plain_file(source)
        files.read_header(source, SchemaKind.MIND)
        with tempfile.TemporaryDirectory(prefix="hive-mind-") as folder:
            copy = Path(folder) / "copy.mind"
            shutil.copyfile(source, copy)
            wal = source.with_name(f"{source.name}-wal")
            if wal.exists():
                shutil.copyfile(wal, copy.with_name(f"{copy.name}-wal"))
            with examining(copy) as connection:
                found = verify_log(connection, anchors=anchors, public=public)
    except (apsw.Error, OSError) as fault:
        raise translate(fault, source) from fault
    return found
