"""What Import does: a run from its beginning to its report, and the review of what was held back."""

from __future__ import annotations

from typing import Final

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

from .action import Action

IMPORTING: Final[tuple[Action, ...]] = (
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
)

REVIEW: Final[tuple[Action, ...]] = (
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
