"""Everything a person can do, once: menus, Ctrl+K and shortcuts are made from this tuple."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

#: '' always · memory: one is open in Memories · session: one is open in Sessions · import: one runs or is reported
Need = Literal["", "memory", "session", "import"]


@dataclass(frozen=True, slots=True)
class Action:
    """`label` and `also` are source strings. `page` does it ('' = the window). `writes`: it changes a mind."""

    id: str
    label: str
    icon: str
    shortcut: str = ""
    needs: Need = ""
    page: str = ""
    writes: bool = False
    also: str = ""

    def name(self) -> str:
        return QCoreApplication.translate("Actions", self.label)

    def other_words(self) -> str:
        return QCoreApplication.translate("Actions", self.also) if self.also else ""


ACTIONS: Final[tuple[Action, ...]] = (
    Action("go.home", QT_TRANSLATE_NOOP("Actions", "Go to Home"), "house", "Ctrl+1"),
    Action("go.memories", QT_TRANSLATE_NOOP("Actions", "Go to Memories"), "layers", "Ctrl+2"),
    Action("go.sessions", QT_TRANSLATE_NOOP("Actions", "Go to Sessions"), "messages-square", "Ctrl+3"),
    Action("go.import", QT_TRANSLATE_NOOP("Actions", "Go to Import"), "import", "Ctrl+4"),
    Action("go.settings", QT_TRANSLATE_NOOP("Actions", "Go to Settings"), "settings", "Ctrl+,"),
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
    Action("search", QT_TRANSLATE_NOOP("Actions", "Search"), "search", "Ctrl+F"),
    Action("search.all", QT_TRANSLATE_NOOP("Actions", "Search memories"), "search", "Ctrl+Shift+F"),
    Action("palette", QT_TRANSLATE_NOOP("Actions", "All commands"), "terminal", "Ctrl+K"),
    Action("undo", QT_TRANSLATE_NOOP("Actions", "Undo the last change"), "undo-2", "Ctrl+Z"),
    Action(
        "theme",
        QT_TRANSLATE_NOOP("Actions", "Switch light, dark, system"),
        "sun",
        "Ctrl+Shift+L",
        also=QT_TRANSLATE_NOOP("Actions", "theme appearance colours"),
    ),
    Action("reload", QT_TRANSLATE_NOOP("Actions", "Load this page again"), "rotate-cw", "F5"),
    Action("data.open", QT_TRANSLATE_NOOP("Actions", "Open the data folder"), "hard-drive"),
    Action("memory.new", QT_TRANSLATE_NOOP("Actions", "New memory"), "plus", "Ctrl+N", page="memories", writes=True),
    Action("memory.edit", QT_TRANSLATE_NOOP("Actions", "Edit"), "pencil", "E", "memory", "memories", writes=True),
    Action("memory.pin", QT_TRANSLATE_NOOP("Actions", "Pin or unpin"), "pin", "P", "memory", "memories", writes=True),
    Action("memory.why", QT_TRANSLATE_NOOP("Actions", "Why this was found"), "lightbulb", "W", "memory", "memories"),
    Action(
        "memory.message", QT_TRANSLATE_NOOP("Actions", "Open the message"), "messages-square", "", "memory", "memories"
    ),
    Action("memory.copy", QT_TRANSLATE_NOOP("Actions", "Copy the text"), "copy", "Ctrl+Shift+C", "memory", "memories"),
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
    Action("import.pause", QT_TRANSLATE_NOOP("Actions", "Pause the import"), "pause", "", "import", "import"),
    Action("import.resume", QT_TRANSLATE_NOOP("Actions", "Resume the import"), "play", "", "import", "import"),
    Action("import.cancel", QT_TRANSLATE_NOOP("Actions", "Cancel the import…"), "square", "", "import", "import"),
    Action(
        "import.undo", QT_TRANSLATE_NOOP("Actions", "Undo the import…"), "undo-2", "", "import", "import", writes=True
    ),
)
