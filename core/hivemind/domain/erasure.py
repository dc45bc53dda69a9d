"""Erasing what a mind holds: what is asked for, what it would take away, and the receipt of what was done.

None of these but `ErasureTarget` and the excerpts and places of a preview carries words that are to be erased.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class TargetKind(StrEnum):
    FRAME = "frame"
    SESSION = "session"
    IMPORT = "import"
    PERSON = "person"
    TEXT = "text"


class ErasureReason(StrEnum):
    """Why; the log keeps the code alone."""

    REQUEST = "request"
    CONSENT = "consent_withdrawn"
    NOT_NEEDED = "no_longer_needed"
    MISTAKE = "mistake"
    SECRET = "secret"  # noqa: S105 (a reason, not a password)
    OTHER = "other"


class BackupChoice(StrEnum):
    """What happens to backups in the data folder that hold it."""

    REWRITE = "rewrite"
    REMOVE = "remove"


class ErasureState(StrEnum):
    """PENDING: something still holds it, or it is not known that nothing does."""

    PENDING = "pending"
    ERASED = "erased"


@dataclass(frozen=True, slots=True)
class ErasureTarget:
    """`values`: frame ids, a session's id or an import's number in decimal; a name, or words as they are written.

    Names and words are found whatever their capitals; a name only where it stands as a word of its own.
    """

    kind: TargetKind
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutsideCopy:
    """A place outside the data folder where a copy may be. `place`: a path when one is known, else ''."""

    kind: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class ErasurePreview:
    """What would go. `counts`: places by kind. `excerpts`: beginnings of some memories. `same_text`: memories that
    hold exactly the same text and stay. `backups`: files in the data folder that hold it. Nothing was changed."""

    counts: dict[str, int]
    memories: int
    messages: int
    sessions: int
    excerpts: tuple[str, ...]
    same_text: int
    backups: tuple[Path, ...]
    unreadable_backups: tuple[Path, ...]
    outside: tuple[OutsideCopy, ...]

    @property
    def nothing(self) -> bool:
        return not any(self.counts.values()) and not self.backups


@dataclass(frozen=True, slots=True)
class Residue:
    """What was found afterwards, counted, and what it was looked for with.

    `files`: occurrences in the bytes of our files, by kind of file. `texts`: places in readable columns, archives and
    log texts. `vocabulary`: words of the index that belong to what went. `vectors`: rows and numbers in memory.
    `passages`: texts that were searched for in the bytes; 0 when an interrupted erasure was finished, because the
    words are not kept. `too_short`: too short or too common to be told apart in bytes; the other checks cover them.
    """

    files: dict[str, int]
    texts: int
    vocabulary: int
    vectors: int
    passages: int
    too_short: int = 0

    @property
    def total(self) -> int:
        return sum(self.files.values()) + self.texts + self.vocabulary + self.vectors


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """What was erased, in numbers. `waiting_for`: why it is pending (log_file, space, backup, residue)."""

    uuid: str
    workspace: str
    mind_uuid: str
    at: str
    kind: str
    reason: str
    state: ErasureState
    waiting_for: tuple[str, ...]
    log_seq: int
    erased: dict[str, int]
    backups: dict[str, int]
    residue: Residue | None
    outside: tuple[str, ...]
    #: Said on every receipt: what no program can promise here.
    beyond_reach: tuple[str, ...]
