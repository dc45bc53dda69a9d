"""Backups in their folder: names, the note beside each that says what is in it, and how many are kept."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hivemind.clock import stamp
from hivemind.domain.upkeep import BackupFile, BackupKind
from hivemind.paths import MIND_SUFFIX
from hivemind.storage.backup import BackupFacts

#: Beside `name.mind` lies `name.mind.json`.
NOTE = ".json"


def file_name(workspace: str, kind: BackupKind, now: str) -> str:
    """`personal scheduled 2026-11-30T090000.000Z.mind`: no colon, which Windows does not take."""
    return f"{workspace} {kind} {now.replace(':', '')}{MIND_SUFFIX}"


def kind_of(name: str, workspace: str) -> BackupKind | None:
    """Why the file with this name was made, None when it is no backup of this mind."""
    if not name.endswith(MIND_SUFFIX):
        return None
    if name.startswith(f"{workspace}.schema-"):
        return BackupKind.BEFORE_UPDATE
    if name.startswith(f"{workspace} before restore "):
        return BackupKind.BEFORE_RESTORE
    return next((kind for kind in BackupKind if name.startswith(f"{workspace} {kind} ")), None)


def read(path: Path, workspace: str, kind: BackupKind) -> BackupFile:
    """What is known of a backup without opening it. A note that belongs to another state of the file is not believed.

    Raises OSError when the file is gone.
    """
    facts = path.stat()
    made = stamp(datetime.fromtimestamp(facts.st_mtime, UTC))
    plain = BackupFile(str(path), workspace, kind, made, facts.st_size)
    noted = _note(path)
    if noted.get("bytes") != facts.st_size:
        return plain
    known = {one.name for one in fields(BackupFile)} - {"path", "workspace", "kind", "bytes"}
    try:
        return replace(plain, **{key: value for key, value in noted.items() if key in known})
    except TypeError:
        return plain


def keep_note(backup: BackupFile, sha256: str = "") -> None:
    """Write what is known beside the file, for the owner only. A folder that cannot be written stays without it."""
    told = asdict(backup) | {"kind": str(backup.kind), "sha256": sha256 or _note(Path(backup.path)).get("sha256", "")}
    note = Path(f"{backup.path}{NOTE}")
    note.write_text(json.dumps(told, indent=1), "utf-8")
    note.chmod(0o600)


def checked(backup: BackupFile, facts: BackupFacts, now: str) -> BackupFile:
    """The backup after it was read from end to end without fault."""
    return replace(
        backup, bytes=facts.bytes, frames=facts.frames, sessions=facts.sessions, messages=facts.messages,
        checked_at=now, problem="",
    )  # fmt: skip


def list_backups(folder: Path, workspace: str) -> list[BackupFile]:
    """Backups of a mind, newest first."""
    found = []
    if folder.is_dir():
        for path in folder.iterdir():
            kind = kind_of(path.name, workspace)
            if kind is not None and path.is_file() and not path.is_symlink():
                # Another process may take it away just now.
                with contextlib.suppress(FileNotFoundError):
                    found.append(read(path, workspace, kind))
    return sorted(found, key=lambda backup: backup.made_at, reverse=True)


def too_many(backups: list[BackupFile], keep: int) -> list[BackupFile]:
    """Scheduled ones beyond the newest `keep` sound ones. Never the last that is known to be sound."""
    scheduled = [each for each in backups if each.kind is BackupKind.SCHEDULED]
    sound = [each for each in scheduled if each.checked_at and not each.problem]
    kept = {each.path for each in sound[: max(1, keep)]}
    oldest_kept = min((each.made_at for each in sound[: max(1, keep)]), default="")
    return [each for each in scheduled if each.path not in kept and each.made_at < oldest_kept]


def remove(backup: BackupFile) -> None:
    """The file and its note. Raises OSError."""
    Path(backup.path).unlink(missing_ok=True)
    Path(f"{backup.path}{NOTE}").unlink(missing_ok=True)


def _note(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(Path(f"{path}{NOTE}").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
