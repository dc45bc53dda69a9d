"""What the window does whichever page is in sight: going to a page, bringing files in, looking, undoing."""

from __future__ import annotations

from typing import Final

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

from .action import Action

#: The pages in the order of the navigation.
GOING: Final[tuple[Action, ...]] = (
    Action("go.home", QT_TRANSLATE_NOOP("Actions", "Go to Home"), "house", "Ctrl+1"),
    Action("go.memories", QT_TRANSLATE_NOOP("Actions", "Go to Memories"), "layers", "Ctrl+2"),
    Action("go.sessions", QT_TRANSLATE_NOOP("Actions", "Go to Sessions"), "messages-square", "Ctrl+3"),
    Action("go.import", QT_TRANSLATE_NOOP("Actions", "Go to Import"), "import", "Ctrl+4"),
    Action("go.ask", QT_TRANSLATE_NOOP("Actions", "Go to Ask"), "message-square", "Ctrl+5"),
    Action("go.compliance", QT_TRANSLATE_NOOP("Actions", "Go to Compliance"), "scale", "Ctrl+6"),
    Action("go.trash", QT_TRANSLATE_NOOP("Actions", "Go to Trash"), "trash-2", "Ctrl+Shift+T"),
    Action("go.settings", QT_TRANSLATE_NOOP("Actions", "Go to Settings"), "settings", "Ctrl+,"),
)

FILES: Final[tuple[Action, ...]] = (
    Action(
        "files.choose",
        QT_TRANSLATE_NOOP("Actions", "Import a file…"),
        "folder-open",
        "Ctrl+I",
        also=QT_TRANSLATE_NOOP("Actions", "add export ZIP JSON ChatGPT"),
    ),
    Action("files.folder", QT_TRANSLATE_NOOP("Actions", "Import a folder…"), "folder", "Ctrl+Shift+I"),
    Action(
        "files.sample",
        QT_TRANSLATE_NOOP("Actions", "Import the sample"),
        "file-text",
        also=QT_TRANSLATE_NOOP("Actions", "try example"),
    ),
)

WINDOW: Final[tuple[Action, ...]] = (
    Action("search", QT_TRANSLATE_NOOP("Actions", "Search"), "search", "Ctrl+F"),
    Action("search.all", QT_TRANSLATE_NOOP("Actions", "Search memories"), "search", "Ctrl+Shift+F"),
    Action("palette", QT_TRANSLATE_NOOP("Actions", "All commands"), "terminal", "Ctrl+K"),
    Action("undo", QT_TRANSLATE_NOOP("Actions", "Undo the last change"), "undo-2", "Ctrl+Z"),
    Action(
        "history",
        QT_TRANSLATE_NOOP("Actions", "History of changes…"),
        "history",
        "Ctrl+Shift+H",
        also=QT_TRANSLATE_NOOP("Actions", "undo several back"),
    ),
    Action(
        "theme",
        QT_TRANSLATE_NOOP("Actions", "Switch light, dark, system"),
        "sun",
        "Ctrl+Shift+L",
        also=QT_TRANSLATE_NOOP("Actions", "theme appearance colours"),
    ),
    Action("reload", QT_TRANSLATE_NOOP("Actions", "Load this page again"), "rotate-cw", "F5"),
    Action("data.open", QT_TRANSLATE_NOOP("Actions", "Open the data folder"), "hard-drive"),
    Action(
        "crashes.open",
        QT_TRANSLATE_NOOP("Actions", "Open the folder with reports of faults"),
        "folder-open",
        also=QT_TRANSLATE_NOOP("Actions", "crash log"),
    ),
)
