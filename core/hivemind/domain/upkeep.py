"""Looking after minds: backups as they lie in their folder, what a restore would change, trash, history, sizes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BackupKind(StrEnum):
    """Why a backup was made. Only SCHEDULED ones are removed again when there are enough of them."""

    BY_HAND = "by hand"
    SCHEDULED = "scheduled"
    BEFORE_RESTORE = "before a restore"
    BEFORE_UPDATE = "before an update"


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A backup. `checked_at`: when it was last opened and read from end to end, None = not known. `problem`: what was
    wrong with it then, '' when it was sound. Counts are -1 while nobody has looked inside."""

    path: str
    workspace: str
    kind: BackupKind
    made_at: str
    bytes: int
    frames: int = -1
    sessions: int = -1
    messages: int = -1
    checked_at: str | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """Memories that differ between a mind and a backup of it: how many, and the beginnings of some of them.

    `lost`: here now, not in the backup. `back`: in the backup, not here. `changed`: in both, marked or patched
    otherwise.
    """

    lost: int
    lost_texts: tuple[str, ...]
    back: int
    back_texts: tuple[str, ...]
    changed: int
    changed_texts: tuple[str, ...]

    @property
    def nothing(self) -> bool:
        return not (self.lost or self.back or self.changed)


@dataclass(frozen=True, slots=True)
class TrashedMemory:
    """One memory in the trash. `days_left`: until it is removed; 0 = at the next tidying. A pinned one stays."""

    frame_id: int
    text: str
    session_title: str
    trashed_at: str
    days_left: int
    pinned: bool
    imported: bool


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """An action as the history shows it. `refusal`: why it cannot be undone now, '' when it can or was."""

    id: int
    label: str
    at: str
    undone_at: str | None
    refusal: str


@dataclass(frozen=True, slots=True)
class Tidied:
    """What one tidying did: memories removed from the trash, a backup made (its path, '' = none), old ones removed."""

    removed: int = 0
    backup: str = ""
    pruned: int = 0


@dataclass(frozen=True, slots=True)
class StorageFacts:
    """Bytes on disk. `kinds`: of this mind's file by what they hold, largest first. `free`: on that disk."""

    workspace: str
    mind: int
    kinds: tuple[tuple[str, int], ...]
    backups: int
    other_minds: int
    model: int
    rest: int
    free: int


@dataclass(frozen=True, slots=True)
class Destination:
    """Where something went, or could go: `host`, what for, how often, how much, when last ('' = never)."""

    host: str
    feature: str
    calls: int
    bytes_today: int
    bytes_month: int
    last_at: str
