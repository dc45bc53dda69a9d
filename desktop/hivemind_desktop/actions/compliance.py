"""What Compliance does: checking the log and saving what it shows."""

from __future__ import annotations

from typing import Final

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

from .action import Action

COMPLIANCE: Final[tuple[Action, ...]] = (
    Action("compliance.check", QT_TRANSLATE_NOOP("Actions", "Check the log again"), "fingerprint", page="compliance"),
    Action("report.save", QT_TRANSLATE_NOOP("Actions", "Save the report…"), "file-check-2", page="compliance"),
    Action("report.package", QT_TRANSLATE_NOOP("Actions", "Save the evidence…"), "file-archive", page="compliance"),
)
