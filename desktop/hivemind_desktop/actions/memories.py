"""What Memories does: one memory, those that are selected, and the search that found them."""

from __future__ import annotations

from typing import Final

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

from .action import Action

MEMORIES: Final[tuple[Action, ...]] = (
    Action("memory.new", QT_TRANSLATE_NOOP("Actions", "New memory"), "plus", "Ctrl+N", page="memories", writes=True),
    Action("memory.edit", QT_TRANSLATE_NOOP("Actions", "Edit"), "pencil", "E", "memory", "memories", writes=True),
    Action("memory.pin", QT_TRANSLATE_NOOP("Actions", "Pin or unpin"), "pin", "P", "memory", "memories", writes=True),
    Action("memory.why", QT_TRANSLATE_NOOP("Actions", "Why this was found"), "lightbulb", "W", "memory", "memories"),
    Action(
        "memory.message", QT_TRANSLATE_NOOP("Actions", "Open the message"), "messages-square", "", "memory", "memories"
    ),
    Action(
        "memory.why_not",
        QT_TRANSLATE_NOOP("Actions", "Why was this not found?"),
        "lightbulb",
        "Shift+W",
        "memory",
        "memories",
    ),
    Action("memory.copy", QT_TRANSLATE_NOOP("Actions", "Copy the text"), "copy", "", "memory", "memories"),
    Action("memory.cite", QT_TRANSLATE_NOOP("Actions", "Copy as a citation"), "quote", "", "memory", "memories"),
    Action(
        "memory.copy_ai",
        QT_TRANSLATE_NOOP("Actions", "Copy for an AI"),
        "bot",
        "Ctrl+Shift+C",
        "memory",
        "memories",
        also=QT_TRANSLATE_NOOP("Actions", "tokens prompt clipboard"),
    ),
    Action(
        "memory.select_all", QT_TRANSLATE_NOOP("Actions", "Select all found"), "check", "Ctrl+A", "search", "memories"
    ),
    Action(
        "search.save",
        QT_TRANSLATE_NOOP("Actions", "Save this search…"),
        "star",
        "Ctrl+S",
        "search",
        "memories",
        writes=True,
        also=QT_TRANSLATE_NOOP("Actions", "keep filter"),
    ),
    Action(
        "search.rename",
        QT_TRANSLATE_NOOP("Actions", "Rename this search…"),
        "pencil",
        "",
        "search",
        "memories",
        writes=True,
    ),
    Action(
        "search.delete",
        QT_TRANSLATE_NOOP("Actions", "Delete this saved search"),
        "x",
        "",
        "search",
        "memories",
        writes=True,
    ),
    Action(
        "memory.normal",
        QT_TRANSLATE_NOOP("Actions", "Mark as normal"),
        "circle",
        "1",
        "memory",
        "memories",
        writes=True,
    ),
    Action(
        "memory.important",
        QT_TRANSLATE_NOOP("Actions", "Mark as important"),
        "flag",
        "2",
        "memory",
        "memories",
        writes=True,
    ),
    Action(
        "memory.critical",
        QT_TRANSLATE_NOOP("Actions", "Mark as critical"),
        "star",
        "3",
        "memory",
        "memories",
        writes=True,
    ),
    Action(
        "memory.temporary",
        QT_TRANSLATE_NOOP("Actions", "Mark as temporary"),
        "hourglass",
        "",
        "memory",
        "memories",
        writes=True,
    ),
    Action(
        "memory.deprecated",
        QT_TRANSLATE_NOOP("Actions", "Set aside"),
        "circle-dashed",
        "",
        "memory",
        "memories",
        writes=True,
        also=QT_TRANSLATE_NOOP("Actions", "deprecate"),
    ),
    Action(
        "memory.retract",
        QT_TRANSLATE_NOOP("Actions", "Take back or bring back"),
        "ban",
        "",
        "memory",
        "memories",
        writes=True,
        also=QT_TRANSLATE_NOOP("Actions", "retract no longer true"),
    ),
    Action(
        "memory.trash",
        QT_TRANSLATE_NOOP("Actions", "Move to trash"),
        "trash-2",
        "Ctrl+Del",
        "memory",
        "memories",
        writes=True,
        also=QT_TRANSLATE_NOOP("Actions", "delete remove"),
    ),
    Action(
        "memory.restore",
        QT_TRANSLATE_NOOP("Actions", "Restore from trash"),
        "history",
        "",
        "memory",
        "memories",
        writes=True,
    ),
)
