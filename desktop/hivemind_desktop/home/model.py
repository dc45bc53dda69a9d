"""What Home shows: how to get an export, and what a mind holds at a glance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hivemind.domain.sessions import SessionRow
from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class Guide:
    """How to get an export from a vendor. Texts are source strings for translation; `page` is where to begin."""

    vendor: str
    wait: str
    steps: str
    page: str


#: Only sources that an adapter can read now.
GUIDES: Final = (
    Guide(
        "ChatGPT",
        QT_TRANSLATE_NOOP("HomePanel", "takes up to a day"),
        QT_TRANSLATE_NOOP(
            "HomePanel",
            "In ChatGPT: Settings, Data controls, Export data. A mail brings a link to one ZIP. Drop it here as it is.",
        ),
        "https://help.openai.com/en/articles/7260999-how-do-i-export-my-chatgpt-history-and-data",
    ),
)

#: Sessions in the list of Home.
RECENT: Final = 6


@dataclass(frozen=True, slots=True)
class AtAGlance:
    """Counts of the mind and its newest sessions."""

    memories: int
    sessions: int
    size: int
    recent: tuple[SessionRow, ...]
