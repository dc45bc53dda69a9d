"""What Settings does: the search model, backups, and the mind's own check."""

from __future__ import annotations

from typing import Final

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

from .action import Action

MODELS_AND_BACKUPS: Final[tuple[Action, ...]] = (
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
)

UPKEEP: Final[tuple[Action, ...]] = (
    Action("mind.verify", QT_TRANSLATE_NOOP("Actions", "Check this mind"), "shield-check", page="settings"),
    Action("mind.reindex", QT_TRANSLATE_NOOP("Actions", "Rebuild the word index…"), "rotate-cw", page="settings"),
)
