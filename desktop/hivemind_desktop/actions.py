"""Everything a person can do, once: menus, Ctrl+K and shortcuts are made from this tuple."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

#: '' always · memory: one is open or selected in Memories · search: Memories is in sight
#: session: one is open in Sessions · import: one is chosen, runs, is reported or reviewed · sample: it is in
Need = Literal["", "memory", "search", "session", "import", "trash", "sample"]


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
    Action("go.ask", QT_TRANSLATE_NOOP("Actions", "Go to Ask"), "message-square", "Ctrl+5"),
    Action("go.compliance", QT_TRANSLATE_NOOP("Actions", "Go to Compliance"), "scale", "Ctrl+6"),
    Action("go.trash", QT_TRANSLATE_NOOP("Actions", "Go to Trash"), "trash-2", "Ctrl+Shift+T"),
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
    Action(
        "sample.remove",
        QT_TRANSLATE_NOOP("Actions", "Remove the sample"),
        "eraser",
        "",
        "sample",
        "home",
        writes=True,
    ),
    Action(
        "guide",
        QT_TRANSLATE_NOOP("Actions", "How to get an export"),
        "info",
        page="home",
        also=QT_TRANSLATE_NOOP("Actions", "ChatGPT Claude Gemini download"),
    ),
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
    Action("embedding.pause", QT_TRANSLATE_NOOP("Actions", "Pause embedding"), "pause", page="settings"),
    Action("embedding.resume", QT_TRANSLATE_NOOP("Actions", "Resume embedding"), "play", page="settings"),
    Action("embedding.again", QT_TRANSLATE_NOOP("Actions", "Embed everything again…"), "rotate-cw", page="settings"),
    Action(
        "model.choose", QT_TRANSLATE_NOOP("Actions", "Choose another search model…"), "folder-open", page="settings"
    ),
    Action(
        "model.service",
        QT_TRANSLATE_NOOP("Actions", "Use a service for search by meaning…"),
        "arrow-up-right",
        page="settings",
    ),
    Action("backup.now", QT_TRANSLATE_NOOP("Actions", "Back up now"), "history", page="settings"),
    Action("backup.restore", QT_TRANSLATE_NOOP("Actions", "Restore a backup…"), "history", page="settings"),
    Action("compliance.check", QT_TRANSLATE_NOOP("Actions", "Check the log again"), "fingerprint", page="compliance"),
    Action("report.save", QT_TRANSLATE_NOOP("Actions", "Save the report…"), "file-check-2", page="compliance"),
    Action("report.package", QT_TRANSLATE_NOOP("Actions", "Save the evidence…"), "file-archive", page="compliance"),
    Action("mind.verify", QT_TRANSLATE_NOOP("Actions", "Check this mind"), "shield-check", page="settings"),
    Action("mind.reindex", QT_TRANSLATE_NOOP("Actions", "Rebuild the word index…"), "rotate-cw", page="settings"),
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
    Action("import.begin", QT_TRANSLATE_NOOP("Actions", "Import what was dropped"), "import", "", "import", "import"),
    Action(
        "import.titles", QT_TRANSLATE_NOOP("Actions", "Choose titles to leave out…"), "filter", "", "import", "import"
    ),
    Action("import.pause", QT_TRANSLATE_NOOP("Actions", "Pause the import"), "pause", "", "import", "import"),
    Action("import.resume", QT_TRANSLATE_NOOP("Actions", "Resume the import"), "play", "", "import", "import"),
    Action("import.cancel", QT_TRANSLATE_NOOP("Actions", "Cancel the import…"), "square", "", "import", "import"),
    Action(
        "import.undo", QT_TRANSLATE_NOOP("Actions", "Undo the import…"), "undo-2", "", "import", "import", writes=True
    ),
    Action("import.csv", QT_TRANSLATE_NOOP("Actions", "Save the report as CSV…"), "download", "", "import", "import"),
    Action(
        "import.review",
        QT_TRANSLATE_NOOP("Actions", "Review what was held back or masked"),
        "shield-alert",
        page="import",
        also=QT_TRANSLATE_NOOP("Actions", "quarantine secrets keys"),
    ),
    Action(
        "review.release",
        QT_TRANSLATE_NOOP("Actions", "Release from quarantine"),
        "check",
        "",
        "import",
        "import",
        writes=True,
    ),
    Action(
        "review.keep",
        QT_TRANSLATE_NOOP("Actions", "Keep held back or masked"),
        "shield",
        "",
        "import",
        "import",
        writes=True,
    ),
    Action(
        "review.unmask",
        QT_TRANSLATE_NOOP("Actions", "This is not a secret"),
        "key-round",
        "",
        "import",
        "import",
        writes=True,
    ),
)
