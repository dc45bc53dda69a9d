"""Erasing, from the window and from the pages that show what would be erased."""

from __future__ import annotations

from typing import Final

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

from .action import Action

ERASING: Final[tuple[Action, ...]] = (
    # What is erased leaves no change to undo, and nothing in the trash: the sheet says so and asks for a word.
    Action(
        "erase",
        QT_TRANSLATE_NOOP("Actions", "Erase words or a person…"),
        "eraser",
        also=QT_TRANSLATE_NOOP("Actions", "delete for good forget privacy"),
    ),
    Action("memory.erase", QT_TRANSLATE_NOOP("Actions", "Erase…"), "eraser", "", "memory", "memories"),
    Action("session.erase", QT_TRANSLATE_NOOP("Actions", "Erase session…"), "eraser", "", "session", "sessions"),
    Action("import.erase", QT_TRANSLATE_NOOP("Actions", "Erase the import…"), "eraser", "", "import", "import"),
)
