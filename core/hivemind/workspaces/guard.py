"""The path guard: an id from outside never becomes a path before it passed here."""

from __future__ import annotations

import re
from pathlib import Path

from hivemind.errors import InvalidName, NotAMind
from hivemind.paths import DataDir

_ID = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")
#: Names that Windows keeps for devices, whatever their ending.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)")


def checked_id(workspace: str) -> str:
    """The id itself when it is 1–64 of a–z, 0–9, hyphen and underscore, else InvalidName."""
    if not _ID.fullmatch(workspace) or _RESERVED.fullmatch(workspace):
        raise InvalidName(
            "This is not a mind's name",
            "Use 1 to 64 lower-case letters, digits, hyphens and underscores, like legal-2026.",
        )
    return workspace


def guarded_path(data: DataDir, workspace: str) -> Path:
    """The file of a workspace. Raises InvalidName, or NotAMind when the file leads out of the minds' folder."""
    path = data.mind(checked_id(workspace))
    root = data.minds.resolve()
    if path.is_symlink() or not path.resolve().is_relative_to(root):
        raise NotAMind(
            "This mind's file is a link to somewhere else",
            "It was not opened. Put the file itself into the minds folder.",
        )
    return path


def id_from_name(name: str) -> str:
    """A valid id made of a person's words: `Q2 Planning` → `q2-planning`. Raises InvalidName when nothing is left."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60].strip("-")
    return checked_id(slug)
