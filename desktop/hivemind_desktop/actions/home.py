"""What Home does: the sample and the guides to an export."""

from __future__ import annotations

from typing import Final

from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

from .action import Action

HOME: Final[tuple[Action, ...]] = (
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
)
