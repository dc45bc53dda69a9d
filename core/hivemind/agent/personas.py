"""The personas: data files, read and checked whole; one that does not fit is a fault of ours, not left out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from hivemind.agent.tools import NAMES
from hivemind.domain.ask import Persona
from hivemind.errors import InvalidValue

#: What answers unless somebody chooses.
DEFAULT = "general-purpose"
_FIELDS = frozenset(Persona.__dataclass_fields__)
_ID = re.compile(r"[a-z][a-z0-9-]{1,39}")
_LIMITS = {"name": 40, "tagline": 80, "prompt": 1_200}
_PATTERN_LIMIT = 160


def load_personas(folder: Path) -> tuple[Persona, ...]:
    """Every `*.json` of the folder, the default first, then by name.

    Raises InvalidValue that names the file and what does not fit.
    """
    found = [read_persona(file) for file in sorted(folder.glob("*.json"))]
    if not any(one.id == DEFAULT for one in found):
        raise InvalidValue("The personas are incomplete", f"There is no {DEFAULT}.json. Install the program again.")
    return tuple(sorted(found, key=lambda one: (one.id != DEFAULT, one.name.casefold())))


def read_persona(file: Path) -> Persona:
    """One persona. Raises InvalidValue."""
    try:
        stored: Any = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as fault:
        raise _unfit(file, "it cannot be read") from fault
    if not isinstance(stored, dict) or set(stored) != _FIELDS:
        raise _unfit(file, "its fields are not the eight of a persona")
    if not isinstance(stored["id"], str) or not _ID.fullmatch(stored["id"]) or stored["id"] != file.stem:
        raise _unfit(file, "its id is not the name of the file")
    for name, limit in _LIMITS.items():
        if not isinstance(stored[name], str) or not 0 < len(stored[name].strip()) <= limit:
            raise _unfit(file, f"{name} must be a text of at most {limit} characters")
    lists = {name: _texts(file, name, stored[name]) for name in ("tools", "denied", "failure_patterns")}
    if unknown := sorted({*lists["tools"], *lists["denied"]} - NAMES):
        raise _unfit(file, f"there is no tool {unknown[0]}")
    if not lists["failure_patterns"]:
        raise _unfit(file, "it names nothing that it gets wrong")
    if not isinstance(stored["needs_sources"], bool):
        raise _unfit(file, "needs_sources is neither true nor false")
    return Persona(**{**stored, **lists})


def _texts(file: Path, name: str, value: object) -> tuple[str, ...]:
    fits = isinstance(value, list) and all(isinstance(one, str) and 0 < len(one) <= _PATTERN_LIMIT for one in value)
    if not fits or not isinstance(value, list) or len(set(value)) != len(value):
        raise _unfit(file, f"{name} must be a list of short texts, each once")
    return tuple(value)


def _unfit(file: Path, why: str) -> InvalidValue:
    return InvalidValue(f"The persona {file.name} cannot be used", f"Of this file, {why}.")
