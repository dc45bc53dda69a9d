"""What Home shows: how to get an export, and what a mind holds at a glance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hivemind.domain.harvest import ImportReport, RunState
from hivemind.domain.review import ReviewCounts
from hivemind.domain.sessions import SessionRow
from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class Guide:
    """How to get an export from a vendor. Texts are source strings for translation; `page` is where to begin.

    `source`: the name of what reads it, '' when nothing does yet; then `note` says so.
    """

    vendor: str
    source: str
    wait: str
    brief: str
    steps: tuple[str, ...]
    page: str
    note: str = ""


GUIDES: Final = (
    Guide(
        "ChatGPT",
        "chatgpt",
        QT_TRANSLATE_NOOP("HomePanel", "a mail within minutes or days"),
        QT_TRANSLATE_NOOP("HomePanel", "Settings, Data controls, Export data. A mail brings a link to a ZIP."),
        (
            QT_TRANSLATE_NOOP("HomePanel", "Open ChatGPT in a browser and sign in."),
            QT_TRANSLATE_NOOP("HomePanel", "Open Settings, then Data controls, and press Export data."),
            QT_TRANSLATE_NOOP("HomePanel", "Wait for the mail. Its link works for 24 hours."),
            QT_TRANSLATE_NOOP("HomePanel", "Download the ZIP and drop it here as it is, or all of them."),
        ),
        "https://chatgpt.com/#settings/DataControls",
        QT_TRANSLATE_NOOP("HomePanel", "Company and school accounts may have no export."),
    ),
    Guide(
        "Claude",
        "claude",
        QT_TRANSLATE_NOOP("HomePanel", "a mail within minutes"),
        QT_TRANSLATE_NOOP("HomePanel", "Settings, Privacy, Export data. A mail brings a link that works for 24 hours."),
        (
            QT_TRANSLATE_NOOP("HomePanel", "Open Claude in a browser or its desktop app. Phone apps have no export."),
            QT_TRANSLATE_NOOP("HomePanel", "Open Settings, then Privacy, and press Export data."),
            QT_TRANSLATE_NOOP("HomePanel", "Wait for the mail. Its link works for 24 hours."),
            QT_TRANSLATE_NOOP(
                "HomePanel", "If you get a small file named manifest, it only holds links: download the ZIPs it names."
            ),
            QT_TRANSLATE_NOOP("HomePanel", "Drop the ZIPs here as they are, all at once."),
        ),
        "https://claude.ai/settings/data-privacy-controls",
    ),
    Guide(
        "Gemini",
        "",
        QT_TRANSLATE_NOOP("HomePanel", "cannot be read yet"),
        QT_TRANSLATE_NOOP("HomePanel", "Google Takeout, My Activity, only Gemini Apps, as JSON. Keep it for later."),
        (
            QT_TRANSLATE_NOOP("HomePanel", "Open Google Takeout and press Deselect all."),
            QT_TRANSLATE_NOOP("HomePanel", "Choose My Activity, All activity data included, and only Gemini Apps."),
            QT_TRANSLATE_NOOP("HomePanel", "Under Multiple formats choose JSON instead of HTML."),
        ),
        "https://takeout.google.com",
        QT_TRANSLATE_NOOP("HomePanel", "Hive-Mind cannot read it yet. Ask for it now, and keep the file."),
    ),
)  # fmt: skip

#: Sessions and imports in the lists of Home.
RECENT: Final = 6
ARRIVED: Final = 3
#: Nothing to review.
NOTHING: Final = ReviewCounts(0, 0)
_ENDED = frozenset({RunState.FINISHED, RunState.CANCELLED})


@dataclass(frozen=True, slots=True)
class AtAGlance:
    """Counts of the mind, its newest sessions, what arrived, what waits; `sample_run`: the import of the sample."""

    memories: int
    sessions: int
    size: int
    recent: tuple[SessionRow, ...] = ()
    arrived: tuple[ImportReport, ...] = ()
    interrupted: int = 0
    review: ReviewCounts = NOTHING
    sample_run: int | None = None


def arrived(runs: list[ImportReport]) -> tuple[ImportReport, ...]:
    """The newest imports that brought something that is still here."""
    return tuple(run for run in runs if run.state in _ENDED and (run.new or run.updated))[:ARRIVED]


def sample_run(runs: list[ImportReport], sample_name: str) -> int | None:
    """The import of the sample, while what it brought is here."""
    mine = (run.run_id for run in runs if run.name == sample_name and run.state in _ENDED and (run.new or run.updated))
    return next(mine, None)
