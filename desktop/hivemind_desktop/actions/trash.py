"""What the trash does: restoring, and deleting for good."""

from __future__ import annotations

from typing import Final

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

from .action import Action

TRASH: Final[tuple[Action, ...]] = (
    Action(
        "trash.restore",
        QT_TRANSLATE_NOOP("Actions", "Restore what is chosen in the trash"),
        "history",
        "",
        "trash",
        "trash",
        writes=True,
    ),
    # What is deleted for good leaves no change to undo: both ask first.
    Action("trash.delete", QT_TRANSLATE_NOOP("Actions", "Delete for good…"), "eraser", "", "trash", "trash"),
    Action("trash.empty", QT_TRANSLATE_NOOP("Actions", "Empty the trash…"), "eraser", "", "trash", "trash"),
)
