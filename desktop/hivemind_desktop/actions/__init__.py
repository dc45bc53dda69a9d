"""Everything a person can do, once: menus, Ctrl+K and shortcuts are made from ACTIONS."""

from __future__ import annotations

from typing import Final

from .action import Action, Need
from .compliance import COMPLIANCE
from .erasing import ERASING
from .home import HOME
from .importing import IMPORTING, REVIEW
from .memories import MEMORIES
from .sessions import SESSIONS
from .settings import MODELS_AND_BACKUPS, UPKEEP
from .trash import TRASH
from .window import FILES, GOING, WINDOW

#: In the order in which Ctrl+K and the menus show them.
ACTIONS: Final[tuple[Action, ...]] = (
    *GOING,
    *FILES,
    *HOME,
    *WINDOW,
    *MODELS_AND_BACKUPS,
    *COMPLIANCE,
    *UPKEEP,
    *TRASH,
    *ERASING,
    *MEMORIES,
    *SESSIONS,
    *IMPORTING,
    *REVIEW,
)

__all__ = ["ACTIONS", "Action", "Need"]
