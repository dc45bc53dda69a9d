"""What Sessions does with the session that is open."""

from __future__ import annotations

from typing import Final

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

from .action import Action

SESSIONS: Final[tuple[Action, ...]] = (
    Action(
        "session.rename",
        QT_TRANSLATE_NOOP("Actions", "Rename session"),
        "pencil",
        "F2",
        "session",
        "sessions",
        writes=True,
    ),
    Action(
        "session.close",
        QT_TRANSLATE_NOOP("Actions", "Close session"),
        "circle-check",
        "",
        "session",
        "sessions",
        writes=True,
    ),
    Action(
        "session.archive",
        QT_TRANSLATE_NOOP("Actions", "Archive session"),
        "file-archive",
        "",
        "session",
        "sessions",
        writes=True,
    ),
    Action(
        "session.reopen",
        QT_TRANSLATE_NOOP("Actions", "Reopen session"),
        "rotate-cw",
        "",
        "session",
        "sessions",
        writes=True,
    ),
    Action(
        "session.merge",
        QT_TRANSLATE_NOOP("Actions", "Merge with another session…"),
        "messages-square",
        "",
        "session",
        "sessions",
        writes=True,
        also=QT_TRANSLATE_NOOP("Actions", "join combine"),
    ),
    Action(
        "session.split",
        QT_TRANSLATE_NOOP("Actions", "Take merged sessions apart"),
        "git-compare",
        "",
        "session",
        "sessions",
        writes=True,
        also=QT_TRANSLATE_NOOP("Actions", "unmerge separate"),
    ),
    Action(
        "session.next",
        QT_TRANSLATE_NOOP("Actions", "Next memory in the session"),
        "arrow-down",
        "",
        "session",
        "sessions",
    ),
    Action(
        "session.previous",
        QT_TRANSLATE_NOOP("Actions", "Previous memory in the session"),
        "arrow-up",
        "",
        "session",
        "sessions",
    ),
)
