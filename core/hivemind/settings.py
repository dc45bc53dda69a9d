"""The person's settings: a small JSON file beside the minds. Unknown keys survive, bad values fall back."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Settings:
    """`theme`: system, light or dark. `start_empty`: the person chose to start without an import.

    `embedder_dir`: folder of the model for search by meaning, '' for the bundled one. `embedder_service`: short name of
    the service that makes the vectors instead, '' = none, with its model and the address that the person agreed to.
    `text_percent`: 90 to 150.
    `background_percent`: of its time that background work may use, 10 to 100. `backup_every`: daily, weekly or off;
    `backup_keep`: scheduled backups kept per mind. `shortcuts`: action id to key, for keys that were changed.
    `single_keys`: letters alone are keys, while no text field has the keyboard.
    """

    theme: str = "system"
    reduced_motion: bool = False
    start_empty: bool = False
    window_width: int = 1200
    window_height: int = 800
    embedder_dir: str = ""
    embedder_service: str = ""
    embedder_model: str = ""
    embedder_address: str = ""
    text_percent: int = 100
    background_percent: int = 100
    backup_every: str = "daily"
    backup_keep: int = 7
    shortcuts: dict[str, str] = field(default_factory=dict)
    single_keys: bool = True


def _read(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def load_settings(file: Path) -> Settings:
    """Read the file; anything missing or of the wrong type keeps its default."""
    stored = _read(file)
    default = Settings()
    known = {
        one.name: stored[one.name]
        for one in fields(Settings)
        if type(stored.get(one.name)) is type(getattr(default, one.name))
    }
    if not all(isinstance(key, str) for key in known.get("shortcuts", {}).values()):
        del known["shortcuts"]
    return Settings(**known)


def save_settings(file: Path, settings: Settings) -> None:
    """Write atomically with rights for the owner only. Raises OSError when the folder cannot be written."""
    merged = {**_read(file), **asdict(settings)}
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_suffix(".new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(merged, stream, indent=2, ensure_ascii=False)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
