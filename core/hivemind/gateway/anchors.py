"""Anchors: the log's size and head after each commit, in a file outside the mind. Entries cut off at the end show."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import apsw

from hivemind.clock import stamp, system_clock
from hivemind.gateway.chain import MIND_UUID
from hivemind.storage import Connection

_LINE = re.compile(r"([0-9]{1,18}) ([0-9a-f]{64}) ([0-9TZ:.-]{24})")
_HEAD = "SELECT seq, row_hash FROM ai_log_chain ORDER BY seq DESC LIMIT 1"
#: Beyond this the file is cut to its newest half: what is older is covered by what is newer.
_LARGEST = 8_000_000


@dataclass(frozen=True, slots=True)
class Anchor:
    """One line: the log had `size` entries and this head (hex)."""

    size: int
    head: str
    time: str


class AnchorFile:
    """One mind's anchors. `note` runs on the writer thread after each commit and never fails a write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._last: tuple[int, bytes] | None = None
        #: Lines that could not be written (a full disk, a removed folder) since the last one that could.
        self.missed = 0

    def note(self, connection: apsw.Connection) -> None:
        """Add a line when the log has grown or changed since the last one."""
        row = connection.execute(_HEAD).fetchone()
        if row is None or row == self._last:
            return
        try:
            # Asked anew each time: a restore can bring another mind into this file.
            _append(anchor_path(self._folder, connection), f"{row[0]} {row[1].hex()} {stamp(system_clock())}\n")
        except OSError:
            self.missed += 1
        else:
            self._last, self.missed = row, 0


def anchor_path(folder: Path, connection: Connection) -> Path:
    """Where a mind's anchors are. The name is the mind's own id, so a copied file does not share it by its name."""
    mind = str(connection.execute("SELECT value FROM meta WHERE key = ?", (MIND_UUID,)).get)
    if not re.fullmatch(r"[0-9a-f-]{36}", mind):
        mind = "unknown"
    return folder / f"{mind}.log"


def read_anchors(file: Path) -> list[Anchor]:
    """Every whole line, oldest first. A line cut off by a crash is left out. Raises OSError."""
    return list(parse_anchors(file.read_text("ascii", errors="replace").splitlines()))


def anchored_size(folder: Path, connection: Connection) -> int:
    """The most entries that this mind's log has had, as far as the anchors know; 0 without any. Raises OSError."""
    file = anchor_path(folder, connection)
    return max((anchor.size for anchor in read_anchors(file)), default=0) if file.is_file() else 0


def parse_anchors(lines: Iterable[str]) -> Iterable[Anchor]:
    """Lines as anchors; what is none is left out."""
    for line in lines:
        if found := _LINE.fullmatch(line.strip()):
            yield Anchor(int(found[1]), found[2], found[3])


def _append(path: Path, line: str) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, line.encode("ascii"))
        size = os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)
    if size > _LARGEST:
        _shorten(path)


def _shorten(path: Path) -> None:
    lines = path.read_text("ascii").splitlines(keepends=True)
    draft = path.with_suffix(".new")
    draft.write_text("".join(lines[len(lines) // 2 :]), "ascii")
    draft.chmod(0o600)
    draft.replace(path)
